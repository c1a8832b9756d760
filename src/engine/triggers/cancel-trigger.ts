/** Cancels triggers: whole, or what an iceberg would still show in part. */

import { cancelBet } from '#engine/cancel-bet.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { REFUSALS } from '#engine/kernel-layout.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse, writeRequest } from '#engine/requests.ts';
import { countAgain, remainingOf } from '#engine/triggers/count-trigger.ts';
import { CANCELLED, cancelBetsOf, endTrigger, viewOf } from '#engine/triggers/end-triggers.ts';
import { betOf } from '#engine/triggers/place-trigger.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';
import type { CancelTrigger } from '#engine/triggers/trigger-commands.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';

export function cancelTrigger(
	state: EngineState,
	{ triggerId, walletId, size }: CancelTrigger,
	effects: Effects,
): Outcome {
	const trigger = state.triggers.find(triggerId);
	if (!trigger) return refuse(triggerId <= state.kernel.call.lastBetId() ? 'ORDER_NOT_ACTIVE' : 'UNKNOWN_ORDER');
	if (walletId !== undefined && trigger.terms.walletId !== walletId) return refuse('NOT_OWNER');
	const unmatched = unmatchedOf(state, trigger);
	if (size !== undefined && size !== unmatched) return reduceIceberg(state, trigger, { size, unmatched }, effects);
	const { position } = trigger.place;
	const market = state.positions.marketOf(position);
	// A market that is being settled lapses the bets itself, and its triggers before.
	cancelBetsOf(state, trigger, effects);
	endTrigger(state, trigger, CANCELLED, effects);
	state.hold(market, position, effects);
	return { ok: true, cancelled: unmatched };
}

/** What is unmatched of the stake that a trigger was placed with: of its bet, and what has not been placed yet. */
function unmatchedOf(state: EngineState, { terms, betId }: Trigger): AnyMinor {
	// Pegs and brackets place their whole stake at once, and hold for other amounts from then on.
	const isToCome = betId === null || terms.plan?.kind === 'ICEBERG';
	return (isToCome ? terms.stake : 0) + remainingOf(state, betId);
}

/** What is not shown yet goes first, and the shown part keeps its place in the queue. Other triggers are cancelled whole. */
function reduceIceberg(
	state: EngineState,
	trigger: Trigger,
	{ size, unmatched }: { size: AnyMinor; unmatched: AnyMinor },
	effects: Effects,
): Outcome {
	const { terms, place, betId } = trigger;
	const { plan, stake: hidden, walletId } = terms;
	if (plan?.kind !== 'ICEBERG') return refuse('TERMS_NOT_POSSIBLE');
	if (!(size > 0 && size < unmatched && size % stepOf(place.pool) === 0)) return refuse('INVALID_SIZE');
	const left = Math.max(0, hidden - size);
	const market = state.positions.marketOf(place.position);
	if (left > 0 && !isBet(state, trigger, left % plan.visible || plan.visible)) return refuse('INVALID_SIZE');
	let cancelled = hidden - left;
	if (size > hidden && betId !== null) {
		const outcome = cancelBet(state, { kind: 'cancel-bet', betId, walletId, size: size - hidden }, effects);
		if (!outcome.ok) return outcome;
		cancelled += outcome.cancelled ?? 0;
	}
	// Less than the smallest stake is left of no bet, so all of it may be gone.
	if (cancelled === unmatched) endTrigger(state, trigger, CANCELLED, effects);
	else {
		countAgain(state, trigger, left);
		state.triggers.moved(trigger);
		if (left === 0) endTrigger(state, trigger, { status: 'PLACED', reason: null, betId }, effects);
		else effects.triggerChanged(viewOf(trigger, market.ladder));
	}
	state.hold(market, place.position, effects);
	return { ok: true, cancelled };
}

/** What a part may be since the limits of its market changed: that is no reason to keep more. */
const TOO_LARGE: ReadonlySet<number> = new Set([REFUSALS.STAKE_TOO_LARGE, REFUSALS.PROFIT_TOO_LARGE]);

/** Whether a last part of that stake is large enough. The market may be suspended meanwhile, so only the stake is judged. */
function isBet({ kernel }: EngineState, { terms }: Trigger, stake: AnyMinor): boolean {
	writeRequest(kernel, { ...betOf(terms, terms.triggerId), stake });
	const refusal = kernel.call.judgeStake();
	return refusal === REFUSALS.ACCEPTED || TOO_LARGE.has(refusal);
}
