/**
 * Removes a runner from a market, corrects its factor, or returns it. Its bets are void. In racing the other bets were
 * matched against a larger field, so their prices are reduced by the factor, fill by fill, to the nearest hundredth.
 * Prices are derived from the market's removals each time, so a factor that was wrong leaves no trace in them. Markets
 * without reductions (a match, an outright) keep the others' bets as they are.
 * Source: exchange rules, "Removal, dead heat, voiding".
 */

import type { CorrectReduction, RemoveRunner, ReturnRunner } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import { cutPrice, priceNow, WHOLE_BP } from '#engine/market-types/reduced-price.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { ON_A_LINE, RISING } from '#values/figures.ts';
import { LAY } from '#values/sides.ts';

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
	return changed(state, market, effects);
}

/** The runner is out, its removal reduces prices, and the factor is one. */
export const mayCorrect = (
	{ removed, terms }: Market,
	{ runner, reductionBp }: Pick<CorrectReduction, 'runner' | 'reductionBp'>,
): boolean => removed.has(runner) && terms.reducible && mayBeTakenOut(terms, reductionBp);

export function correctReduction(state: EngineState, command: CorrectReduction, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.status === 'SETTLING') return refuse('MARKET_SETTLING');
	if (market.paid) return refuse('MARKET_CLOSED');
	const { runner, reductionBp } = command;
	const before = market.removed.get(runner);
	if (before === undefined) return refuse('UNKNOWN_RUNNER');
	if (!mayCorrect(market, command)) return refuse('INVALID_REDUCTION');
	const { lapseReductionBp } = market.terms;

	market.correct(runner, reductionBp);
	// Lays that wait were asked under the factor of before: they are cut once, when it becomes large enough.
	const cuts = before < lapseReductionBp && reductionBp >= lapseReductionBp;
	for (const side of market.sides) new Removal(state, market, side, command, effects).reprice(cuts);
	return changed(state, market, effects);
}

function changed(state: EngineState, market: Market, effects: Effects): Outcome {
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

/** A removal, or another factor of one, in one pool. */
class Removal {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #side: PoolSide;
	readonly #removed: Pick<RemoveRunner, 'runner' | 'reductionBp'>;
	readonly #effects: Effects;

	constructor(
		state: EngineState,
		market: Market,
		side: PoolSide,
		removed: Pick<RemoveRunner, 'runner' | 'reductionBp'>,
		effects: Effects,
	) {
		this.#state = state;
		this.#market = market;
		this.#side = side;
		this.#removed = removed;
		this.#effects = effects;
	}

	/** Voids the bets of the runner that is out, and reprices the others. */
	run(): void {
		const { bets } = this.#state;
		const positions = this.#state.positionsOf(this.#market, this.#side);
		for (const bet of this.#state.betsOf(this.#market, this.#side)) {
			if (bets.runner(bet) === this.#removed.runner) this.#void(bet);
		}
		this.#reprice(this.#removed.reductionBp >= this.#market.terms.lapseReductionBp);
		for (const position of positions) this.#state.hold(this.#market, position, this.#effects);
	}

	/** @param cuts whether lays that wait are asked at reduced prices, too */
	reprice(cuts: boolean): void {
		const positions = this.#state.positionsOf(this.#market, this.#side);
		this.#reprice(cuts);
		for (const position of positions) this.#state.hold(this.#market, position, this.#effects);
	}

	#reprice(cuts: boolean): void {
		if (!this.#market.terms.reducible) return;
		const { bets } = this.#state;
		for (const bet of this.#state.betsOf(this.#market, this.#side)) {
			if (bets.matched(bet) > 0) this.#revalue(bet);
			if (cuts && bets.side(bet) === LAY) this.#cutWaiting(bet);
		}
	}

	#void(bet: number): void {
		const { bets, kernel } = this.#state;
		const [betId, stake, value] = [bets.id(bet), bets.matched(bet), bets.matchedValue(bet)];
		kernel.call.voidMatched(bet, stake, value);
		this.#effects.betVoided(betId, stake, value, 'RUNNER_REMOVED');
		this.#state.forget(this.#market, bet);
	}

	#revalue(bet: number): void {
		const { bets, kernel } = this.#state;
		const id = bets.id(bet);
		const fills = (this.#market.fills.get(id) ?? []).map((fill) => {
			const price = priceNow(this.#market.removals, this.#market.terms, fill);
			return price === fill.price ? fill : { ...fill, price, matchedAt: fill.matchedAt ?? fill.price };
		});
		const value = fills.reduce((sum, fill) => sum + fill.stake * fill.price, 0);
		if (value === bets.matchedValue(bet)) return;
		this.#market.fills.set(id, fills);
		kernel.call.revalueMatched(bet, value);
		this.#effects.betReduced(id, value, fills);
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
		const cut = cutPrice(ladder, bets.price(bet), this.#removed.reductionBp, this.#market.terms.reduces);
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
	for (const side of market.sides)
		new Removal(state, market, side, { runner: command.runner, reductionBp: 0 }, effects).reprice(false);
	return changed(state, market, effects);
}
