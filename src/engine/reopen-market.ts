/**
 * Reverses a market's settlement: an opposite posting for each of its postings, and its bets as they were. The market
 * is CLOSED and can be settled again, or single matches of it be voided. A player who has spent the winnings goes below
 * zero.
 * Source: exchange rules, "Settlement".
 */
import type { Move } from '#engine/accounts.ts';
import type { PaidSettlement, ReopenMarket, Settlement } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { netOfParts, payableOf, profitExactParts } from '#engine/market-types/runner-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { restoreBet } from '#engine/restore.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';

export function reopenMarket(state: EngineState, command: ReopenMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.status === 'SETTLING') return refuse('MARKET_SETTLING');
	if (!mayReopen(market, command)) return refuse('WRONG_MARKET_STATE');
	reverseSettlement(state, market, command, effects);
	state.digest.touch(market);
	effects.marketChanged(command.marketId);
	return DONE;
}

/** The market is settled or void, and the supplied bets come to what the ledger names for each player. */
export const mayReopen = (market: Market, settlement: Settlement): boolean =>
	market.paid && paidAsSaid(market, settlement);

/** The market is CLOSED with its bets as before. The caller has checked `mayReopen`, and emits the market's change. */
export function reverseSettlement(
	state: EngineState,
	market: Market,
	{ bets, payments, nextStep }: Settlement,
	effects: Effects,
): void {
	market.nextStep = Math.max(market.nextStep, nextStep);
	for (const side of market.sides) new Reversal(state, market, side, effects).run(payments);
	market.status = 'CLOSED';
	market.results = null;
	market.placesPaid = null;
	market.settlingSinceMs = null;
	market.mayBeShort = true;
	for (const bet of bets) {
		restoreBet(state, bet);
		effects.betReopened(bet);
	}
	for (const side of market.sides) {
		for (const position of state.positionsOf(side)) {
			state.positions.setHeld(position, 0);
			state.hold(market, position, effects);
		}
	}
}

function paidAsSaid(market: Market, { bets, payments }: Settlement): boolean {
	const { results, termsPaid, removed } = market;
	if (!results) return payments.every(({ net }) => net === 0);
	const payable = payableOf(results, termsPaid, removed);
	// Everything unmatched lapsed before the settlement.
	if (!payable || bets.some(({ remaining }) => remaining > 0)) return false;
	const exact = new Map<number, bigint>();
	const steps = new Map<number, number>();
	for (const bet of bets) {
		steps.set(bet.walletId, stepOf(bet.pool));
		const profit = profitExactParts(bet, payable) ?? 0;
		exact.set(bet.walletId, (exact.get(bet.walletId) ?? 0n) + BigInt(profit));
	}
	const paid = new Map(payments.map(({ walletId, net }) => [walletId, net]));
	return [...new Set([...exact.keys(), ...paid.keys()])].every(
		(walletId) =>
			netOfParts(exact.get(walletId) ?? 0n, payable.parts, steps.get(walletId) ?? 1) === (paid.get(walletId) ?? 0),
	);
}

/** Reverses the settlement in one pool: of all players at once, or of one after the other. */
export class Reversal {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #side: PoolSide;
	readonly #effects: Effects;

	constructor(state: EngineState, market: Market, side: PoolSide, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#side = side;
		this.#effects = effects;
	}

	/** Winners fill the pot first, so that it never owes the losers. */
	run(payments: Settlement['payments']): void {
		const { wallets } = this.#state.accounts;
		const ofPool = payments.filter(({ walletId }) => wallets.pool(wallets.find(walletId)) === this.#side.pool);
		for (const payment of ofPool) this.takeWin(payment);
		this.moveRounding(-ofPool.reduce((sum, { net }) => sum + net, 0));
		for (const payment of ofPool) this.giveLossBack(payment);
	}

	/** Takes back what the player won, and gives back the commission on it. */
	takeWin({ walletId, net, commission }: PaidSettlement): void {
		const { marketId } = this.#market;
		if (commission > 0) this.#move('commission', 0, 'cash', walletId, commission);
		if (net > 0) this.#move('cash', walletId, 'pot', marketId, net);
		this.#effects.playerReopened(marketId, walletId);
	}

	/** @param over what the roundings gave the house, minor units; below zero for what they cost it */
	moveRounding(over: AnyMinor): void {
		const { marketId } = this.#market;
		if (over > 0) this.#move('rounding', 0, 'pot', marketId, over);
		if (over < 0) this.#move('pot', marketId, 'rounding', 0, -over);
	}

	giveLossBack({ walletId, net }: PaidSettlement): void {
		if (net < 0) this.#move('pot', this.#market.marketId, 'cash', walletId, -net);
	}

	#move(debit: Move['debit'], debitOwner: number, credit: Move['credit'], creditOwner: number, amount: AnyMinor): void {
		const { marketId } = this.#market;
		this.#state.accounts.move(
			{
				kind: 'MARKET_REOPENED',
				ref: marketId,
				step: this.#market.nextStep++,
				pool: this.#side.pool,
				debit,
				debitOwner,
				credit,
				creditOwner,
				amount,
				marketId,
				mayOverdraw: true,
			},
			this.#effects,
		);
	}
}
