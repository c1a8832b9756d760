/**
 * Taxes on players' winnings and on what the house takes, as whole minor units. A jurisdiction's profile names the taxes
 * of a time with their rates; without a profile there is none.
 */
import type { AnyMinor } from '#values/money.ts';

/**
 * What a tax is counted from: the net winnings of a player, at each withdrawal and at the year's end; of a brand and a
 * month, its players' deposits, the commission, or the gross gaming revenue.
 */
export const TAX_BASES = ['NET_WINNINGS', 'DEPOSITS', 'COMMISSION', 'REVENUE'] as const;
export type TaxBase = (typeof TAX_BASES)[number];

export const TAX_NAMES = ['IN_194BA', 'IN_GST', 'IT_EXCHANGE', 'BR_GGR'] as const;

export interface Tax {
	name: (typeof TAX_NAMES)[number];
	base: TaxBase;
	/** Basis points: 3000 is 30 %. */
	rateBp: number;
}

const WHOLE_BP = 10_000n;

/**
 * To the nearest coin, a half upwards. A base of zero or less owes nothing, and a loss is not carried forward.
 * @param step minor units of the smallest coin
 */
export function taxOf(base: AnyMinor, rateBp: number, step = 1): AnyMinor {
	if (base <= 0) return 0;
	const unit = WHOLE_BP * BigInt(step);
	return Number((BigInt(base) * BigInt(rateBp) + unit / 2n) / unit) * step;
}

/** A player's account in a financial year. */
export interface AccountYear {
	/** What the player had when the year began. */
	opening: AnyMinor;
	/** What the player has at the end of the time. */
	closing: AnyMinor;
	/** Paid in, less chargebacks. What the house gave is no deposit, and so it is winnings. */
	deposited: AnyMinor;
	/** Asked for and not refused, the tax included. */
	withdrawn: AnyMinor;
	/** Net winnings from which tax was withheld. */
	taxed: AnyMinor;
}

/**
 * Net winnings in a withdrawal: A − (B + C + E), where A includes the withdrawal. Not more than the withdrawal: winnings
 * of earlier ones, from before the tax, stay untaxed until the year's end.
 * Source: Income-tax Rules of India, rule 133 (2) to (5).
 */
export function netWinningsIn(
	amount: AnyMinor,
	{ withdrawn, deposited, opening, taxed }: Omit<AccountYear, 'closing'>,
): AnyMinor {
	return Math.min(amount, Math.max(0, withdrawn + amount - deposited - opening - taxed));
}

/**
 * Net winnings of a year that were not taxed in it: (A + D) − (B + C + E).
 * Source: Income-tax Rules of India, rule 133 (6) and (7).
 */
export const netWinningsOf = ({ opening, closing, deposited, withdrawn, taxed }: AccountYear): AnyMinor =>
	Math.max(0, withdrawn + closing - deposited - opening - taxed);

/** India's financial year begins on 1 April. */
export const YEAR_BEGINS = '04-01';
