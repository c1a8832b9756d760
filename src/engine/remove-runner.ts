/**
 * Removes a runner from a market, or returns it. Its bets are void. In racing the other bets were matched against a
 * larger field, so their prices are reduced by the factor, fill by fill, to the nearest hundredth. Markets without
 * reductions (a match, an outright) keep the others' bets as they are.
 * Source: exchange rules, "Removal, dead heat, voiding".
 */

import type { BetFill } from '#engine/bet-detail.ts';
import type { RemoveRunner, ReturnRunner } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { ON_A_LINE, RISING } from '#values/figures.ts';
import { type AnyPrice, type Ladder, MIN_PRICE } from '#values/price-ladder.ts';
import { LAY } from '#values/sides.ts';

const WHOLE_BP = 10_000;

/** A reduced price before rounding: price × (1 − factor), times 10,000. */
const reducedExact = (price: AnyPrice, reductionBp: number): number => price * (WHOLE_BP - reductionBp);

/** A reduced matched price, to the nearest hundredth, an exact half up, never below 1.01. */
export function reducedPrice(price: AnyPrice, reductionBp: number): number {
	const exact = reducedExact(price, reductionBp) + WHOLE_BP / 2;
	return Math.max(MIN_PRICE, (exact - (exact % WHOLE_BP)) / WHOLE_BP);
}

/** The ladder's price at or below a reduced asked price. */
export function cutPrice(ladder: Ladder, price: AnyPrice, reductionBp: number): number {
	const exact = reducedExact(price, reductionBp);
	return ladder.nearest((exact - (exact % WHOLE_BP)) / WHOLE_BP).below ?? MIN_PRICE;
}

export function removeRunner(state: EngineState, command: RemoveRunner, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	const { runner, reductionBp } = command;
	if (!Number.isInteger(runner) || runner < 0 || runner >= market.terms.runners) return refuse('UNKNOWN_RUNNER');
	if (market.removed.has(runner)) return refuse('RUNNER_REMOVED');
	if (!mayBeTakenOut(market.terms, reductionBp)) return refuse('INVALID_REDUCTION');

	// Without a voided hedge the exposure can exceed what the player has.
	if (!market.terms.reducible) market.mayBeShort = true;
	market.takeOut(runner, reductionBp);
	state.lapse(market, (bet) => state.bets.runner(bet) === runner, 'RUNNER_REMOVED', effects);
	for (const side of market.sides) new Removal(state, market, side, command, effects).run();
	market.version++;
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
	return DONE;
}

/**
 * Without reductions a runner can leave any market whose runners are independent. Lines depend on one another, and so
 * do the legs of virtual prices: voiding one would uncover the others.
 */
function mayBeTakenOut({ reducible, crossMatching, numberOfWinners }: MarketTerms, reductionBp: number): boolean {
	if (reducible) return Number.isInteger(reductionBp) && reductionBp >= 0 && reductionBp < WHOLE_BP;
	return reductionBp === 0 && !crossMatching && numberOfWinners !== RISING && numberOfWinners !== ON_A_LINE;
}

/** A removal in one pool. */
class Removal {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #side: PoolSide;
	readonly #command: RemoveRunner;
	readonly #effects: Effects;

	constructor(state: EngineState, market: Market, side: PoolSide, command: RemoveRunner, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#side = side;
		this.#command = command;
		this.#effects = effects;
	}

	run(): void {
		const { bets } = this.#state;
		const { runner, reductionBp } = this.#command;
		const { reducible, minReductionBp, lapseReductionBp } = this.#market.terms;
		const positions = this.#state.positionsOf(this.#market, this.#side);
		for (const bet of this.#state.betsOf(this.#market, this.#side)) {
			if (bets.runner(bet) === runner) this.#void(bet);
			else if (reducible) {
				if (reductionBp >= minReductionBp && bets.matched(bet) > 0) this.#reduce(bet);
				if (reductionBp >= lapseReductionBp && bets.side(bet) === LAY) this.#cutWaiting(bet);
			}
		}
		for (const position of positions) this.#state.hold(this.#market, position, this.#effects);
	}

	#void(bet: number): void {
		const { bets, kernel } = this.#state;
		const [betId, stake, value] = [bets.id(bet), bets.matched(bet), bets.matchedValue(bet)];
		kernel.call.voidMatched(bet, stake, value);
		this.#effects.betVoided(betId, stake, value, 'RUNNER_REMOVED');
		this.#state.forget(this.#market, bet);
	}

	#reduce(bet: number): void {
		const { bets, kernel } = this.#state;
		const id = bets.id(bet);
		const fills: BetFill[] = (this.#market.fills.get(id) ?? []).map(({ stake, price }) => ({
			stake,
			price: reducedPrice(price, this.#command.reductionBp),
		}));
		const value = fills.reduce((sum, fill) => sum + fill.stake * fill.price, 0);
		if (value === bets.matchedValue(bet)) return;
		this.#market.fills.set(id, fills);
		kernel.call.revalueMatched(bet, value);
		this.#effects.betReduced(id, value);
	}

	/**
	 * An unmatched lay was asked against the larger field: it lapses, or with PERSIST asks a lower price and keeps its
	 * time.
	 */
	#cutWaiting(bet: number): void {
		const { bets, kernel } = this.#state;
		const { ladder } = this.#market;
		const left = bets.remaining(bet);
		if (left === 0) return;
		const id = bets.id(bet);
		if (!bets.persists(bet)) {
			this.#effects.betLapsed(id, left, 'RUNNER_REMOVED');
			this.#state.bringBackTarget(this.#market, bet, this.#effects);
			this.#state.cancelRemaining(this.#market, bet, left);
			return;
		}
		const cut = cutPrice(ladder, bets.price(bet), this.#command.reductionBp);
		if (cut === bets.price(bet)) return;
		kernel.call.repriceRemaining(bet, cut, ladder.tickOf(cut));
		this.#effects.betRepriced(id, cut);
	}
}

export function returnRunner(state: EngineState, command: ReturnRunner, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (!market.putBack(command.runner)) return refuse('UNKNOWN_RUNNER');
	// Outcomes that were impossible are possible again, and may raise the exposure.
	market.mayBeShort = true;
	for (const side of market.sides) {
		for (const position of state.positionsOf(market, side)) state.hold(market, position, effects);
	}
	market.version++;
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
	return DONE;
}
