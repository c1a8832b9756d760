/**
 * Settles or voids a market with many bets wallet by wallet, with other commands in between. `begin-settlement` fixes the
 * result: from then on nothing of the market changes but by its settlement. Each step names its wallets, so that a standby
 * and a recovered engine do the same without a cursor; what is settled already is passed over. A wallet is settled whole,
 * by the step that takes its last bet, and the step that settles the last wallet ends the market.
 *
 * Steps name the losers first, so that the pot can pay the winners. Nets are rounded wallet by wallet, so the last winners
 * may find it some coins short: the rounding account lends them, and gets what is left at the end. Where more is missing, or
 * left, than roundings explain, the bets of the market do not add up: the winners that cannot be paid keep their bets, and
 * the market stays SETTLING.
 * Source: exchange rules, "Settlement".
 */
import type { BeginSettlement, SettleBets, SettleWallets } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { UnsettledWallet } from '#engine/engine.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import { netOfParts, payableFor, payableOf } from '#engine/market-types/runner-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import { assertPotIsEmpty, endMarket, moveRounding, Payment, profitOf } from '#engine/payment.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { keepResult, refusalToEnd } from '#engine/settle-market.ts';
import { lapseTriggers } from '#engine/triggers/end-triggers.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';

export function beginSettlement(
	state: EngineState,
	command: BeginSettlement & { atMs: number },
	effects: Effects,
): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	const refusal = refusalToEnd(market, command.seen);
	if (refusal) return refuse(refusal);
	const { results, places } = command;
	if (results && !payableFor(results, places ?? market.terms.numberOfWinners, market.terms, market.removed))
		return refuse('INCOMPLETE_RESULT');

	state.dropTargets(market, effects);
	lapseTriggers(state, market, { reason: results ? 'MARKET_SETTLED' : 'MARKET_VOIDED' }, effects);
	if (results) keepResult(market, { results, ...(places === undefined ? {} : { places }) });
	market.status = 'SETTLING';
	market.settlingSinceMs = command.atMs;
	state.settling.add(market);
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
	endWhenSettled(state, market, effects);
	return DONE;
}

/** Whether wallets may be settled: not while those of the settlement before come back. */
const isBeingSettled = ({ status, reversing }: Market): boolean => status === 'SETTLING' && reversing === null;

export function settleStep(state: EngineState, command: SettleWallets | SettleBets, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (!isBeingSettled(market)) return refuse('WRONG_MARKET_STATE');
	const step = new Step(state, market, effects);
	if (command.kind === 'settle-bets') takeBets(state, market, command, step);
	else {
		for (const walletId of command.wallets) {
			const position = state.positionOf(market, walletId);
			if (position !== NONE) step.take(position, state.betsOfPosition(position));
		}
	}
	endWhenSettled(state, market, effects);
	return DONE;
}

function takeBets(state: EngineState, market: Market, command: SettleBets, step: Step): void {
	const { bets } = state;
	const position = state.positionOf(market, command.walletId);
	const own = [...new Set(command.bets)]
		.map((betId) => bets.find(betId))
		.filter((bet) => bet !== NONE && bets.position(bet) === position);
	if (own.length > 0) step.take(position, own);
}

/** The result that a market is being settled by; null when it is being voided. */
function payableOfSettling({ results, termsPaid, removed }: Market): Payable | null {
	return results && payableOf(results, termsPaid, removed);
}

class Step {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #effects: Effects;
	readonly #payable: Payable | null;
	readonly #payment: Payment | null;

	constructor(state: EngineState, market: Market, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#effects = effects;
		this.#payable = payableOfSettling(market);
		this.#payment = this.#payable && new Payment(state, market, this.#payable, effects);
	}

