/** Ends triggers: what they hold is released, or their bet takes it over. */

import type { Effects, LapseReason, TriggerEnd, TriggerView } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import { countOut, remainingOf } from '#engine/triggers/count-trigger.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyPrice, Ladder } from '#values/price-ladder.ts';

/** A trigger as it stands. */
export function viewOf(trigger: Trigger, ladder: Ladder): TriggerView {
	const { terms, place, at, best, turn, dueAtMs, betId, exitId, closed } = trigger;
	const priceOf = (tick: number): AnyPrice | null => {
		const isOnLadder = Number.isFinite(tick) && tick * turn >= 0 && tick * turn < ladder.tickCount;
		return isOnLadder ? ladder.priceAt(tick * turn) : null;
	};
	const { pool, placedAtMs } = place;
	const status = dueAtMs === null ? 'WAITING' : 'DUE';
	return {
		...terms,
		pool,
		placedAtMs,
		status,
		reason: null,
		betId,
		...(terms.plan == null ? {} : { exitId, closed }),
		at: priceOf(at),
		best: priceOf(best),
		dueAtMs,
	};
}

/** Ends a trigger; the bets of a plan stay. The caller updates what is held for its position. */
export function endTrigger(state: EngineState, trigger: Trigger, end: TriggerEnd, effects: Effects): void {
	const view = viewOf(trigger, state.books.ladder(trigger.place.book));
	countOut(state, trigger);
	state.triggers.forget(trigger);
	effects.triggerChanged({ ...view, ...end, betId: end.betId ?? view.betId });
}

/** Cancels what is unmatched of the bets of a plan. The caller updates what is held for its position. */
export function cancelBetsOf(state: EngineState, { betId, exitId }: Trigger, effects: Effects): void {
	for (const id of [betId, exitId]) cancelRest(state, id, effects);
}

/** Cancels what is unmatched of a bet that may be forgotten. The caller updates the held money. */
export function cancelRest(state: EngineState, betId: BetId | null, effects: Effects): void {
	const remaining = remainingOf(state, betId);
	if (betId === null || remaining === 0) return;
	const bet = state.bets.find(betId);
	const market = state.positions.marketOf(state.bets.position(bet));
	effects.betCancelled(betId, remaining);
	state.cancelRemaining(market, bet, remaining);
}

function endAll(
	state: EngineState,
	market: Market,
	triggers: readonly Trigger[],
	end: TriggerEnd,
	effects: Effects,
): void {
	for (const trigger of triggers) endTrigger(state, trigger, end, effects);
	for (const position of new Set(triggers.map(({ place }) => place.position))) state.hold(market, position, effects);
}

/** Lapses the triggers of a market. @param unlessPersistent those that persist stay */
export function lapseTriggers(
	state: EngineState,
	market: Market,
	{ reason, unlessPersistent = false }: { reason: LapseReason; unlessPersistent?: boolean },
	effects: Effects,
): void {
	if (!state.triggers.isWatched(market.marketId)) return;
	const triggers = state.triggers.ofMarket(market.marketId).filter(({ terms }) => !(unlessPersistent && terms.persist));
	endAll(state, market, triggers, { status: 'LAPSED', reason, betId: null }, effects);
}

/** Ends the triggers of a wallet, in one market or in all. */
export function endTriggersOf(
	state: EngineState,
	{ walletId, marketId }: { walletId: WalletId; marketId?: MarketId | undefined },
	end: TriggerEnd,
	effects: Effects,
): void {
	if (state.triggers.countOfWallet(walletId) === 0) return;
	const own = state.triggers
		.ofWallet(walletId)
		.filter(({ terms }) => marketId === undefined || terms.marketId === marketId);
	for (const ofMarket of new Set(own.map(({ terms }) => terms.marketId))) {
		const market = state.markets.get(ofMarket);
		if (!market) throw new Error(`triggers of market ${ofMarket} have outlived it`);
		endAll(
			state,
			market,
			own.filter(({ terms }) => terms.marketId === ofMarket),
			end,
			effects,
		);
	}
}

export const CANCELLED: TriggerEnd = { status: 'CANCELLED', reason: null, betId: null };
