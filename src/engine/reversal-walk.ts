/**
 * Takes back the settlement of a market with many bets wallet by wallet, with other commands in between, and settles the
 * market again where that is wanted. `begin-reversal` fixes what follows, and says how many bets come back: the engine has
 * forgotten them. From then on the market is SETTLING. Each step brings the bets of some wallets from the ledger and moves
 * the wallets' money back; bets that are back are passed over. The step that brings the last bet ends the reversal: the
 * market is CLOSED, or the walk of its next settlement begins within the same command.
 *
 * Steps name the winners first, so that the pot can pay the losers back. What roundings gave the house comes back like what
 * they cost at a settlement: the rounding account lends the last losers at most a coin for each wallet, and gets what is
 * left. A wallet whose bets do not come to what it was paid is passed over, and the market stays SETTLING.
 * Source: exchange rules, "Settlement".
 */
import type { BeginReversal, PaidSettlement, ReversedWallet, ReverseWallets, VoidReversed } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import { isRepriceable } from '#engine/market-types/reduced-price.ts';
import { netOfParts, payableFor, payableOf, profitExactParts } from '#engine/market-types/runner-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import { assertPotIsEmpty } from '#engine/payment.ts';
import { mayCorrect } from '#engine/remove-runner.ts';
import { Reversal } from '#engine/reopen-market.ts';
import { refuse } from '#engine/requests.ts';
import { restoreBet } from '#engine/restore.ts';
import { NONE } from '#engine/rows.ts';
import { RunnerBets } from '#engine/runner-bets.ts';
import { keepResult } from '#engine/settle-market.ts';
import { voidReversed } from '#engine/void-matches.ts';
import { type WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';

export function beginReversal(state: EngineState, command: BeginReversal, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.status === 'SETTLING') return refuse('MARKET_SETTLING');
	const { betCount, paidSinceMs, nextStep, next, correction = null, matches = [] } = command;
	// A later settlement has more postings than the one that was read.
	if (!market.paid || market.nextStep > nextStep || betCount < 1) return refuse('WRONG_MARKET_STATE');
	const { terms, removed } = market;
	const places = next?.places ?? terms.numberOfWinners;
	if (next?.results && !payableFor(next.results, places, terms, removed)) return refuse('INCOMPLETE_RESULT');
	if (correction && !mayCorrect(market, correction)) return refuse('INVALID_REDUCTION');

	market.reversing = { betsLeft: betCount, next, correction, matches };
	market.settlingSinceMs = paidSinceMs;
	market.nextStep = nextStep;
	market.mayBeShort = true;
	market.status = 'SETTLING';
	// The bets that come back are repriced with their wallet; what the ledger was paid by is not derived from factors.
	if (correction) market.correct(correction.runner, correction.reductionBp);
	if (correction) market.version++;
	state.settling.add(market);
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
	return DONE;
}

export function reverseStep(
	state: EngineState,
	command: (ReverseWallets | VoidReversed) & { atMs: number },
	effects: Effects,
): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (!market.reversing) return refuse('WRONG_MARKET_STATE');
	if (command.kind === 'void-reversed') voidLast(state, market, command.count, effects);
	else {
		const step = new Step(state, market, effects);
		for (const wallet of command.wallets) step.take(wallet);
	}
	state.digest.touch(market);
	effects.marketStepped(market.marketId);
	endWhenReversed(state, market, command.atMs, effects);
	return DONE;
}

class Step {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #effects: Effects;
	/** What the market was paid by; null when it was void. */
	readonly #payable: Payable | null;

	constructor(state: EngineState, market: Market, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#effects = effects;
		const { results, termsPaid, removed } = market;
		this.#payable = results && payableOf(results, termsPaid, removed);
	}

