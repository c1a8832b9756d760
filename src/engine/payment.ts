/**
 * What a result moves: the result of each bet, and each wallet's loss or win between its accounts and the market's pot.
 * The one command and the walk pay by it.
 * Source: exchange rules, "Settlement" and "Liability and rounding".
 */
import type { AccountKind, Effects, PostingKind } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import { profitExactParts } from '#engine/market-types/runner-result.ts';
import { commissionMinor } from '#values/liability.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';

/** The profit or loss of a bet's matched part, in hundredths of a minor unit times the parts; null when it is void. */
export function profitOf({ bets }: EngineState, market: Market, bet: number, payable: Payable): number | null {
	const fills = market.fills.get(bets.id(bet)) ?? null;
	const [matched, matchedValue] = [bets.matched(bet), bets.matchedValue(bet)];
	return profitExactParts({ side: bets.side(bet), runner: bets.runner(bet), matched, matchedValue, fills }, payable);
}

export class Payment {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #payable: Payable;
	readonly #effects: Effects;

	constructor(state: EngineState, market: Market, payable: Payable, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#payable = payable;
		this.#effects = effects;
	}

	/** Emits the result of a bet. @param profit as `profitOf` has it */
	decide(bet: number, profit: number | null): void {
		const { bets } = this.#state;
		const id = bets.id(bet);
		if (profit === null) {
			const reason = this.#payable.line ? 'LINE_EQUALLED' : 'RUNNER_VOIDED';
			this.#effects.betVoided(id, bets.matched(bet), bets.matchedValue(bet), reason);
		} else this.#effects.betSettled(id, profit > 0 ? 'WON' : 'LOST', profit, this.#payable.parts);
	}

	/**
	 * Takes the loss from the held money, and only where a removed runner left it short from the free cash, even below
	 * zero.
	 */
	takeLoss(position: number, loss: AnyMinor): void {
		const { positions } = this.#state;
		const held = positions.held(position);
		const fromHeld = Math.min(loss, held);
		if (fromHeld > 0) {
			this.#move('MARKET_SETTLED', 'exposure', 'pot', fromHeld, position);
			positions.setHeld(position, held - fromHeld);
		}
		if (loss > fromHeld) this.#move('MARKET_SETTLED', 'cash', 'pot', loss - fromHeld, position);
	}

	/** Pays what a wallet wins, less the commission, and emits its settlement. Of a loss there is nothing left to move. */
	payNet(position: number, net: AnyMinor): void {
		const { wallets } = this.#state.accounts;
		const wallet = this.#state.positions.walletOf(position);
		const rate = wallets.commissionBp(wallet) ?? this.#market.terms.commissionBp;
		const commission = commissionMinor(net, rate, stepOf(wallets.pool(wallet)));
		if (net > 0) this.#move('MARKET_SETTLED', 'pot', 'cash', net, position);
		if (commission > 0) this.#move('COMMISSION', 'cash', 'commission', commission, position);
		this.#effects.playerSettled(this.#market.marketId, wallets.id(wallet), net, commission, net - commission);
	}

	#move(kind: PostingKind, debit: AccountKind, credit: AccountKind, amount: AnyMinor, position: number): void {
		const { marketId } = this.#market;
		const { wallets } = this.#state.accounts;
		const wallet = this.#state.positions.walletOf(position);
		const [walletId, pool] = [wallets.id(wallet), wallets.pool(wallet)];
		const owner = (account: AccountKind) => (account === 'pot' ? marketId : account === 'commission' ? 0 : walletId);
		this.#state.accounts.move(
			{
				kind,
				ref: marketId,
				step: this.#market.nextStep++,
				pool,
				debit,
				debitOwner: owner(debit),
				credit,
				creditOwner: owner(credit),
				amount,
				marketId,
				mayOverdraw: true,
			},
			this.#effects,
		);
	}
}

/** Moves a rounding difference from the pot to the house, or the other way when it is below zero. */
export function moveRounding(
	state: EngineState,
	market: Market,
	{ pool }: PoolSide,
	over: AnyMinor,
	effects: Effects,
): void {
	if (over === 0) return;
	const { marketId } = market;
	state.accounts.move(
		{
			kind: 'MARKET_SETTLED',
			ref: marketId,
			step: market.nextStep++,
			pool,
			debit: over > 0 ? 'pot' : 'rounding',
			debitOwner: over > 0 ? marketId : 0,
			credit: over > 0 ? 'rounding' : 'pot',
			creditOwner: over > 0 ? 0 : marketId,
			amount: Math.abs(over),
			marketId,
		},
		effects,
	);
}

/** @throws when the pot of a settled market is not empty */
export function assertPotIsEmpty(state: EngineState, { marketId }: Market, { pool }: PoolSide): void {
	const pot = state.accounts.houseBalance('pot', pool, marketId);
	if (pot !== 0) throw new Error(`pot of market ${marketId} holds ${pot} after settlement`);
}

/** The market keeps its name and result; its bets and positions are history. */
export function endMarket(state: EngineState, market: Market, status: 'SETTLED' | 'VOIDED', effects: Effects): void {
	state.dropTargets(market, effects);
	market.status = status;
	state.digest.touch(market);
	for (const side of market.sides) {
		for (const bet of state.betsOf(side)) state.forget(market, bet);
		state.positions.clear(market, side);
		state.books.close(side.firstBook, market.terms.runners);
	}
	state.freeArena(market);
	effects.marketChanged(market.marketId);
}
