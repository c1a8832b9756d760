/** Amounts that players type, in the currency of the page's brand. */
import { MINOR_PER_MAJOR, type Minor } from '#values/money.ts';
import { readAmount as readIn } from '#values/read-amount.ts';
import { CURRENCY, HAS_PARTS } from '#web/currency.ts';

type Read = ReturnType<typeof readIn>;

const isWhole = (amount: Minor): boolean => amount % MINOR_PER_MAJOR === 0;

/** A part of a coin is no amount, and nothing is asked about one. */
export function readAmount(text: string): Read {
	const read = readIn(text, CURRENCY);
	if (HAS_PARTS) return read;
	const hasParts =
		(read.kind === 'AMOUNT' && !isWhole(read.amount)) || (read.kind === 'AMBIGUOUS' && !isWhole(read.either));
	return hasParts ? { kind: 'NONE' } : read;
}

/** The amount; null for an invalid, empty or ambiguous one. */
export function amountFromText(text: string): Minor | null {
	const read = readAmount(text);
	return read.kind === 'AMOUNT' ? read.amount : null;
}

/** Whole units; where a coin has no parts whole hundreds, of which every price wins whole coins. */
const ROUND = HAS_PARTS ? MINOR_PER_MAJOR : 100 * MINOR_PER_MAJOR;

/** The largest round stake up to an amount, minor units: a press offers round ones, others are typed. */
export const stakeUpTo = (amount: number): number => Math.floor(amount / ROUND) * ROUND;
