/**
 * Finds references and amounts in the text of a receipt. OCR often reads the rupee sign as a digit (₹1,000 becomes
 * 31,000), so an amount is only confirmed, never proposed. Receipts also show telephone and account numbers, dates and
 * times: the adjacent words, or its size, determine the meaning of a number.
 */
import type { AnyMinor } from '#values/money.ts';

/** A line of the text, from the top down. */
export interface TextLine {
	text: string;
	/** Of its tallest word with a digit, in pixels; 0 without one. */
	height: number;
}

export type AmountFinding = 'FOUND' | 'AMBIGUOUS' | 'NOT_FOUND';

/** Twelve separate digits, together or in three groups of four; `+` and `@` make them a telephone or an address. */
const TWELVE_DIGITS = /(?<![\d+@.,]|\d[ -])(?:\d{12}|\d{4}([ -])\d{4}\1\d{4})(?![\d@]|[ -]\d{4})/g;
const NAMES_REFERENCE = /\b(utr|rrn|ref|reference|transaction|txn|upi)\b|संदर्भ|लेनदेन|लेन-देन|यूटीआर/i;
const NAMES_OTHER =
	/\b(account|acct|ac|a\/c|mobile|phone|tel|contact|card|customer|aadhaar|vpa)\b|खाता|मोबाइल|फ़ोन|फोन/i;
/** A mobile with India's country code. */
const MOBILE = /^91[6-9]\d{9}$/;

/** The words that label a number: those before it on its line, or else the line above. */
function labelOf(lines: readonly TextLine[], line: number, at: number): string {
	const before = lines[line]?.text.slice(0, at) ?? '';
	return /\p{L}/u.test(before) ? before : `${lines[line - 1]?.text ?? ''} ${before}`;
}

/** All references, and those that the adjacent words label as one. */
function referencesIn(lines: readonly TextLine[]): { all: Set<string>; named: Set<string> } {
	const all = new Set<string>();
	const named = new Set<string>();
	for (const [line, { text }] of lines.entries()) {
		for (const { 0: digits, index } of text.matchAll(TWELVE_DIGITS)) {
			const reference = digits.replaceAll(/\D/g, '');
			const label = labelOf(lines, line, index);
			const isNamed = NAMES_REFERENCE.test(label);
			if (NAMES_OTHER.test(label) || (MOBILE.test(reference) && !isNamed)) continue;
			all.add(reference);
			if (isNamed) named.add(reference);
		}
	}
	return { all, named };
}

/** The reference on a receipt: the only labelled one, or the only one; null for none, or several. */
export function utrIn(lines: readonly TextLine[]): string | null {
	const { all, named } = referencesIn(lines);
	const [only, ...others] = named.size > 0 ? named : all;
	return others.length === 0 ? (only ?? null) : null;
}

const UPI_REFERENCE = /^\d{12}$/;

/** Whether the receipt shows the reference; that of a bank transfer may have letters. */
export function hasUtr(lines: readonly TextLine[], utr: string): boolean {
	if (UPI_REFERENCE.test(utr)) return referencesIn(lines).all.has(utr);
	const text = lines.map((line) => line.text).join('\n');
	return text.replaceAll(/[\s-]/g, '').toUpperCase().includes(utr.toUpperCase());
}

/** OCR also reads a point as a comma, so two digits at the end are minor units after either. */
const NUMBER = /(?<![\d.,:/-])\d+(?:,\d+)*(?:[.,]\d{1,2})?(?![\d:]|[.,/-]\d)/g;
/** Characters that OCR reads for the rupee sign, too, if they touch the number. */
const SIGN_BEFORE = /(?:[₹$%€£¥#&=]|\b(?:rs|inr|rupees?)\b\.?)\s*[:-]?\s*$/i;
const SIGN_AFTER = /^\s*(?:\/-|(?:rs|inr|rupees?)\b)/i;
const NAMES_AMOUNT = /\b(?:amount|amt|paid|total|sum|debited|credited|sent|received)\b|राशि|रकम|भुगतान|रुपये/i;

/** Minor units; "45,000,00" is 45,000.00, because groups of a number end with three digits. */
function minorOf(number: string): number {
	const [, whole = '', minor = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(number) ?? [];
	return Number(whole.replaceAll(',', '')) * 100 + Number(minor.padEnd(2, '0'));
}

/** A number that is an amount, in minor units. */
interface Amount {
	minor: number;
	/** Its value with the first digit read as the rupee sign, or as a digit; null if the sign was read separately. */
	or: number | null;
}

/**
 * Four digits or more without a grouping comma. Payment apps group thousands and write the sign before the amount in
 * the largest type. So with no sign and no comma the first digit is the sign: "3500" is ₹500.
 */
const HAS_SIGN_AS_FIGURE = /^\d[1-9]\d{2,}(?:[.,]\d{1,2})?$/;

/** @param place the signs and words beside the number */
function amountOf(digits: string, place: { hasSign: boolean; isNamed: boolean }): Amount {
	const [whole, rest] = [minorOf(digits), minorOf(digits.slice(1).replace(/^,/, ''))];
	if (place.hasSign) return { minor: whole, or: null };
	const isSign = !place.isNamed && HAS_SIGN_AS_FIGURE.test(digits);
	return isSign ? { minor: rest, or: whole } : { minor: whole, or: rest };
}

/** Type larger than that of any other number, and half as large again as the usual, is only used for the amount. */
function isLargest(lines: readonly TextLine[], height: number): boolean {
	const heights = lines
		.map((line) => line.height)
		.filter((known) => known > 0)
		.sort((one, other) => one - other);
	const usual = heights[(heights.length - 1) >> 1] ?? 0;
	return height === heights.at(-1) && height * 2 >= usual * 3;
}

/** The numbers that are amounts by their adjacent words, or by their size. */
function amountsIn(lines: readonly TextLine[]): Amount[] {
	return lines.flatMap(({ text, height }, line) =>
		[...text.matchAll(NUMBER)].flatMap(({ 0: digits, index }) => {
			const before = text.slice(0, index);
			const hasSign = SIGN_BEFORE.test(before) || SIGN_AFTER.test(text.slice(index + digits.length));
			const isNamed = NAMES_AMOUNT.test(labelOf(lines, line, index));
			const isAmount = hasSign || isNamed || isLargest(lines, height);
			return isAmount ? [amountOf(digits, { hasSign, isNamed })] : [];
		}),
	);
}

/** @param amount minor units */
export function amountIn(lines: readonly TextLine[], amount: AnyMinor): AmountFinding {
	const amounts = amountsIn(lines);
	if (amounts.some(({ minor }) => minor === amount)) return 'FOUND';
	return amounts.some(({ or }) => or === amount) ? 'AMBIGUOUS' : 'NOT_FOUND';
}
