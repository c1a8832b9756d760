/**
 * What a removal makes of a matched price, worked out from the market's records alone: the engine reprices bets by it,
 * and a preview of a correction shows the same.
 * Source: exchange rules, "Removal, dead heat, voiding".
 */

import type { BetFill, RunnerRemoval } from '#engine/bet-detail.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import { type AnyPrice, type Ladder, MIN_PRICE } from '#values/price-ladder.ts';

export const WHOLE_BP = 10_000;
/** The part of a price that is the stake, hundredths. */
const STAKE_PART = { PRICE: 0, WINNINGS: 100 };

type Reduces = MarketTerms['reduces'];

/** A reduced price before rounding, times 10,000. */
function reducedExact(price: AnyPrice, reductionBp: number, reduces: Reduces): number {
	const kept = STAKE_PART[reduces];
	return kept * WHOLE_BP + (price - kept) * (WHOLE_BP - reductionBp);
}

/** A reduced matched price, to the nearest hundredth, an exact half up, never below 1.01. */
export function reducedPrice(price: AnyPrice, reductionBp: number, reduces: Reduces): number {
	const exact = reducedExact(price, reductionBp, reduces) + WHOLE_BP / 2;
	return Math.max(MIN_PRICE, (exact - (exact % WHOLE_BP)) / WHOLE_BP);
}

/** The ladder's price at or below a reduced asked price. */
export function cutPrice(ladder: Ladder, price: AnyPrice, reductionBp: number, reduces: Reduces): number {
	const exact = reducedExact(price, reductionBp, reduces);
	return ladder.nearest((exact - (exact % WHOLE_BP)) / WHOLE_BP).below ?? MIN_PRICE;
}

/** The price that a fill counts at after the removals that came after it. */
export function priceNow(
	removals: readonly RunnerRemoval[],
	{ minReductionBp, reduces }: Pick<MarketTerms, 'minReductionBp' | 'reduces'>,
	{ price, matchedAt = price, after = removals.length }: BetFill,
): number {
	return removals
		.slice(after)
		.filter(({ reductionBp }) => reductionBp >= minReductionBp)
		.reduce((reduced, { reductionBp }) => reducedPrice(reduced, reductionBp, reduces), matchedAt);
}

/** The ledger knows each of its fills, and which removals came after it; of bets from long ago it does not. */
export const isRepriceable = ({ matched, fills }: RestoredBet): boolean =>
	(fills ?? []).reduce((sum, { stake, after }) => sum + (after === undefined ? 0 : stake), 0) === matched;
