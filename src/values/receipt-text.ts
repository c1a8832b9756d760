/**
 * Finds references and amounts in the text of a receipt. OCR often reads the rupee sign as a digit (₹1,000 becomes
 * 31,000), so an amount is only confirmed, never proposed.
 */
import type { AnyPaise } from '#values/money.ts';

export type AmountFinding = 'FOUND' | 'AMBIGUOUS' | 'NOT_FOUND';

/** References of UPI payments: twelve digits that stand alone. */
const UTR = /(?<!\d)\d{12}(?!\d)/g;
const NUMBER = /\d[\d,]*(?:\.\d{1,2})?/g;

/** The only twelve digits on it; null when there are none, or several. */
export function utrIn(text: string): string | null {
	const found = new Set(text.match(UTR) ?? []);
	const [only] = found;
	return found.size === 1 && only ? only : null;
}

export const hasUtr = (text: string, utr: string): boolean =>
	text.replaceAll(/[\s-]/g, '').toUpperCase().includes(utr.toUpperCase());

/** @param amount paise */
export function amountIn(text: string, amount: AnyPaise): AmountFinding {
	const asked = amount / 100;
	const numbers = (text.match(NUMBER) ?? []).map((number) => number.replaceAll(',', ''));
	if (numbers.some((number) => Number(number) === asked)) return 'FOUND';
	return numbers.some((number) => number.length > 1 && Number(number.slice(1)) === asked) ? 'AMBIGUOUS' : 'NOT_FOUND';
}
