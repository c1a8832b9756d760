/** The limits of the house's own games in a currency. */
import { CURRENCY_TERMS, leastStakeIn, limitIn } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import {
	LARGEST_PAYOUT_MINOR,
	LARGEST_STAKE_MINOR,
	LEAST_STAKE_MINOR,
	STAKE_STEP_MINOR,
} from '#values/house-limits.ts';

/** Minor units. */
interface CasinoLimits {
	/** Stakes are multiples of a hundred coins: payouts are rounded down to one, which would lower the return of smaller ones. */
	stakeStep: number;
	leastStake: number;
	/** Of a player in a round. */
	mostStake: number;
	mostPayout: number;
}

export function casinoLimits(currency: Currency): CasinoLimits {
	const stakeStep = STAKE_STEP_MINOR * CURRENCY_TERMS[currency].step;
	return {
		stakeStep,
		leastStake: Math.max(stakeStep, leastStakeIn(currency, LEAST_STAKE_MINOR)),
		mostStake: limitIn(currency, LARGEST_STAKE_MINOR),
		mostPayout: limitIn(currency, LARGEST_PAYOUT_MINOR),
	};
}
