/**
 * Money throughout the project: integer minor units (paise), never a fraction. Amounts on the wire are JSON numbers in
 * major units with at most two decimals.
 */
import type { Any, Checked } from '#values/kinds.ts';

/** Integer minor units; may be negative where a profit or a posting is meant. */
export type Paise = Checked<'paise'>;
/** Paise in the engine and on the server, where most amounts are sums or come from tables. */
export type AnyPaise = Any<'paise'>;

/** The largest single amount that a request may name: ₹1,00,00,000 (10^9 paise). Keeps stake × price far inside the safe integers. */
export const MAX_AMOUNT_PAISE = 1_000_000_000 as Paise;

export const ZERO = 0 as Paise;

/** Paise in a rupee; settings of brands are in rupees. */
export const PAISE = 100;

/** Brands an integer as paise; throws on anything else, because a fraction here is a broken invariant. */
export function paiseOf(units: number): Paise {
	if (!Number.isSafeInteger(units)) throw new Error(`not a whole number of paise: ${units}`);
	return units as Paise;
}

/** Major units (1500.5) to paise, or null when there are more than two decimals or the number is not finite. */
export function paiseFromMajor(major: number): Paise | null {
	if (!Number.isFinite(major) || Math.abs(major) > MAX_AMOUNT_PAISE) return null;
	const units = Math.round(major * 100);
	return units / 100 === major ? (units as Paise) : null;
}

/** Paise to the major units of the wire: 150050 → 1500.5. */
export function majorFromPaise(amount: AnyPaise): number {
	return amount / 100;
}