	/** Brings bets of a wallet back. With the last of them its money moves, if they come to what it was paid. */
	take(wallet: ReversedWallet): void {
		const { reversing, decided } = this.#market;
		const bets = wallet.bets.filter(({ betId }) => this.#state.bets.find(betId) === NONE);
		if (bets.length === 0 || !reversing || bets.length > reversing.betsLeft) return;
		const { walletId, payment, part } = wallet;
		const isLast = part?.isLast ?? true;
		const left = this.#leftAfter(wallet, bets);
		if (left === undefined || (isLast && (left ?? 0n) !== 0n)) return;
		if (reversing.correction && !bets.every(isRepriceable)) return;
		const net = payment?.net ?? 0;
		const side = this.#sideOf(wallet);
		const lent = isLast ? this.#missingFor(side, net) : 0;
		if (!this.#market.rounding.covers(side.pool, lent)) return;

		if (isLast || left === null) decided.delete(walletId);
		else decided.set(walletId, left);
		if (isLast && payment) this.#pay(side, { walletId, ...payment }, lent);
		this.#bringBack(bets, isLast);
		this.#market.reversing = { ...reversing, betsLeft: reversing.betsLeft - bets.length };
	}

	/**
	 * What the bets of the wallet that the ledger still has as decided come to after these: null without any, undefined when
	 * they do not come to what it was paid.
	 */
	#leftAfter({ walletId, payment, part }: ReversedWallet, bets: ReversedWallet['bets']): bigint | null | undefined {
		const payable = this.#payable;
		// Everything unmatched lapsed before the settlement.
		if (payable && bets.some(({ remaining }) => remaining > 0)) return undefined;
		const profits = bets.map((bet) => (payable ? profitExactParts(bet, payable) : null) ?? 0);
		const sum = profits.reduce((total, profit) => total + BigInt(profit), 0n);
		const known = this.#market.decided.get(walletId);
		if (known !== undefined) return known - sum;
		const exact = part ? (part.exact === null ? null : BigInt(part.exact)) : sum;
		const net = payable && exact !== null ? netOfParts(exact, payable.parts, this.#stepOf(walletId)) : 0;
		if (net !== (payment?.net ?? 0)) return undefined;
		return exact === null ? (sum === 0n ? null : undefined) : exact - sum;
	}

	#stepOf(walletId: WalletId): number {
		const { wallets } = this.#state.accounts;
		return stepOf(wallets.pool(wallets.find(walletId)));
	}

	#sideOf({ walletId }: ReversedWallet): PoolSide {
		const { wallets } = this.#state.accounts;
		return this.#market.sideOf(wallets.poolCode(wallets.find(walletId))) as PoolSide;
	}

	/** Minor units that the pot lacks to pay a loss back. */
	#missingFor({ pool }: PoolSide, net: AnyMinor): AnyMinor {
		const pot = this.#state.accounts.houseBalance('pot', pool, this.#market.marketId);
		return Math.max(0, -net - pot);
	}

	#pay(side: PoolSide, payment: PaidSettlement, lent: AnyMinor): void {
		const market = this.#market;
		market.rounding.settle(side.pool, lent);
		const reversal = new Reversal(this.#state, market, side, this.#effects);
		reversal.takeWin(payment);
		reversal.moveRounding(lent);
		reversal.giveLossBack(payment);
	}

	#bringBack(bets: ReversedWallet['bets'], isLast: boolean): void {
		const market = this.#market;
		for (const bet of bets) {
			restoreBet(this.#state, bet);
			this.#effects.betReopened(bet);
		}
		const { positions } = this.#state;
		const rows = bets.map(({ betId }) => this.#state.bets.find(betId));
		const correction = market.reversing?.correction;
		const change = correction && { kind: 'RUNNER' as const, ...correction, voids: false, cuts: false };
		if (change) new RunnerBets(this.#state, market, change, this.#effects).take(rows);
		const position = this.#state.bets.position(rows[0] as number);
		positions.setHeld(position, 0);
		positions.touch(position);
		if (isLast) this.#state.hold(market, position, this.#effects);
		// Void bets of a large wallet that are back move no money, and may lose again.
		else this.#state.shortPositions.note(position);
	}
}

/** Voids the last matches of the list, so that the numbers of the other bets' fills stay right. */
function voidLast(state: EngineState, market: Market, count: number, effects: Effects): void {
	const { reversing, marketId } = market;
	if (!reversing || reversing.betsLeft > 0) return;
	const from = Math.max(0, reversing.matches.length - count);
	const last = { kind: 'void-matches' as const, marketId, matches: reversing.matches.slice(from) };
	if (!voidReversed(state, market, last, effects)) return;
	market.reversing = { ...reversing, matches: reversing.matches.slice(0, from) };
}

/** Ends a reversal whose bets are all back, unless more is left than roundings explain. */
function endWhenReversed(state: EngineState, market: Market, atMs: number, effects: Effects): void {
	const { reversing } = market;
	if (!reversing || reversing.betsLeft > 0) return;
	const restOf = ({ pool }: PoolSide) => state.accounts.houseBalance('pot', pool, market.marketId);
	if (!market.rounding.explains(market.sides.map((side) => [side.pool, restOf(side)]))) return;
	for (const side of market.sides) {
		new Reversal(state, market, side, effects).moveRounding(-restOf(side));
		assertPotIsEmpty(state, market, side);
	}
	market.rounding.clear();
	if (reversing.matches.length > 0) return;
	market.reversing = null;
	const { next } = reversing;
	keepResult(market, next ?? { results: null });
	// The walk of the next settlement finds the market as `begin-settlement` leaves one.
	market.settlingSinceMs = next ? atMs : null;
	if (!next) {
		market.status = 'CLOSED';
		state.settling.delete(market);
	}
	effects.marketChanged(market.marketId);
}
