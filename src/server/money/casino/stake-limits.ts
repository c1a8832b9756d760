/**
 * The house's limits on stakes and payouts, the same for every game. A player's stakes in one round count together,
 * across bets and requests.
 */
import { add, NONE } from '#games/fraction.ts';
import { type BetTerms, payoutOf } from '#games/game.ts';
import { casinoLimits } from '#values/casino-limits.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';
import { moneyText } from '#values/money-text.ts';

/** A single bet. @throws Refused INVALID_STAKE, STAKE_TOO_SMALL, STAKE_TOO_LARGE */
export function checkStake(stake: AnyMinor, currency: Currency): void {
	const { stakeStep, leastStake } = casinoLimits(currency);
	if (stake % stakeStep !== 0)
		throw new Refused('INVALID_STAKE', {}, `Stakes are multiples of ${moneyText(currency, stakeStep)}.`);
	if (stake < leastStake)
		throw new Refused(
			'STAKE_TOO_SMALL',
			{ least: leastStake / 100 },
			`The smallest stake is ${moneyText(currency, leastStake)}.`,
		);
	checkStakes(stake, currency);
}

/** @param together the sum of the player's stakes in a round @throws Refused STAKE_TOO_LARGE */
export function checkStakes(together: AnyMinor, currency: Currency): void {
	const { mostStake } = casinoLimits(currency);
	if (together > mostStake)
		throw new Refused(
			'STAKE_TOO_LARGE',
			{ most: mostStake / 100 },
			`The largest stake of a round is ${moneyText(currency, mostStake)}.`,
		);
}

/** @param together the largest total payout to a player in a round @throws Refused WIN_TOO_LARGE */
export function refuseAbove(together: AnyMinor, currency: Currency): void {
	const { mostPayout } = casinoLimits(currency);
	if (together > mostPayout) throw new Refused('WIN_TOO_LARGE', { most: mostPayout / 100 });
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
