/** Rebuilds markets and bets from what the tables hold. */
import type { MarketView, RestoredBet } from '#engine/engine.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { NONE } from '#engine/rows.ts';
import { addMatched, addUnmatched, exposurePaise } from '#values/exposure.ts';
import type { Pool } from '#values/pools.ts';

export function restoreMarket(
	state: EngineState,
	restored: MarketView,
	lastTraded: { pool: Pool; runner: number; lastPriceTraded: number | null; totalMatched: number }[],
): void {
	const {
		marketId,
		status,
		inPlay,
		version,
		results,
		placesPaid,
		mayBeShort,
		heldByOperator,
		nextStep,
		suspended,
		removed,
		...terms
	} = restored;
	const market = state.addMarket(marketId, terms);
	market.status = status;
	market.inPlay = inPlay;
	market.version = version;
	market.results = results;
	market.placesPaid = placesPaid;
	market.mayBeShort = mayBeShort;
	market.heldByOperator = heldByOperator;
	market.nextStep = nextStep;
	for (const runner of suspended) market.suspend(runner);
	for (const [runner, reductionBp] of removed) market.takeOut(runner, reductionBp);
	for (const { pool, runner, lastPriceTraded, totalMatched } of lastTraded) {
		const side = market.side(pool);
		if (!side) throw new Error(`no book ${runner} in market ${restored.marketId}`);
		state.books.recordTrade(side.firstBook + runner, lastPriceTraded ?? 0, totalMatched);
	}
	if (!market.paid) return;
	for (const side of market.sides) state.books.close(side.firstBook, terms.runners);
	state.freeArena(market);
}

/** Bets come by their ids, and each finds its place in the queue by when it reached the book. */
export function restoreBet(state: EngineState, restored: RestoredBet): void {
	const { bets, positions } = state;
	const market = state.markets.get(restored.marketId);
	const { wallets } = state.accounts;
	const wallet = wallets.find(restored.walletId);
	const side = wallet === NONE ? undefined : market?.side(wallets.pool(wallet));
	if (!market || !side) throw new Error(`bet ${restored.betId} without its market or wallet`);
	const position = state.positionOf(market, side, wallet);
	const { runner, price, remaining, matched, matchedValue } = restored;
	const { betId, side: ofBet, stake, persist } = restored;
	const bet = bets.add(market.row, betId, position, runner, ofBet, price, market.ladder.tickOf(price), stake, persist);
	bets.setRemaining(bet, remaining);
	bets.setMatched(bet, matched);
	bets.setMatchedValue(bet, matchedValue);
	positions.link(position, bet);
	const figures = positions.figures(position);
	addUnmatched(figures, runner, restored.side, price, remaining);
	if (!market.shape.line) addMatched(figures, runner, ofBet, matchedValue, matched);
	else for (const fill of restored.fills ?? []) addMatched(figures, runner, ofBet, fill.stake * fill.price, fill.stake);
	// Only what the whole position needs counts; the last bet of a position leaves the final figure.
	positions.setHeld(position, exposurePaise(figures));
	if (market.keepsFills && restored.fills) market.fills.set(restored.betId, [...restored.fills]);
	if (restored.queuedAfter != null) market.queuedAfter.set(betId, restored.queuedAfter);
	if (restored.delay) {
		market.pending.set(restored.betId, restored.delay);
		bets.setPending(bet, true);
	} else if (remaining > 0) state.restByAge(side.firstBook + runner, bet);
}

/** After a removal less can be held than the exposure asks: then the postings say how much. */
export function restoreHeld(state: EngineState, walletId: number, marketId: number, held: number): void {
	const market = state.markets.get(marketId);
	const wallet = state.accounts.wallets.find(walletId);
	const position = market && wallet !== NONE ? state.positions.find(market, wallet) : NONE;
	if (position === NONE) throw new Error(`wallet ${walletId} holds ${held} for market ${marketId} without a bet`);
	state.positions.setHeld(position, held);
	state.positions.touch(position);
}
