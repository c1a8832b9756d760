/** Takes back what is unmatched of a bet, or a part of it. Lowering keeps the place in the queue; allowed while suspended. */
import type { CancelBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { type EngineState, refuse } from '#engine/engine-state.ts';
import type { Outcome } from '#engine/outcome.ts';

export function cancelBet(state: EngineState, command: CancelBet, effects: Effects): Outcome {
	const bet = state.bets.get(command.betId);
	// A bet that ended without a matched part is not remembered, but its number was given.
	if (!bet) return refuse(command.betId <= state.counters.lastBetId ? 'ORDER_NOT_ACTIVE' : 'UNKNOWN_ORDER');
	const { position } = bet;
	if (command.walletId !== undefined && command.walletId !== position.wallet.walletId) return refuse('NOT_OWNER');
	if (bet.remaining === 0) return refuse('ORDER_NOT_ACTIVE');
	const size = command.size ?? bet.remaining;
	if (!Number.isSafeInteger(size) || size <= 0 || size > bet.remaining) return refuse('INVALID_SIZE');
	const side = state.markets.get(position.marketId)?.side(position.wallet.pool);
	if (!side) throw new Error(`bet ${bet.betId} without a market`);
	state.takeOff(side, bet, size);
	effects.betCancelled(bet.betId, size);
	state.hold(position, effects);
	return {
		ok: true,
		betId: bet.betId,
		matched: bet.matched,
		matchedValue: bet.matchedValue,
		remaining: bet.remaining,
		cancelled: size,
	};
}
