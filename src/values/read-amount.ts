/**
 * Reads an amount as players of India type it: 1,000 and 1,00,000, 1k, 2.5L, 1cr, with ₹ or Rs, in Latin or Devanagari
 * digits. Every field for an amount reads by this one rule, and says back what it understood. What could be meant in two
 * ways is asked: "1,5" is one and a half to some and fifteen to others.
 */
import { type Paise, paiseOf } from '#values/money.ts';

/** AMBIGUOUS carries both readings, the smaller one first. */
type ReadAmount =
	| { kind: 'AMOUNT'; amount: Paise }
	| { kind: 'AMBIGUOUS'; either: Paise; or: Paise }
	| { kind: 'EMPTY' }
	| { kind: 'NONE' };

/** The largest amount that is read; limits are checked by what the amount is for. */
const LARGEST_PAISE = 1e13;

/** Multiples of a rupee by what is written behind the number. */
const MULTIPLES = new Map(
	(
		[
			['', 1],
			['k', 1e3],
			['हज़ार', 1e3],
			['हजार', 1e3],
			['l', 1e5],
			['lac', 1e5],
			['lakh', 1e5],
			['लाख', 1e5],
			['cr', 1e7],
			['crore', 1e7],
			['करोड़', 1e7],
		] as const
	).map(([unit, multiple]) => [unit.normalize('NFC'), multiple]),
);

const DEVANAGARI_ZERO = 0x0966;
/** ₹1,000 · 1,00,000 · 100,000: groups of three, or of two before the last three. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$|^\d{1,2}(?:,\d{2})+,\d{3}$/;
const WRITTEN = /^([+-]?)(?:₹|rs\.?|inr)?\s*([+-]?)([\d,]*)(?:\.(\d*))?\s*(\p{L}[\p{L}\p{M}]*)?$/u;

const latin = (text: string): string =>
	text.replaceAll(/[\u0966-\u096f]/g, (digit) => String((digit.codePointAt(0) ?? 0) - DEVANAGARI_ZERO));

/** @param text as it was typed; a minus, where the field takes one, before or behind the sign of the rupee */
export function readAmount(text: string): ReadAmount {
	const plain = latin(text).normalize('NFC').trim().toLowerCase().replace(/[−–]/, '-').replace(/\/-?$/, '');
	if (plain === '') return { kind: 'EMPTY' };
	const found = WRITTEN.exec(plain);
	if (!found) return { kind: 'NONE' };
	const [, before = '', behind = '', whole = '', fraction = '', unit = ''] = found;
	const multiple = MULTIPLES.get(unit);
	if (multiple === undefined || (before !== '' && behind !== '')) return { kind: 'NONE' };
	const sign = before === '-' || behind === '-' ? -1 : 1;
	if (!whole.includes(',')) {
		const amount = amountOf(sign, whole, fraction, multiple);
		// "1.500" is fifteen hundred where a point separates thousands.
		const isGroup = fraction.length === 3 && unit === '' && /^[1-9]\d{0,2}$/.test(whole);
		return isGroup ? eitherOr(amount, amountOf(sign, `${whole}${fraction}`, '', multiple)) : amount;
	}
	const digits = whole.replaceAll(',', '');
	if (GROUPED.test(whole)) return amountOf(sign, digits, fraction, multiple);
	// One comma with one or two figures behind it may be the comma of a fraction.
	const [left = '', right = '', ...more] = whole.split(',');
	if (fraction !== '' || more.length > 0 || left === '' || right.length < 1 || right.length > 2)
		return { kind: 'NONE' };
	return eitherOr(amountOf(sign, left, right, multiple), amountOf(sign, digits, '', multiple));
}

/** Asked, if it can be either. */
function eitherOr(either: ReadAmount, or: ReadAmount): ReadAmount {
	if (either.kind !== 'AMOUNT' || or.kind !== 'AMOUNT') return { kind: 'NONE' };
	return { kind: 'AMBIGUOUS', either: either.amount, or: or.amount };
}

/** Exact: what would need a part of a paisa is none. */
function amountOf(sign: number, whole: string, fraction: string, multiple: number): ReadAmount {
	const digits = `${whole}${fraction}`;
	if (digits === '' || digits.length > 15) return { kind: 'NONE' };
	const paise = (BigInt(digits) * BigInt(multiple) * 100n) / 10n ** BigInt(fraction.length);
	const isWhole = (BigInt(digits) * BigInt(multiple) * 100n) % 10n ** BigInt(fraction.length) === 0n;
	if (!isWhole || paise > BigInt(LARGEST_PAISE)) return { kind: 'NONE' };
	return { kind: 'AMOUNT', amount: paiseOf(sign * Number(paise) || 0) };
}

/** The amount; null for what is none, is empty or has to be asked. */
export function amountFromText(text: string): Paise | null {
	const read = readAmount(text);
	return read.kind === 'AMOUNT' ? read.amount : null;
}
