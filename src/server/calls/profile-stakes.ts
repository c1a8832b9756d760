/** What the profile of a brand's jurisdiction says about stakes, checked where they are ordered. */
import type { BrandRules } from '#contract/brand-rules.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

/** A bet in minor units: its stake, its largest loss, and its win at the asked price; and what its market takes of winnings. */
export interface AskedBet {
	stake: AnyMinor;
	risk: AnyMinor;
	win: AnyMinor;
	commissionBp: number;
}

/** @throws Refused STAKE_STEP, LARGEST_WIN, COMMISSION_TOO_HIGH */
export function checkBet(
	{ stake, win, commissionBp }: AskedBet,
	{ stakeStep, largestWin, largestCommissionBp }: BrandRules,
): void {
	if (stakeStep !== null && stake % stakeStep !== 0)
		throw new Refused('STAKE_STEP', { step: majorFromMinor(stakeStep) });
	if (largestWin !== null && win > largestWin) throw new Refused('LARGEST_WIN', { most: majorFromMinor(largestWin) });
	if (largestCommissionBp !== null && commissionBp > largestCommissionBp)
		throw new Refused('COMMISSION_TOO_HIGH', { most: largestCommissionBp / 100 });
}

/** @param openGames those in which the player has an open round. @throws Refused ROUND_OPEN */
export function checkGame(game: string, openGames: ReadonlySet<string>, { oneGameAtATime }: BrandRules): void {
	if (!oneGameAtATime) return;
	const other = [...openGames].find((open) => open !== game);
	if (other !== undefined) throw new Refused('ROUND_OPEN', { game: other });
}

/**
 * The largest stake of a slot game's round for a player of that age, in minor units; null for none.
 * @param age which the player has at least; null where it is not known: the least stake of all ages holds
 */
export function largestSlotStake({ largestSlotStakes }: BrandRules, age: number | null): AnyMinor | null {
	if (largestSlotStakes === null) return null;
	const held = largestSlotStakes.findLast(({ fromAge }) => age !== null && fromAge <= age);
	return (held ?? largestSlotStakes[0])?.stake ?? null;
}
