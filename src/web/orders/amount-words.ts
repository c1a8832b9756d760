/** A field's answer to a typed amount: the parsed amount, or the question about an ambiguous one. */

import { formatMoney } from '#web/format.ts';
import { AMOUNT_WORDS } from '#web/texts/more.ts';
import { readAmount } from '#web/typed-amount.ts';

/** Needs no confirmation: up to three plain figures. */
const PLAIN = /^\d{1,3}(?:\.\d{1,2})?$/;

/** "₹1,00,000"; empty without an amount, and for one that needs no confirmation. */
export function understoodWords(text: string): string {
	if (PLAIN.test(text)) return '';
	const read = readAmount(text);
	return read.kind === 'AMOUNT' ? formatMoney(read.amount) : '';
}

/** The text beside a field: the parsed amount, or the question. */
export const saidWords = (text: string): string => askedWords(text) ?? understoodWords(text);

/** The question that an amount with two readings leaves; null for all others. */
export function askedWords(text: string): string | null {
	const read = readAmount(text);
	return read.kind === 'AMBIGUOUS' ? AMOUNT_WORDS.either(formatMoney(read.either), formatMoney(read.or)) : null;
}
