/** Round stakes, as the slip offers them at a press; others are typed. */
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { HAS_PARTS } from '#web/currency.ts';

/** Whole units; where a coin has no parts whole hundreds, of which every price wins whole coins. */
const ROUND = HAS_PARTS ? MINOR_PER_MAJOR : 100 * MINOR_PER_MAJOR;

/** The largest round stake up to an amount, minor units. */
export const stakeUpTo = (amount: number): number => Math.floor(amount / ROUND) * ROUND;
