/**
 * Parses an amount as players type it: 1,000 and 1,00,000, 1k, with or without the sign of their currency, in Latin,
 * Devanagari or Bengali digits; rupees also as 2.5L and 1cr, other currencies as 2.5m. Every amount field uses this rule, and shows
 * its reading. The player is asked about an ambiguous input: "1,5" is one and a half to some and fifteen to others. The
 * sign of another currency is no amount.
 */
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { type Minor, minorOf } from '#values/money.ts';

/** AMBIGUOUS carries both readings, the smaller one first. */
type ReadAmount =
	| { kind: 'AMOUNT'; amount: Minor }
	| { kind: 'AMBIGUOUS'; either: Minor; or: Minor }
	| { kind: 'EMPTY' }
	| { kind: 'NONE' };

/** The largest amount that is parsed; limits depend on the purpose of the amount. */
const LARGEST_MINOR = 1e13;

type Multiples = readonly (readonly [unit: string, multiple: number])[];
const mapOf = (multiples: Multiples): ReadonlyMap<string, number> =>
	new Map(multiples.map(([unit, multiple]) => [unit.normalize('NFC'), multiple]));

const EVERYWHERE: Multiples = [
	['', 1],
	['k', 1e3],
	['हज़ार', 1e3],
	['हजार', 1e3],
	['হাজার', 1e3],
];
/** Multiples of a rupee by the suffix of the number. */
const OF_RUPEES = mapOf([
	...EVERYWHERE,
	['l', 1e5],
	['lac', 1e5],
	['lakh', 1e5],
	['लाख', 1e5],
	['cr', 1e7],
	['crore', 1e7],
	['करोड़', 1e7],
	['লাখ', 1e5],
	['লক্ষ', 1e5],
	['কোটি', 1e7],
]);
const OF_OTHERS = mapOf([...EVERYWHERE, ['m', 1e6]]);

/** What stands before an amount, in small letters. */
const SIGNS: Readonly<Record<Currency, string>> = {
	INR: '₹|rs\\.?|inr',
	EUR: '€|eur',
	GBP: '£|gbp',
	BRL: 'r\\$|brl',
	JPY: '[¥￥]|jpy',
};

const DIGITS = /[\u0966-\u096f\u09e6-\u09ef]/g;
/** Ten digits of Devanagari or Bengali stand in order from a code whose last four bits are 6. */
const ZERO_BITS = 6;
/** ₹1,000 · 1,00,000 · 100,000: groups of three, or of two before the last three. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$|^\d{1,2}(?:,\d{2})+,\d{3}$/;
const writtenIn = (currency: Currency): RegExp =>
	new RegExp(`^([+-]?)(?:${SIGNS[currency]})?\\s*([+-]?)([\\d,]*)(?:\\.(\\d*))?\\s*(\\p{L}[\\p{L}\\p{M}]*)?$`, 'u');
const WRITTEN = new Map<Currency, RegExp>();

function writtenAs(currency: Currency): RegExp {
	const known = WRITTEN.get(currency) ?? writtenIn(currency);
	WRITTEN.set(currency, known);
	return known;
}

/** Digits of Devanagari and Bengali as Latin ones. */
export const latin = (text: string): string =>
	text.replaceAll(DIGITS, (digit) => String(((digit.codePointAt(0) ?? 0) & 0xf) - ZERO_BITS));

/** @param text as typed; a minus, if the field allows one, before or after the currency's sign */
export function readAmount(text: string, currency: Currency = HOME_CURRENCY): ReadAmount {
	const plain = latin(text).normalize('NFC').trim().toLowerCase().replace(/[−–]/, '-').replace(/\/-?$/, '');
	if (plain === '') return { kind: 'EMPTY' };
	const found = writtenAs(currency).exec(plain);
	if (!found) return { kind: 'NONE' };
	const [, before = '', behind = '', whole = '', fraction = '', unit = ''] = found;
	const multiple = (currency === HOME_CURRENCY ? OF_RUPEES : OF_OTHERS).get(unit);
	if (multiple === undefined || (before !== '' && behind !== '')) return { kind: 'NONE' };
	const sign = before === '-' || behind === '-' ? -1 : 1;
	if (!whole.includes(',')) {
		const amount = amountOf(sign, whole, fraction, multiple);
		// "1.500" is fifteen hundred if a point separates thousands.
		const isGroup = fraction.length === 3 && unit === '' && /^[1-9]\d{0,2}$/.test(whole);
		return isGroup ? eitherOr(amount, amountOf(sign, `${whole}${fraction}`, '', multiple)) : amount;
	}
	const digits = whole.replaceAll(',', '');
	if (GROUPED.test(whole)) return amountOf(sign, digits, fraction, multiple);
	// One comma followed by one or two digits may be a decimal comma.
	const [left = '', right = '', ...more] = whole.split(',');
	if (fraction !== '' || more.length > 0 || left === '' || right.length < 1 || right.length > 2)
		return { kind: 'NONE' };
	return eitherOr(amountOf(sign, left, right, multiple), amountOf(sign, digits, '', multiple));
}

/** Ambiguous if both readings are possible. */
function eitherOr(either: ReadAmount, or: ReadAmount): ReadAmount {
	if (either.kind !== 'AMOUNT' || or.kind !== 'AMOUNT') return { kind: 'NONE' };
	return { kind: 'AMBIGUOUS', either: either.amount, or: or.amount };
}

/** Exact: an amount with parts of a minor unit is invalid. */
function amountOf(sign: number, whole: string, fraction: string, multiple: number): ReadAmount {
	const digits = `${whole}${fraction}`;
	if (digits === '' || digits.length > 15) return { kind: 'NONE' };
	const minor = (BigInt(digits) * BigInt(multiple) * 100n) / 10n ** BigInt(fraction.length);
	const isWhole = (BigInt(digits) * BigInt(multiple) * 100n) % 10n ** BigInt(fraction.length) === 0n;
	if (!isWhole || minor > BigInt(LARGEST_MINOR)) return { kind: 'NONE' };
	return { kind: 'AMOUNT', amount: minorOf(sign * Number(minor) || 0) };
}
