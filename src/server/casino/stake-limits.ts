/** What the house takes and pays at most, whatever the game. */
import { compare, NONE } from '#games/fraction.ts';
import { type Bet, payoutOf } from '#games/game.ts';
import { Refused } from '#values/error-catalogue.ts';
import {
	LARGEST_PAYOUT_PAISE,
	LARGEST_STAKE_PAISE,
	LEAST_STAKE_PAISE,
	STAKE_STEP_PAISE,
} from '#values/house-limits.ts';
import type { AnyPaise } from '#values/money.ts';

/** @throws Refused INVALID_STAKE, STAKE_TOO_SMALL, STAKE_TOO_LARGE */
export function checkStake(stake: AnyPaise): void {
	if (stake % STAKE_STEP_PAISE !== 0) throw new Refused('INVALID_STAKE', {}, 'Stakes are whole rupees.');
	if (stake < LEAST_STAKE_PAISE)
		throw new Refused('STAKE_TOO_SMALL', { least: LEAST_STAKE_PAISE / 100 }, 'The smallest stake is ₹10.');
	if (stake > LARGEST_STAKE_PAISE)
		throw new Refused('STAKE_TOO_LARGE', { most: LARGEST_STAKE_PAISE / 100 }, 'The largest stake is ₹1,00,000.');
}

/** @throws Refused WIN_TOO_LARGE */
export function checkLargestPrize({ prizes }: Bet, stake: AnyPaise): void {
	const [largest = NONE] = prizes.map(({ pays }) => pays).sort((one, other) => compare(other, one));
	refuseAbove(payoutOf(stake, largest));
}

/** @throws Refused WIN_TOO_LARGE */
export function refuseAbove(payout: AnyPaise): void {
	if (payout > LARGEST_PAYOUT_PAISE) throw new Refused('WIN_TOO_LARGE', { most: LARGEST_PAYOUT_PAISE / 100 });
}
