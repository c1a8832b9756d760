/** The bets that take part in the auction of a market's starting prices. */
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { BACK } from '#values/sides.ts';
import type { BackAtStart, LayAtStart } from '#values/starting-price.ts';

export interface RunnerBids {
	runner: number;
	/** Of all its bids, by id. */
	rows: number[];
	backs: BackAtStart[];
	lays: LayAtStart[];
}

/** By runner, of those that take bets; a suspended one has no starting price. */
export function bidsOf(state: EngineState, market: Market, side: PoolSide): RunnerBids[] {
	const { bets } = state;
	const runners = Array.from(
		{ length: market.terms.runners },
		(_, runner): RunnerBids => ({
			runner,
			rows: [],
			backs: [],
			lays: [],
		}),
	);
	for (const bet of state.betsOf(side)) {
		const remaining = bets.remaining(bet);
		const bids = runners[bets.runner(bet)] as RunnerBids;
		if (remaining === 0 || !bets.isAtStart(bet) || market.suspended.has(bids.runner)) continue;
		bids.rows.push(bet);
		const betId = bets.id(bet);
		const tick = bets.isOnClose(bet) ? bets.tick(bet) : -1;
		const limit = tick < 0 ? null : market.ladder.priceAt(tick);
		if (bets.side(bet) === BACK) bids.backs.push({ betId, limit, stake: remaining });
		else bids.lays.push({ betId, limit, liability: Math.floor((remaining * (bets.price(bet) - 100)) / 100) });
	}
	return runners;
}
