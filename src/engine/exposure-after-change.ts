/** What a position may lose once the change of its market's bets that is under way has reached it: see change-bets.ts. */
import type { BetTable } from '#engine/bets.ts';
import type { Market } from '#engine/market.ts';
import { priceNow } from '#engine/market-types/reduced-price.ts';
import type { PositionTable } from '#engine/positions.ts';
import { NONE } from '#engine/rows.ts';
import { addMatched, addUnmatched, copyOf, exposureMinor } from '#values/exposure.ts';
import type { AnyMinor } from '#values/money.ts';

interface Tables {
	bets: BetTable;
	positions: PositionTable;
}

/**
 * Minor units. Lays that the change cuts count as they are, so it may be more than the position comes to.
 * @param position its row, which the change of a runner has not reached
 */
export function exposureAfterChange({ bets, positions }: Tables, market: Market, position: number): AnyMinor {
	const change = market.changing?.change;
	const figures = { ...copyOf(positions.figures(position)), out: market.outOfRace };
	if (change?.kind !== 'RUNNER') return exposureMinor(figures);
	for (let bet = positions.lastBet(position); bet !== NONE; bet = bets.before(bet)) {
		const [runner, side, matched, value] = [
			bets.runner(bet),
			bets.side(bet),
			bets.matched(bet),
			bets.matchedValue(bet),
		];
		if (change.voids && runner === change.runner) {
			addMatched(figures, runner, side, -value, -matched);
			addUnmatched(figures, runner, side, bets.price(bet), -bets.remaining(bet));
		} else if (market.terms.reducible && matched > 0) {
			const fills = market.fills.get(bets.id(bet)) ?? [];
			const reduced = fills.reduce((sum, fill) => sum + fill.stake * priceNow(market.removals, market.terms, fill), 0);
			addMatched(figures, runner, side, reduced - value, 0);
		}
	}
	return exposureMinor(figures);
}
