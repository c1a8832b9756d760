/** Updates a bet in its place in the queue. The kernel decides: see src/kernel/update-bet.ts. */
import type { UpdateBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { REFUSALS, UPDATE_BET } from '#engine/kernel-layout.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refusalOf, refuse } from '#engine/requests.ts';

const { LAPSES, STAYS, TAKES_STARTING_PRICE } = UPDATE_BET;

export function updateBet({ kernel }: EngineState, command: UpdateBet, effects: Effects): Outcome {
	const { betId, walletId, persist, takesStart = false } = command;
	if (persist && takesStart) return refuse('TERMS_NOT_POSSIBLE');
	const fate = takesStart ? TAKES_STARTING_PRICE : persist ? STAYS : LAPSES;
	const refusal = kernel.call.updateBet(betId, walletId, fate);
	if (refusal !== REFUSALS.ACCEPTED) return refuse(refusalOf(refusal));
	effects.betUpdated(betId, { persist, takesStart });
	return { ok: true, betId };
}
