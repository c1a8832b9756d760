/** What a field for an amount says of what is typed: it reads as players' fields do. Its currency is the brand's. */
import { amount } from '#console/parts/format.ts';
import { type Minor, majorFromMinor } from '#values/money.ts';
import { readAmount } from '#values/read-amount.ts';

const shown = (minor: Minor): string => amount(majorFromMinor(minor));

/** What is wrong with a text that has to be an amount, as a sentence; null where nothing is. */
export function amountProblem(text: string): string | null {
	const read = readAmount(text);
	if (read.kind === 'AMBIGUOUS') return `Do you mean ${shown(read.either)} or ${shown(read.or)}?`;
	return read.kind === 'NONE' ? 'This is no amount, such as 1,000 or 2.5L.' : null;
}

/** The amount as it was understood, or what is wrong. */
export function amountSaid(text: string): string {
	const read = readAmount(text);
	return read.kind === 'AMOUNT' ? shown(read.amount) : (amountProblem(text) ?? '');
}

/** @returns major units; undefined while the text is no amount, or can be two */
export function majorFromText(text: string): number | undefined {
	const read = readAmount(text);
	return read.kind === 'AMOUNT' ? majorFromMinor(read.amount) : undefined;
}

/** A limit as a field begins with it; empty for none. */
export const typedLimit = (major: number): string =>
	major === 0 ? '' : Number.isInteger(major) ? String(major) : major.toFixed(2);
