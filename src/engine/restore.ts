/** Rebuilds markets and bets from what the tables hold. */

import type { BetFill } from '#engine/bet-detail.ts';
import type { TriggerView } from '#engine/effect.ts';
import type { MarketView } from '#engine/engine.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { joinGroup } from '#engine/guard-groups.ts';
import { limitVolume } from '#engine/limit-volume.ts';
import type { Market } from '#engine/market.ts';
import { writeRequest } from '#engine/requests.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import { NONE } from '#engine/rows.ts';
import { countIn } from '#engine/triggers/count-trigger.ts';
import { betOf } from '#engine/triggers/place-trigger.ts';
import { Trigger } from '#engine/triggers/trigger.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

export function restoreMarket(
	state: EngineState,
	restored: MarketView,
	lastTraded: { pool: Pool; runner: number; lastPriceTraded: AnyPrice | null; totalMatched: AnyMinor }[],
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
		settlingSinceMs,
		roundingLeft,
		reversing,
		changing,
		startingPrices,
		suspended,
		heldRunners,
		removed: _,
		removals,
		...terms
	} = restored;
	const market = state.addMarket(marketId, terms);
	market.status = status;
	market.inPlay = inPlay;
	market.startingPrices = startingPrices;
	market.version = version;
	market.results = results;
	market.placesPaid = placesPaid;
	market.mayBeShort = mayBeShort;
	market.heldByOperator = heldByOperator;
	market.nextStep = nextStep;
	market.settlingSinceMs = settlingSinceMs;
	market.rounding.left = roundingLeft;
	market.reversing = reversing;
	market.changing = changing && { ...changing };
	if (status === 'SETTLING') state.settling.add(market);
	if (changing) state.changing.add(market);
	for (const runner of suspended) market.suspend(runner);
	for (const runner of heldRunners) market.hold(runner);
	market.restoreRemovals(removals);
	for (const { pool, runner, lastPriceTraded, totalMatched } of lastTraded) {
		const side = market.side(pool);
		if (!side) throw new Error(`no book ${runner} in market ${restored.marketId}`);
		state.books.recordTrade(side.firstBook + runner, lastPriceTraded ?? 0, totalMatched);
	}
	if (!market.paid) return;
	for (const side of market.sides) state.books.close(side.firstBook, terms.runners);
	state.freeArena(market);
}

/** Bets arrive by id, and each finds its place in the queue by when it reached the book. */
export function restoreBet(state: EngineState, restored: RestoredBet): void {
	const { bets } = state;
	const market = state.markets.get(restored.marketId);
	const { wallets } = state.accounts;
	const wallet = wallets.find(restored.walletId);
	if (!market || wallet === NONE || !market.side(wallets.pool(wallet)))
		throw new Error(`bet ${restored.betId} without its market or wallet`);
	const { betId, matched, matchedValue, remaining, fills, queuedAfter, delay } = restored;
	if (queuedAfter != null) market.queuedAfter.set(betId, queuedAfter);
	const { call } = state.kernel;
	writeRequest(state.kernel, restored);
	const bet = call.restoreBet(matched, matchedValue, remaining, delay ? 1 : 0);
	const position = bets.position(bet);
	if (market.shape.line) {
		for (const { stake, price } of fills ?? []) {
			call.addMatched(position, bets.runner(bet), bets.side(bet), stake * price, stake);
		}
	}
	call.restoreHeld(position);
	if (market.keepsFills && fills)
		market.fills.set(
			betId,
			fills.map((fill) => restoredFill(market, fill)),
		);
	if (delay) market.pending.set(betId, delay);
	if (restored.terms?.expiresAtMs != null) state.expiries.add(betId, restored.terms.expiresAtMs);
	if (restored.terms?.group != null && remaining > 0) joinGroup(state, betId, restored.terms.group, matched);
	if (restored.terms?.untilVolume != null) limitVolume(state, betId, restored.terms.untilVolume);
}

/** Triggers follow the bets. */
export function restoreTrigger(state: EngineState, restored: TriggerView): void {
	const { kernel } = state;
	const { pool, placedAtMs, dueAtMs, at, best, status: _, reason: __, betId, exitId, closed, ...terms } = restored;
	const market = state.markets.get(restored.marketId);
	const side = market?.side(pool);
	if (!market || !side) throw new Error(`trigger ${restored.triggerId} without its market`);
	const order = { side: terms.side, price: terms.price, stake: terms.whole ?? terms.stake };
	writeRequest(kernel, { ...betOf(terms, terms.triggerId), ...order });
	const position = kernel.call.restoreTrigger();
	const turn = terms.moves === 'FALLS' ? 1 : -1;
	const tickOf = (price: AnyPrice | null) =>
		price === null ? Number.NEGATIVE_INFINITY : market.ladder.tickOf(price) * turn;
	const bestTick = tickOf(best);
	// A trailing one may be reached beyond the end of the ladder, which is no price.
	const atTick = terms.trail === null ? tickOf(at) : bestTick - terms.trail;
	const place = { pool, position, book: side.firstBook + terms.runner, placedAtMs };
	const trigger = new Trigger(terms, place, { at: atTick, best: bestTick });
	trigger.dueAtMs = dueAtMs;
	trigger.betId = betId;
	trigger.exitId = exitId ?? null;
	trigger.closed = closed ?? 0;
	trigger.counted = [order];
	countIn(state, trigger);
	kernel.call.restoreHeld(position);
	state.triggers.add(trigger);
}

/** Fills of before they were counted against removals have the prices that the removals until then gave them. */
const restoredFill = (market: Market, fill: BetFill): BetFill =>
	market.terms.reducible && fill.after === undefined ? { ...fill, after: market.removals.length } : { ...fill };

/** After a removal the held money can be below the exposure: the postings say how much it is. */
export function restoreHeld(state: EngineState, walletId: WalletId, marketId: MarketId, held: AnyMinor): void {
	const market = state.markets.get(marketId);
	const wallet = state.accounts.wallets.find(walletId);
	const position = market && wallet !== NONE ? state.positions.find(market, wallet) : NONE;
	if (position === NONE) throw new Error(`wallet ${walletId} holds ${held} for market ${marketId} without a bet`);
	if (held < state.positions.held(position)) state.shortPositions.note(position);
	state.positions.setHeld(position, held);
	state.positions.touch(position);
}

/** The decided bets of a wallet that is settled in part are not in memory; its others are restored already. */
export function restoreDecided(state: EngineState, walletId: WalletId, marketId: MarketId, exact: bigint): void {
	const market = state.markets.get(marketId);
	const wallet = state.accounts.wallets.find(walletId);
	const position = market && wallet !== NONE ? state.positions.find(market, wallet) : NONE;
	if (!market || position === NONE)
		throw new Error(`wallet ${walletId} is settled in part in market ${marketId} without a bet`);
	market.decided.set(walletId, exact);
	state.positions.touch(position);
}
