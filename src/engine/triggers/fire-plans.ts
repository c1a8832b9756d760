/** Lets plans that are due go on: places their next bet, or moves the one that they have. */

import { replaceBet } from '#engine/cancel-bet.ts';
import type { Effects, TriggerEnd } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { ORDERS, REFUSALS } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import type { EngineRefusal, Outcome, TriggeredBet } from '#engine/outcome.ts';
import { emitAccepted } from '#engine/place-bet.ts';
import { refusalOf, writeRequest } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import {
	coinsToClose,
	countAgain,
	countAs,
	countOut,
	followBracket,
	holdForPlans,
	ordersOfBracket,
	ordersOfPeg,
	remainingOf,
	stakeAtStop,
	valueOf,
} from '#engine/triggers/count-trigger.ts';
import { cancelBetsOf, cancelRest, endTrigger, viewOf } from '#engine/triggers/end-triggers.ts';
import { closingStake, isStopped, pegPrice } from '#engine/triggers/look-at-plans.ts';
import { betOf } from '#engine/triggers/place-trigger.ts';
import { exitsOf, otherSide } from '#engine/triggers/plan.ts';
import type { CountedOrder, Trigger } from '#engine/triggers/trigger.ts';
import type { BetId } from '#values/ids.ts';

/** The next bet of a plan, and when. */
interface Turn {
	betId: BetId;
	atMs: number;
}
/** What a plan came to: it goes on, with a bet of its turn or without one; or it ends. */
type Gone = { outcome: (Outcome & { ok: true }) | null; end?: TriggerEnd };

export function firePlan(state: EngineState, trigger: Trigger, turn: Turn, effects: Effects): TriggeredBet | null {
	const { position } = trigger.place;
	const market = state.positions.marketOf(position);
	const gone = goOn(state, market, trigger, turn, effects);
	if (typeof gone === 'string') {
		// It can follow its rule no more, so nothing of it stays in the book.
		cancelBetsOf(state, trigger, effects);
		endTrigger(state, trigger, { status: 'REFUSED', reason: gone, betId: trigger.betId }, effects);
	} else if (gone.end) endTrigger(state, trigger, gone.end, effects);
	else {
		state.triggers.wait(trigger);
		effects.triggerChanged(viewOf(trigger, market.ladder));
	}
	holdForPlans(state, market, position, effects);
	const outcome = typeof gone === 'string' ? null : gone.outcome;
	return outcome ? { betId: turn.betId, dueAtMs: outcome.dueAtMs ?? null } : null;
}

function goOn(
	state: EngineState,
	market: Market,
	trigger: Trigger,
	turn: Turn,
	effects: Effects,
): Gone | EngineRefusal {
	switch (trigger.terms.plan?.kind) {
		case 'ICEBERG':
			return showNext(state, trigger, turn, effects);
		case 'PEG':
			return followBest(state, trigger, turn, effects);
		case 'BRACKET':
			return trigger.betId === null
				? beginBracket(state, market, trigger, turn, effects)
				: closeBracket(state, market, trigger, turn, effects);
		default:
			throw new Error('a trigger without a plan does not go on');
	}
}

/** Places an order as a bet of a plan. @param flags of ORDERS @returns the code with which it is refused */
function place(
	state: EngineState,
	{ terms }: Trigger,
	order: CountedOrder,
	{ betId, atMs, flags = 0 }: Turn & { flags?: number },
	effects: Effects,
): EngineRefusal | (Outcome & { ok: true }) {
	const { kernel } = state;
	const bet = { ...betOf(terms, betId), ...order };
	writeRequest(kernel, bet, flags);
	const refusal = kernel.call.placeBet();
	if (refusal !== REFUSALS.ACCEPTED) return refusalOf(refusal);
	const outcome = emitAccepted(state, { ...bet, atMs }, order.price, effects);
	return outcome.ok ? outcome : outcome.code;
}

/** The next part of an iceberg, at the end of the queue of its price. What it holds is held on for its bet. */
function showNext(state: EngineState, trigger: Trigger, turn: Turn, effects: Effects): Gone | EngineRefusal {
	const { plan, stake: left, side, price } = trigger.terms;
	if (plan?.kind !== 'ICEBERG') throw new Error('an iceberg shows its parts');
	const stake = Math.min(plan.visible, left);
	countAgain(state, trigger, left - stake);
	const outcome = place(state, trigger, { side, price, stake }, turn, effects);
	if (typeof outcome === 'string') {
		countAgain(state, trigger, left);
		return outcome;
	}
	state.triggers.hasBet(trigger, turn.betId);
	return left > stake ? { outcome } : { outcome, end: { status: 'PLACED', reason: null, betId: turn.betId } };
}

