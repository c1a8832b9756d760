/** What non-runners made of the matched part of a bet, from its fills and the removals of its market. */
import type * as v from 'valibot';
import type { Reduction } from '#contract/calls/bet.ts';
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { averagePrice } from '#values/liability.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

type RemovalsOf = Pick<MarketView, 'removals' | 'minReductionBp' | 'reduces'>;

/** Of a bet without a reduced fill nothing, so that its view has no field. */
export function reductionView(
	{ matched, fills }: Pick<BetRecord, 'matched' | 'fills'>,
	listing: Pick<MarketListing, 'runners'> | null,
	market: RemovalsOf | null,
): { reduction?: v.InferOutput<typeof Reduction> } {
	const reduced = (fills ?? []).filter(({ price, matchedAt = price }) => matchedAt !== price);
	if (reduced.length === 0 || !market) return {};
	const value = (fills ?? []).reduce((sum, { stake, price, matchedAt = price }) => sum + stake * matchedAt, 0);
	const average = averagePrice(matched, value);
	if (average === null) return {};
	const { removals, minReductionBp, reduces } = market;
	const first = Math.min(...reduced.map(({ after = removals.length }) => after));
	return {
		reduction: {
			unreducedPrice: decimalFromPrice(average),
			reduces,
			// One that was returned has no factor any more.
			nonRunners: removals
				.slice(first)
				.filter(({ reductionBp }) => reductionBp > 0 && reductionBp >= minReductionBp)
				.map(({ runner, reductionBp }) => ({
					runnerName: listing?.runners[runner]?.name ?? '',
					percent: reductionBp / 100,
				})),
		},
	};
}
