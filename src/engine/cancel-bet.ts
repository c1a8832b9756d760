/**
 * Takes back what is unmatched: of one bet or a part of it, of all of a player's bets, or to ask another price. Lowering
 * keeps the place in the queue; all of it is allowed while the market is suspended, except asking another price.
 */
import type { CancelAll, CancelBet, LapseAll, ReplaceBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { type EngineState, refuse } from '#engine/engine-state.ts';
import { isQuick } from '#engine/id-index.ts';
import type { Market } from '#engine/market.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { placeBet } from '#engine/place-bet.ts';
import { NONE } from '#engine/rows.ts';
import { addUnmatched } from '#values/exposure.ts';

/** The row of a player's waiting bet, or why there is none. */
function waitingBet(state: EngineState, betId: number, walletId: number | undefined): number | EngineRefusal {
	const { bets, positions } = state;
	const bet = bets.find(betId);
	// A bet that ended without a matched part is not remembered, but its number was given.
	if (bet === NONE) return betId <= state.counters.lastBetId ? 'ORDER_NOT_ACTIVE' : 'UNKNOWN_ORDER';
	const owner = state.accounts.wallets.id(positions.walletOf(bets.position(bet)));
	if (walletId !== undefined && walletId !== owner) return 'NOT_OWNER';
	return bets.remaining(bet) === 0 ? 'ORDER_NOT_ACTIVE' : bet;
}

export function cancelBet(state: EngineState, command: CancelBet, effects: Effects): Outcome {
	const { bets, positions } = state;
	const { betId, walletId, size } = command;
	if (walletId !== undefined && isQuick(betId) && (size === undefined || (isQuick(size) && size > 0))) {
		const cancelled = state.kernel.call.cancelBet(betId, walletId, size ?? 0);
		if (cancelled > 0) return cancelledAtOnce(state, betId, cancelled, effects);
	}
	const bet = waitingBet(state, betId, walletId);
	if (typeof bet === 'string') return refuse(bet);
	const remaining = bets.remaining(bet);
	const asked = size ?? remaining;
	if (!Number.isSafeInteger(asked) || asked <= 0 || asked > remaining) return refuse('INVALID_SIZE');
	const position = bets.position(bet);
	const market = positions.marketOf(position);
	// Nothing rests below the smallest stake because of a cancel: what would be left goes with the rest.
	const cancelled = remaining - asked < market.terms.minStake ? remaining : asked;
	const outcome: Outcome = {
		ok: true,
		betId,
		matched: bets.matched(bet),
		matchedValue: bets.matchedValue(bet),
		remaining: remaining - cancelled,
		cancelled,
	};
	effects.betCancelled(betId, cancelled);
	state.cancelRemaining(market, bet, cancelled);
	state.hold(market, position, effects);
	return outcome;
}

/** The kernel has taken stake off a bet: tells it. */
function cancelledAtOnce(state: EngineState, betId: number, cancelled: number, effects: Effects): Outcome {
	const { kernel, bets } = state;
	effects.betCancelled(betId, cancelled);
	state.emitHolds(kernel.marketId, effects);
	const bet = kernel.cancelled;
	const [matched, matchedValue, remaining] = [bets.matched(bet), bets.matchedValue(bet), bets.remaining(bet)];
	if (remaining + matched === 0 && kernel.marketRemembers) {
		state.forgetDetail(state.markets.get(kernel.marketId) as Market, betId);
	}
	return { ok: true, betId, matched, matchedValue, remaining, cancelled };
}

/** Every waiting bet of a player, in one market or in all; `cancelled` is the sum of what was taken back. */
export function cancelAll(state: EngineState, command: CancelAll, effects: Effects): Outcome {
	const wallet = state.accounts.wallets.find(command.walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const only = command.marketId === undefined ? null : state.markets.get(command.marketId);
	if (only === undefined) return refuse('UNKNOWN_MARKET');
	const markets = only ? [only] : state.marketList;
	const cancelled = cancelAllRemaining(state, wallet, markets, effects, (bet, stake) =>
		effects.betCancelled(bet, stake),
	);
	return { ok: true, cancelled };
}

/** Every waiting bet of a player lapses; `cancelled` is the sum of what lapsed. */
export function lapseAll(state: EngineState, { walletId }: LapseAll, effects: Effects): Outcome {
	const wallet = state.accounts.wallets.find(walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const emit = (bet: number, stake: number) => effects.betLapsed(bet, stake, 'SITE_SUSPENDED');
	return { ok: true, cancelled: cancelAllRemaining(state, wallet, state.marketList, effects, emit) };
}

/** Takes off what a player has waiting in these markets, emitting an effect for each; returns the sum. */
function cancelAllRemaining(
	state: EngineState,
	wallet: number,
	markets: Iterable<Market>,
	effects: Effects,
	emit: (betId: number, stake: number) => void,
): number {
	const { bets, positions } = state;
	let sum = 0;
	for (const market of markets) {
		const position = positions.find(market, wallet);
		if (position === NONE) continue;
		for (let bet = positions.lastBet(position); bet !== NONE; ) {
			const older = bets.before(bet);
			const remaining = bets.remaining(bet);
			if (remaining > 0) {
				emit(bets.id(bet), remaining);
				state.cancelRemaining(market, bet, remaining);
				sum += remaining;
			}
			bet = older;
		}
		state.hold(market, position, effects);
	}
	return sum;
}

/**
 * The unmatched part at another price, as a new bet: its place in the queue is lost. When the new bet is refused the old
 * one stands as it stood.
 */
export function replaceBet(state: EngineState, command: ReplaceBet & { atMs: number }, effects: Effects): Outcome {
	const { bets, positions } = state;
	const bet = waitingBet(state, command.betId, command.walletId);
	if (typeof bet === 'string') return refuse(bet);
	const position = bets.position(bet);
	const market = positions.marketOf(position);
	const runner = bets.runner(bet);
	const side = bets.side(bet);
	const price = bets.price(bet);
	const stake = bets.remaining(bet);
	const order = {
		kind: 'place-bet' as const,
		atMs: command.atMs,
		betId: command.newBetId,
		walletId: state.accounts.wallets.id(positions.walletOf(position)),
		marketId: market.marketId,
		runner,
		side,
		price: command.price,
		stake,
		persist: bets.persists(bet),
	};
	// Judged as if the old one were gone already: only what it adds must be covered.
	addUnmatched(positions.figures(position), runner, side, price, -stake);
	const outcome = placeBet(state, order, effects, () => {
		addUnmatched(positions.figures(position), runner, side, price, stake);
		effects.betCancelled(command.betId, stake);
		state.cancelRemaining(market, bet, stake);
	});
	if (!outcome.ok) addUnmatched(positions.figures(position), runner, side, price, stake);
	return outcome;
}