/** The bet of a peg goes to the price that it follows, where it is the last one. */
function followBest(state: EngineState, trigger: Trigger, turn: Turn, effects: Effects): Gone | EngineRefusal {
	const { bets, triggers } = state;
	const { side, stake, walletId } = trigger.terms;
	const best = triggers.plansOf(trigger.place.book)?.bestTicks();
	const price = best ? pegPrice(state, trigger, best) : null;
	const old = trigger.betId;
	if (price === null) return { outcome: null };
	if (old === null) {
		countAs(state, trigger, ordersOfPeg(trigger, { price, stake }));
		const outcome = place(state, trigger, { side, price, stake }, turn, effects);
		if (typeof outcome === 'string') return outcome;
		triggers.hasBet(trigger, turn.betId);
		return { outcome };
	}
	const bet = bets.find(old);
	if (bet === NONE || bets.remaining(bet) === 0 || bets.isDelayed(bet) || bets.price(bet) === price)
		return { outcome: null };
	// Some of it may have been matched since the look at which it became due.
	trigger.terms = { ...trigger.terms, stake: bets.remaining(bet) };
	countAs(state, trigger, ordersOfPeg(trigger, { price, stake: bets.remaining(bet) }));
	const asked = { kind: 'replace-bet' as const, betId: old, newBetId: turn.betId, walletId, price };
	const outcome = replaceBet(state, { ...asked, atMs: turn.atMs }, effects);
	// A rest that is too small for another bet stays where it is.
	if (!outcome.ok && outcome.code === 'STAKE_TOO_SMALL')
		return { outcome: null, end: { status: 'PLACED', reason: null, betId: old } };
	if (!outcome.ok) return outcome.code;
	triggers.hasBet(trigger, turn.betId);
	return { outcome };
}

/** Places the bet of a bracket; from now on the bracket holds for what closes it. */
function beginBracket(
	state: EngineState,
	market: Market,
	trigger: Trigger,
	turn: Turn,
	effects: Effects,
): Gone | EngineRefusal {
	const { side, price, stake } = trigger.terms;
	const exits = exitsOf(market, trigger.terms);
	if (!exits) return 'PRICE_NOT_ON_LADDER';
	const atStop = coinsToClose(trigger, stake * price, exits.stop);
	const order = { side, price, stake };
	const beside = ordersOfBracket(state, trigger, { atStop, waits: stake, exitWaits: 0 });
	const refusal = refusalOfRisk(state, trigger, [...beside, order]);
	if (refusal !== null) return refusal;
	countAs(state, trigger, beside);
	const outcome = place(state, trigger, order, turn, effects);
	if (typeof outcome === 'string') return outcome;
	state.triggers.hasBet(trigger, turn.betId);
	trigger.terms = { ...trigger.terms, stake: atStop };
	// Some of it may have been matched as it arrived.
	followBracket(state, trigger);
	return { outcome };
}

/**
 * Counts these orders for a plan instead of those that were, and says whether they ask for more than there is: a bet and what its
 * plan holds beside it, which the kernel judges together. A plan that is refused ends, and is counted out.
 */
function refusalOfRisk(state: EngineState, trigger: Trigger, orders: readonly CountedOrder[]): EngineRefusal | null {
	const { call } = state.kernel;
	const { position } = trigger.place;
	const before = call.exposureOf(position);
	countAs(state, trigger, orders);
	const exposure = call.exposureOf(position);
	const refusal = exposure > before ? call.refusalOfExposure(position, exposure) : REFUSALS.ACCEPTED;
	return refusal === REFUSALS.ACCEPTED ? null : refusalOf(refusal);
}

/** Brings the bet that closes at the aim to what is open; or at the stop, closes all of it there. */
function closeBracket(
	state: EngineState,
	market: Market,
	trigger: Trigger,
	turn: Turn,
	effects: Effects,
): Gone | EngineRefusal {
	const exits = exitsOf(market, trigger.terms);
	if (!exits) return 'PRICE_NOT_ON_LADDER';
	const side = otherSide(trigger.terms.side);
	const closesAtStop = isStopped(state, trigger, exits.stop) && closingStake(state, trigger, exits.stop) > 0;
	const price = closesAtStop ? exits.stop : exits.aim;
	const stake = closingStake(state, trigger, price);
	if (!closesAtStop && stake === remainingOf(state, trigger.exitId)) return { outcome: null };
	const value = valueOf(state, trigger.exitId);
	if (closesAtStop) cancelRest(state, trigger.betId, effects);
	cancelRest(state, trigger.exitId, effects);
	trigger.closed += value;
	state.triggers.hasExit(trigger, null);
	if (closesAtStop) countOut(state, trigger);
	else {
		const atStop = stakeAtStop(state, trigger, exits.stop);
		const waits = remainingOf(state, trigger.betId);
		trigger.terms = { ...trigger.terms, stake: atStop };
		countAs(state, trigger, ordersOfBracket(state, trigger, { atStop, waits, exitWaits: stake }));
	}
	const order = { side, price, stake };
	const outcome = stake === 0 ? null : place(state, trigger, order, { ...turn, flags: ORDERS.HEDGE }, effects);
	if (typeof outcome === 'string') return outcome;
	if (outcome) state.triggers.hasExit(trigger, turn.betId);
	if (!closesAtStop) followBracket(state, trigger);
	return closesAtStop ? { outcome, end: { status: 'PLACED', reason: null, betId: trigger.betId } } : { outcome };
}
