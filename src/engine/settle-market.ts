/**
 * Pays a market: what is unmatched lapses, each player's matched bets are netted exactly and rounded once, losers fill
 * the market's pot, winners empty it, and what rounding leaves over or asks for goes through the rounding account.
 * Source: exchange rules, "Settlement" and "Liability and rounding".
 */
import type { SettleMarket, VoidMarket } from '#engine/command.ts';
import type { AccountKind, Effects, PostingKind } from '#engine/effect.ts';
import { DONE, type EngineState, refuse } from '#engine/engine-state.ts';
import type { Market, PoolSide, Position } from '#engine/market.ts';
import { profitIfWins, winnerOf } from '#engine/market-types/one-winner.ts';
import type { Bet } from '#engine/order-book.ts';
import type { Outcome } from '#engine/outcome.ts';
import { netIfWins } from '#values/exposure.ts';
import { commissionPaise, netPaise } from '#values/liability.ts';

export function settleMarket(state: EngineState, command: SettleMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.paid) return refuse('WRONG_MARKET_STATE');
	const winner = winnerOf(command.results, market.terms.runners);
	if (winner < 0) return refuse('INCOMPLETE_RESULT');

	state.lapse(market, () => true, 'MARKET_SETTLED', effects);
	const payment = new Payment(state, market, effects);
	for (const side of market.sides) payment.pay(side, winner);
	market.results = [...command.results];
	end(state, market, 'SETTLED', effects);
	return DONE;
}

export function voidMarket(state: EngineState, command: VoidMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.paid) return refuse('WRONG_MARKET_STATE');
	state.lapse(market, () => true, 'MARKET_VOIDED', effects);
	for (const side of market.sides) {
		const bets = side.bets.inOrder();
		for (const bet of bets) effects.betVoided(bet.betId, bet.matched, 'MARKET_VOIDED');
		for (const position of positionsOf(bets)) state.holdExactly(position, 0, effects);
	}
	end(state, market, 'VOIDED', effects);
	return DONE;
}

/** Of the players with a matched bet: others have nothing to be paid. */
const positionsOf = (bets: readonly Bet[]) =>
	[...new Set(bets.map((bet) => bet.position))].sort((a, b) => a.wallet.walletId - b.wallet.walletId);

class Payment {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #effects: Effects;
	#step = 0;

	constructor(state: EngineState, market: Market, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#effects = effects;
	}

	pay(side: PoolSide, winner: number): void {
		const bets = side.bets.inOrder();
		for (const bet of bets) {
			const profit = profitIfWins(bet, winner);
			this.#effects.betSettled(bet.betId, profit > 0 ? 'WON' : 'LOST', profit);
		}
		const positions = positionsOf(bets);
		const nets = positions.map((position) => netPaise(netIfWins(position.outcomes, winner)));
		positions.forEach((position, at) => {
			const net = nets[at] as number;
			if (net < 0) {
				this.#move('MARKET_SETTLED', 'exposure', 'pot', -net, position);
				position.held += net;
			}
			this.#state.holdExactly(position, 0, this.#effects);
		});
		this.#balanceRounding(side, nets);
		positions.forEach((position, at) => {
			this.#payNet(position, nets[at] as number);
		});
		const pot = this.#state.accounts.houseAccount('pot', side.pool, this.#market.terms.marketId);
		if (pot.balance !== 0) throw new Error(`pot of market ${pot.owner} holds ${pot.balance} after settlement`);
	}

	#payNet(position: Position, net: number): void {
		const { wallet } = position;
		const rate = wallet.commissionBp ?? this.#market.terms.commissionBp;
		const commission = commissionPaise(net, rate);
		if (net > 0) this.#move('MARKET_SETTLED', 'pot', 'cash', net, position);
		if (commission > 0) this.#move('COMMISSION', 'cash', 'commission', commission, position);
		this.#effects.playerSettled(this.#market.terms.marketId, wallet.walletId, net, commission, net - commission);
	}

	/** Exact nets of a pool sum to zero, rounded ones by a few paise not. */
	#balanceRounding(side: PoolSide, nets: readonly number[]): void {
		const over = -nets.reduce((sum, net) => sum + net, 0);
		if (over === 0) return;
		const { marketId } = this.#market.terms;
		this.#state.accounts.move(
			{
				kind: 'MARKET_SETTLED',
				ref: marketId,
				step: this.#step++,
				pool: side.pool,
				debit: over > 0 ? 'pot' : 'rounding',
				debitOwner: over > 0 ? marketId : 0,
				credit: over > 0 ? 'rounding' : 'pot',
				creditOwner: over > 0 ? 0 : marketId,
				amount: Math.abs(over),
				marketId,
			},
			this.#effects,
		);
	}

	#move(kind: PostingKind, debit: AccountKind, credit: AccountKind, amount: number, position: Position): void {
		const { marketId } = this.#market.terms;
		const { walletId, pool } = position.wallet;
		const owner = (account: AccountKind) => (account === 'pot' ? marketId : account === 'commission' ? 0 : walletId);
		this.#state.accounts.move(
			{
				kind,
				ref: marketId,
				step: this.#step++,
				pool,
				debit,
				debitOwner: owner(debit),
				credit,
				creditOwner: owner(credit),
				amount,
				marketId,
			},
			this.#effects,
		);
	}
}

/** The market keeps its name and result; its bets and positions are history now. */
function end(state: EngineState, market: Market, status: 'SETTLED' | 'VOIDED', effects: Effects): void {
	market.status = status;
	state.digest.touch(market);
	for (const side of market.sides) {
		for (const bet of side.bets.inOrder()) state.forget(side, bet);
		for (const position of side.positions.values()) {
			position.gone = true;
			state.digest.touch(position);
		}
		side.positions.clear();
	}
	effects.marketChanged(market.terms.marketId);
}
