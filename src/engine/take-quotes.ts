/** Orders of the crowd, which take the house's quotes. The kernel decides: see src/kernel/take-quotes.ts. */
import type { TakeQuotes } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { emitHolds, emitQuotesTaken, reportOf } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { REFUSALS, REPORT } from '#engine/kernel-layout.ts';
import type { Outcome } from '#engine/outcome.ts';
import { emitAccepted } from '#engine/place-bet.ts';
import { readRequest, refusalOf, refuse, writeRequest } from '#engine/requests.ts';

export function takeQuotes(state: EngineState, order: TakeQuotes & { atMs: number }, effects: Effects): Outcome {
	const { kernel } = state;
	writeRequest(kernel, { ...order, persist: false });
	const refusal = kernel.call.takeQuotes();
	if (refusal !== REFUSALS.ACCEPTED) return refuse(refusalOf(refusal));
	if (reportOf.stage(kernel) !== REPORT.TOOK_QUOTES) {
		return emitAccepted(state, { ...readRequest(kernel), atMs: order.atMs }, order.price, effects);
	}
	emitQuotesTaken(state, order.side, effects);
	emitHolds(state, order.marketId, effects);
	return { ok: true, stake: order.stake, matched: reportOf.matched(kernel), remaining: 0 };
}
