/**
 * Settles a market: unmatched bets lapse, each player's matched bets are netted exactly and rounded once, losers fill
 * the market's pot, winners empty it, and the rounding difference goes through the rounding account.
 * Source: exchange rules, "Settlement" and "Liability and rounding".
 */
import type { SeenMarket, SettleMarket, VoidMarket } from '#engine/command.ts';
import type { AccountKind, Effects, PostingKind } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import { netOfParts, payableFor, profitExactParts } from '#engine/market-types/runner-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { commissionPaise } from '#values/liability.ts';
import type { AnyPaise } from '#values/money.ts';

export function settleMarket(state: EngineState, command: SettleMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.paid || !isAsSeen(market, command.seen)) return refuse('WRONG_MARKET_STATE');
	const { places = market.terms.numberOfWinners } = command;
	const payable = payableFor(command.results, places, market.terms, market.removed);
	if (!payable) return refuse('INCOMPLETE_RESULT');

	state.lapse(market, () => true, 'MARKET_SETTLED', effects);
	const payment = new Payment(state, market, payable, effects);
	for (const side of market.sides) payment.pay(side);
	market.results = [...command.results];
	market.placesPaid = places === market.terms.numberOfWinners ? null : places;
	end(state, market, 'SETTLED', effects);
	return DONE;
}

const isAsSeen = (market: Market, seen: SeenMarket | undefined): boolean =>
	seen === undefined || (market.status === seen.status && market.version === seen.version);

export function voidMarket(state: EngineState, command: VoidMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.paid || !isAsSeen(market, command.seen)) return refuse('WRONG_MARKET_STATE');
	state.lapse(market, () => true, 'MARKET_VOIDED', effects);
	for (const side of market.sides) {
		for (const bet of state.betsOf(market, side)) {
			const { bets } = state;
			effects.betVoided(bets.id(bet), bets.matched(bet), bets.matchedValue(bet), 'MARKET_VOIDED');
		}
		for (const position of state.positionsOf(market, side)) state.holdFor(market, position, 0, effects);
	}
	end(state, market, 'VOIDED', effects);
	return DONE;
}

class Payment {
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

	pay(side: PoolSide): void {
		const exact = this.#decide(side);
		const positions = this.#state.positionsOf(this.#market, side);
		const nets = new Map<number, number>();
		for (const position of positions) {
			const sum = exact.get(position);
			if (sum !== undefined) nets.set(position, netOfParts(sum, this.#payable.parts));
		}
		for (const position of positions) {
			this.#takeLoss(position, Math.max(0, -(nets.get(position) ?? 0)));
			this.#state.holdFor(this.#market, position, 0, this.#effects);
		}
		this.#balanceRounding(side, [...nets.values()]);
		for (const [position, net] of nets) this.#payNet(position, net);
		const pot = this.#state.accounts.houseAccount('pot', side.pool, this.#market.marketId);
		if (pot.balance !== 0) throw new Error(`pot of market ${pot.owner} holds ${pot.balance} after settlement`);
	}

	/** Emits the result of each bet, and sums the profit or loss of each position; void bets count nothing. */
	#decide(side: PoolSide): Map<number, bigint> {
		const { bets } = this.#state;
		const exact = new Map<number, bigint>();
		for (const bet of this.#state.betsOf(this.#market, side)) {
			const id = bets.id(bet);
			const [matched, matchedValue] = [bets.matched(bet), bets.matchedValue(bet)];
			const fills = this.#market.fills.get(id) ?? null;
			const matchedBet = { side: bets.side(bet), runner: bets.runner(bet), matched, matchedValue, fills };
			const profit = profitExactParts(matchedBet, this.#payable);
			if (profit === null) {
				this.#effects.betVoided(id, matched, matchedValue, this.#payable.line ? 'LINE_EQUALLED' : 'RUNNER_VOIDED');
				continue;
			}
			this.#effects.betSettled(id, profit > 0 ? 'WON' : 'LOST', profit, this.#payable.parts);
			const position = bets.position(bet);
			exact.set(position, (exact.get(position) ?? 0n) + BigInt(profit));
		}
		return exact;
	}

	/**
	 * Takes the loss from the held money, and only where a removed runner left it short from the free cash, even below
	 * zero.
	 */
	#takeLoss(position: number, loss: number): void {
		const { positions } = this.#state;
		const held = positions.held(position);
		const fromHeld = Math.min(loss, held);
		if (fromHeld > 0) {
			this.#move('MARKET_SETTLED', 'exposure', 'pot', fromHeld, position);
			positions.setHeld(position, held - fromHeld);
		}
		if (loss > fromHeld) this.#move('MARKET_SETTLED', 'cash', 'pot', loss - fromHeld, position);
	}

	#payNet(position: number, net: AnyPaise): void {
		const { wallets } = this.#state.accounts;
		const wallet = this.#state.positions.walletOf(position);
		const rate = wallets.commissionBp(wallet) ?? this.#market.terms.commissionBp;
		const commission = commissionPaise(net, rate);
		if (net > 0) this.#move('MARKET_SETTLED', 'pot', 'cash', net, position);
		if (commission > 0) this.#move('COMMISSION', 'cash', 'commission', commission, position);
		this.#effects.playerSettled(this.#market.marketId, wallets.id(wallet), net, commission, net - commission);
	}

	/** The exact nets of a pool sum to zero; rounded ones differ by a few paise. */
	#balanceRounding(side: PoolSide, nets: readonly number[]): void {
		const over = -nets.reduce((sum, net) => sum + net, 0);
		if (over === 0) return;
		const { marketId } = this.#market;
		this.#state.accounts.move(
			{
				kind: 'MARKET_SETTLED',
				ref: marketId,
				step: this.#market.nextStep++,
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

	#move(kind: PostingKind, debit: AccountKind, credit: AccountKind, amount: AnyPaise, position: number): void {
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

/** The market keeps its name and result; its bets and positions are history. */
function end(state: EngineState, market: Market, status: 'SETTLED' | 'VOIDED', effects: Effects): void {
	state.dropTargets(market, effects);
	market.status = status;
	state.digest.touch(market);
	for (const side of market.sides) {
		for (const bet of state.betsOf(market, side)) state.forget(market, bet);
		state.positions.clear(market, side);
		state.books.close(side.firstBook, market.terms.runners);
	}
	state.freeArena(market);
	effects.marketChanged(market.marketId);
}
