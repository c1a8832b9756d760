/** Updates a bet in its place in the queue. The kernel decides: see src/kernel/update-bet.ts. */
import type { UpdateBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { REFUSALS } from '#engine/kernel-layout.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refusalOf, refuse } from '#engine/requests.ts';

export function updateBet({ kernel }: EngineState, command: UpdateBet, effects: Effects): Outcome {
	const { betId, walletId, persist } = command;
	const refusal = kernel.call.updateBet(betId, walletId, persist);
	if (refusal !== REFUSALS.ACCEPTED) return refuse(refusalOf(refusal));
	effects.betUpdated(betId, persist);
	return { ok: true, betId };
}
