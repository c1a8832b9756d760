/**
 * The house's limits on stakes and payouts, the same for every game. A player's stakes in one round count together,
 * across bets and requests.
 */
import { add, NONE } from '#games/fraction.ts';
import { type BetTerms, payoutOf } from '#games/game.ts';
import { Refused } from '#values/error-catalogue.ts';
import {
	LARGEST_PAYOUT_MINOR,
	LARGEST_STAKE_MINOR,
	LEAST_STAKE_MINOR,
	STAKE_STEP_MINOR,
} from '#values/house-limits.ts';
import type { AnyMinor } from '#values/money.ts';

/** A single bet. @throws Refused INVALID_STAKE, STAKE_TOO_SMALL, STAKE_TOO_LARGE */
export function checkStake(stake: AnyMinor): void {
	if (stake % STAKE_STEP_MINOR !== 0) throw new Refused('INVALID_STAKE', {}, 'Stakes are whole rupees.');
	if (stake < LEAST_STAKE_MINOR)
		throw new Refused('STAKE_TOO_SMALL', { least: LEAST_STAKE_MINOR / 100 }, 'The smallest stake is ₹10.');
	checkStakes(stake);
}

/** @param together the sum of the player's stakes in a round @throws Refused STAKE_TOO_LARGE */
export function checkStakes(together: AnyMinor): void {
	if (together > LARGEST_STAKE_MINOR)
		throw new Refused(
			'STAKE_TOO_LARGE',
			{ most: LARGEST_STAKE_MINOR / 100 },
			'The largest stake of a round is ₹1,00,000.',
		);
}

/** @param together the largest total payout to a player in a round @throws Refused WIN_TOO_LARGE */
export function refuseAbove(together: AnyMinor): void {
	if (together > LARGEST_PAYOUT_MINOR) throw new Refused('WIN_TOO_LARGE', { most: LARGEST_PAYOUT_MINOR / 100 });
}

/** Minor units: the largest payout of a bet. */
export function largestPayout({ prizes }: BetTerms, stake: AnyMinor): AnyMinor {
	return prizes.reduce((most, { pays }) => Math.max(most, payoutOf(stake, pays)), 0);
}

/** Minor units: the payout of a bet under every result. */
export function leastPayout({ prizes }: BetTerms, stake: AnyMinor): AnyMinor {
	const chance = prizes.reduce((sum, prize) => add(sum, prize.chance), NONE);
	if (chance.numerator < chance.denominator) return 0;
	return Math.min(...prizes.map(({ pays }) => payoutOf(stake, pays)));
}
