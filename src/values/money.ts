/**
 * Money throughout the project: integer minor units, never a fraction. Amounts on the wire are JSON numbers in
 * major units with at most two decimals.
 */
import type { Any, Checked } from '#values/kinds.ts';

/** Integer minor units; may be negative where a profit or a posting is meant. */
export type Minor = Checked<'minor'>;
/** Minor units in the engine and on the server, where most amounts are sums or come from tables. */
export type AnyMinor = Any<'minor'>;

/** The largest single amount that a request may name: ₹1,00,00,000 (10^9 minor units). Keeps stake × price far inside the safe integers. */
export const MAX_AMOUNT_MINOR = 1_000_000_000 as Minor;

export const ZERO = 0 as Minor;

/** Settings of brands, and what people write, are in major units. */
export const MINOR_PER_MAJOR = 100;

/** Brands an integer as minor units; throws on anything else, because a fraction here is a broken invariant. */
export function minorOf(units: number): Minor {
	if (!Number.isSafeInteger(units)) throw new Error(`not a whole number of minor units: ${units}`);
	return units as Minor;
}

/** Major units (1500.5) to minor units, or null when there are more than two decimals or the number is not finite. */
export function minorFromMajor(major: number): Minor | null {
	if (!Number.isFinite(major) || Math.abs(major) > MAX_AMOUNT_MINOR) return null;
	const units = Math.round(major * 100);
	return units / 100 === major ? (units as Minor) : null;
}

/** Minor units to the major units of the wire: 150050 → 1500.5. */
export function majorFromMinor(amount: AnyMinor): number {
	return amount / 100;
}
