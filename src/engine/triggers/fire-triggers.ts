/**
 * Places the bets of triggers whose price was reached: in the batch after it, as bets that arrive then. Suspensions, the
 * market's version, its delay and all limits hold for them. Where a market or a runner is suspended they wait.
 */

import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { REFUSALS } from '#engine/kernel-layout.ts';
import type { Outcome, TriggeredBet } from '#engine/outcome.ts';
import { emitAccepted } from '#engine/place-bet.ts';
import { refusalOf, refuse, writeRequest } from '#engine/requests.ts';
import { countOut } from '#engine/triggers/count-trigger.ts';
import { viewOf } from '#engine/triggers/end-triggers.ts';
import { firePlan } from '#engine/triggers/fire-plans.ts';
import { betOf } from '#engine/triggers/place-trigger.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';
import type { FireTriggers } from '#engine/triggers/trigger-commands.ts';
import type { BetId } from '#values/ids.ts';

/** Bets of one command: more of them would hold up everything else. */
const MOST_AT_ONCE = 100;

/** Those that were reached first come first. */
export function fireTriggers(state: EngineState, command: FireTriggers & { atMs: number }, effects: Effects): Outcome {
	const { betId: first, atMs } = command;
	if (first <= state.kernel.call.lastBetId()) return refuse('DUPLICATE_ORDER');
	const due = state.triggers.dueIn(state.markets).slice(0, MOST_AT_ONCE);
	if (due.length === 0) return refuse('NOTHING_TO_UPDATE');
	const triggered: TriggeredBet[] = [];
	for (const trigger of due) {
		// A bet that is matched across runners takes the ids after its own for the house's bets.
		const betId = Math.max(first + triggered.length, state.kernel.call.lastBetId() + 1);
		const turn = { betId, atMs };
		const goesOn = trigger.terms.plan != null;
		const bet = goesOn ? firePlan(state, trigger, turn, effects) : fire(state, trigger, turn, effects);
		if (bet) triggered.push(bet);
	}
	return { ok: true, triggered };
}

/** @returns null for a bet that was refused */
function fire(
	state: EngineState,
	trigger: Trigger,
	{ betId, atMs }: { betId: BetId; atMs: number },
	effects: Effects,
): TriggeredBet | null {
	const { kernel, positions, triggers } = state;
	const { terms, place } = trigger;
	const { price } = terms;
	const market = positions.marketOf(place.position);
	const view = viewOf(trigger, market.ladder);
	// What it holds is held on for its bet.
	countOut(state, trigger);
	triggers.forget(trigger);
	const bet = betOf(terms, betId);
	writeRequest(kernel, bet);
	const refusal = kernel.call.placeBet();
	const isPlaced = refusal === REFUSALS.ACCEPTED;
	const outcome = isPlaced ? emitAccepted(state, { ...bet, atMs }, price, effects) : null;
	// A bet that was refused, or lapsed at once, holds nothing.
	state.hold(market, place.position, effects);
	const end = isPlaced
		? ({ status: 'PLACED', reason: null, betId } as const)
		: ({ status: 'REFUSED', reason: refusalOf(refusal), betId: null } as const);
	effects.triggerChanged({ ...view, ...end });
	return outcome?.ok ? { betId, dueAtMs: outcome.dueAtMs ?? null } : null;
}