	/** Decides bets of a position. With the last of them the wallet is settled, if the pot can pay it. */
	take(position: number, bets: readonly number[]): void {
		if (bets.length === 0) return;
		const { accounts, positions } = this.#state;
		const walletId = accounts.wallets.id(positions.walletOf(position));
		const { decided } = this.#market;
		let exact = decided.get(walletId) ?? null;
		const profits = bets.map((bet) => this.#profitOf(bet));
		for (const profit of profits) if (profit !== null) exact = (exact ?? 0n) + BigInt(profit);
		const isWhole = bets.length === this.#state.betsOfPosition(position).length;
		const net = isWhole ? this.#netOf(position, exact) : null;
		if (net !== null && !this.#canSettle(position, net)) return;
		bets.forEach((bet, at) => {
			this.#decide(bet, profits[at] ?? null);
		});
		if (isWhole) {
			decided.delete(walletId);
			this.#settle(position, net);
		} else if (exact !== null) decided.set(walletId, exact);
		// The bets that are left may lose more without these.
		else this.#state.shortPositions.note(position);
		positions.touch(position);
	}

	/** Null for a bet that is void, or has nothing matched. */
	#profitOf(bet: number): number | null {
		const isMatched = this.#payable !== null && this.#state.bets.matched(bet) > 0;
		return isMatched ? profitOf(this.#state, this.#market, bet, this.#payable) : null;
	}

	/** @param exact what a wallet's bets come to; null when all are void */
	#netOf(position: number, exact: bigint | null): AnyMinor | null {
		if (!this.#payable || exact === null) return null;
		const { pool } = this.#state.sideOf(this.#market, position);
		return netOfParts(exact, this.#payable.parts, stepOf(pool));
	}

	/** False when the pot lacks more than roundings explain. */
	#canSettle(position: number, net: AnyMinor): boolean {
		const side = this.#state.sideOf(this.#market, position);
		return this.#market.rounding.covers(side.pool, this.#missingFor(position, net));
	}

	/** Minor units that the pot lacks to pay a net; none for a loss. */
	#missingFor(position: number, net: AnyMinor): AnyMinor {
		const { pool } = this.#state.sideOf(this.#market, position);
		const pot = this.#state.accounts.houseBalance('pot', pool, this.#market.marketId);
		return net > 0 ? Math.max(0, net - pot) : 0;
	}

	/** Lapses what is unmatched of a bet, emits the result of the rest, and takes it out of its position. */
	#decide(bet: number, profit: number | null): void {
		const { bets, kernel } = this.#state;
		const [betId, matched, remaining] = [bets.id(bet), bets.matched(bet), bets.remaining(bet)];
		if (remaining > 0) {
			this.#effects.betLapsed(betId, remaining, this.#payment ? 'MARKET_SETTLED' : 'MARKET_VOIDED');
			this.#state.cancelRemaining(this.#market, bet, remaining);
		}
		if (matched === 0) return;
		const value = bets.matchedValue(bet);
		if (this.#payment) this.#payment.decide(bet, profit);
		else this.#effects.betVoided(betId, matched, value, 'MARKET_VOIDED');
		const fills = this.#market.shape.line ? (this.#market.fills.get(betId) ?? []) : [];
		// Where prices are lines, a position counts fill by fill.
		for (const { stake, price } of fills) kernel.call.voidMatched(bet, stake, stake * price);
		if (fills.length === 0) kernel.call.voidMatched(bet, matched, value);
		this.#state.forget(this.#market, bet);
	}

	/** @param net null when all its bets are void */
	#settle(position: number, net: AnyMinor | null): void {
		const market = this.#market;
		if (net !== null) this.#payment?.takeLoss(position, Math.max(0, -net));
		this.#state.holdFor(market, position, 0, this.#effects);
		if (net === null) return;
		const lent = this.#missingFor(position, net);
		const side = this.#state.sideOf(market, position);
		market.rounding.settle(side.pool, lent);
		moveRounding(this.#state, market, side, -lent, this.#effects);
		this.#payment?.payNet(position, net);
		this.#state.digest.touch(market);
	}
}

/** Ends a market whose wallets are all settled, unless more is left than roundings explain. */
function endWhenSettled(state: EngineState, market: Market, effects: Effects): void {
	const isSettled = market.sides.map((side) => !state.positions.leadsWithBets(side));
	if (isSettled.includes(false)) return;
	const restOf = ({ pool }: PoolSide) => state.accounts.houseBalance('pot', pool, market.marketId);
	if (!market.rounding.explains(market.sides.map((side) => [side.pool, restOf(side)]))) return;
	for (const side of market.sides) {
		const rest = restOf(side);
		moveRounding(state, market, side, rest, effects);
		assertPotIsEmpty(state, market, side);
	}
	market.rounding.clear();
	state.settling.delete(market);
	endMarket(state, market, market.results ? 'SETTLED' : 'VOIDED', effects);
}

/** Bets after which a look at a market pauses. */
const BETS_A_LOOK = 500;

/**
 * The wallets that a settlement under way has left, with what the result makes of each; it changes nothing. Steps may
 * settle wallets while the look pauses.
 * @returns null for a pause
 */
export function* unsettledWallets(state: EngineState, marketId: MarketId): Generator<UnsettledWallet | null> {
	const market = state.markets.get(marketId);
	if (!market || !isBeingSettled(market)) return;
	const { accounts, positions, bets } = state;
	const payable = payableOfSettling(market);
	let looked = 0;
	for (const side of market.sides) {
		for (let position = positions.newest(side); position !== NONE; position = positions.next(position)) {
			const walletId = accounts.wallets.id(positions.walletOf(position));
			let exact = market.decided.get(walletId) ?? 0n;
			// By their ids: a row may be given up in a pause.
			const ids = state.betsOfPosition(position).map((bet) => bets.id(bet));
			for (const betId of ids) {
				if (looked++ % BETS_A_LOOK === BETS_A_LOOK - 1) yield null;
				if (!isBeingSettled(market)) return;
				const bet = payable ? bets.find(betId) : NONE;
				if (bet !== NONE && payable) exact += BigInt(profitOf(state, market, bet, payable) ?? 0);
			}
			const wins = payable !== null && netOfParts(exact, payable.parts, stepOf(side.pool)) > 0;
			if (ids.length > 0) yield { walletId, bets: ids.length, wins };
			// The step that the walk took of it may have been the last one: the memory of the positions is free for others then.
			if (!isBeingSettled(market)) return;
		}
	}
}

/** Some bets of a wallet in a market, to be decided by one step. */
export function someBets(state: EngineState, walletId: WalletId, marketId: MarketId, most: number): BetId[] {
	const market = state.markets.get(marketId);
	const position = market ? state.positionOf(market, walletId) : NONE;
	const ids: BetId[] = [];
	if (position === NONE) return ids;
	const { bets, positions } = state;
	for (let bet = positions.lastBet(position); bet !== NONE && ids.length < most; bet = bets.before(bet))
		ids.push(bets.id(bet));
	return ids;
}
