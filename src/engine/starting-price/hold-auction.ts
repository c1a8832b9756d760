/**
 * The auction of the starting prices, at the turn in-play: the bets on close of each runner, and what is unmatched of bets
 * that take the starting price, are matched with one another at one price. What finds no other side lapses. It is one command
 * whatever the market's size, so the number of its bets is limited: src/kernel/at-start.ts.
 * Source: the service's documentation of its starting price; src/values/starting-price.ts finds the price.
 */
import type { Effects } from '#engine/effect.ts';
import { keepFill } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, RunnerStartingPrice } from '#engine/market.ts';
import { bidsOf, type RunnerBids } from '#engine/starting-price/bids.ts';
import { stepOf } from '#values/pools.ts';
import { type Allotment, allot, stakeAt, startingPrice } from '#values/starting-price.ts';

/** Finds the price of every runner, and matches at it. The market keeps the prices. */
export function holdAuction(state: EngineState, market: Market, effects: Effects): void {
	if (!market.awaitsAuction) return;
	const prices: RunnerStartingPrice[] = [];
	const touched = new Set<number>();
	for (const side of market.sides) {
		for (const bids of bidsOf(state, market, side)) {
			const price = sell(state, market, bids, stepOf(side.pool), effects);
			if (price !== null) prices.push({ pool: side.pool, runner: bids.runner, ...price });
			for (const bet of bids.rows) touched.add(state.bets.position(bet));
			for (const bet of bids.rows) state.lapseRest(market, bet, 'NOT_FILLED', effects);
		}
	}
	market.startingPrices = prices;
	for (const position of touched) state.hold(market, position, effects);
}

/** Matches the bids of a runner. @param step minor units of the pool's smallest coin. @returns its price and what was matched; null where there is none */
function sell(
	state: EngineState,
	market: Market,
	bids: RunnerBids,
	step: number,
	effects: Effects,
): { price: number; matched: number } | null {
	const found = startingPrice(bids.backs, bids.lays, step);
	if (!found) return null;
	const { price } = found;
	const allotted = allot(found, bids.backs, bids.lays, step);
	const liabilities = new Map(bids.lays.map(({ betId, liability }) => [betId, liability]));
	for (const { betId } of allotted.backs) enter(state, { betId, price, stake: null }, effects);
	for (const { betId } of allotted.lays) {
		const stake = stakeAt(liabilities.get(betId) as number, price, step);
		enter(state, { betId, price, stake }, effects);
	}
	pair(state, market, { price, runner: bids.runner, ...allotted }, effects);
	return found;
}

/** From here on the bet asks the starting price. @param stake null for what it has left */
function enter(
	{ bets, kernel }: EngineState,
	{ betId, price, stake }: { betId: number; price: number; stake: number | null },
	effects: Effects,
): void {
	const bet = bets.find(betId);
	const asked = stake ?? bets.remaining(bet);
	kernel.call.enterAuction(bet, price, asked);
	effects.betEnteredAuction(betId, price, asked);
}

/** Backs meet lays in the order of their allotments; the younger bet of two is the taker. */
function pair(
	state: EngineState,
	market: Market,
	{ price, runner, backs, lays }: { price: number; runner: number; backs: Allotment[]; lays: Allotment[] },
	effects: Effects,
): void {
	const { bets, kernel } = state;
	const left = lays.map(({ betId, stake }) => ({ betId, stake }));
	let at = 0;
	for (const back of backs) {
		for (let open = back.stake; open > 0; ) {
			const lay = left[at] as Allotment;
			const stake = Math.min(open, lay.stake);
			kernel.call.matchAtStart(bets.find(back.betId), bets.find(lay.betId), stake);
			const [maker, taker] = back.betId < lay.betId ? [back.betId, lay.betId] : [lay.betId, back.betId];
			if (market.keepsFills) for (const betId of [taker, maker]) keepFill(market, betId, stake, price);
			effects.betMatchedAtStart({
				taker,
				maker,
				marketId: market.marketId,
				runner,
				price,
				stake,
				isBack: taker === back.betId,
			});
			open -= stake;
			lay.stake -= stake;
			if (lay.stake === 0) at++;
		}
	}
}
