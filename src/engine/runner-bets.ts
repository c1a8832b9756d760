/**
 * What a removal, a return or another factor does to bets. Bets on a runner that is out are void. In racing the others were
 * matched against a larger field, so their prices are reduced by the factor, fill by fill, to the nearest hundredth.
 * Prices are derived from the market's removals each time, so a factor that was wrong leaves no trace in them.
 * Source: exchange rules, "Removal, dead heat, voiding".
 */
import type { RunnerChange } from '#engine/bet-change.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import { cutPrice, priceNow } from '#engine/market-types/reduced-price.ts';
import { LAY } from '#values/sides.ts';

export class RunnerBets {
	readonly #state: EngineState;
	readonly #market: Market;
	readonly #change: RunnerChange;
	readonly #effects: Effects;

	constructor(state: EngineState, market: Market, change: RunnerChange, effects: Effects) {
		this.#state = state;
		this.#market = market;
		this.#change = change;
		this.#effects = effects;
	}

	/** The caller updates what is held for the bets' positions. */
	take(rows: readonly number[]): void {
		const { bets } = this.#state;
		const { runner, voids } = this.#change;
		const isOut = (bet: number) => voids && bets.runner(bet) === runner;
		const others = rows.filter((bet) => !isOut(bet));
		for (const bet of rows) if (isOut(bet)) this.#void(bet);
		if (this.#market.terms.reducible) for (const bet of others) this.#reprice(bet);
	}

	#reprice(bet: number): void {
		const { bets } = this.#state;
		if (bets.matched(bet) > 0) this.#revalue(bet);
		if (this.#change.cuts && bets.side(bet) === LAY) this.#cutWaiting(bet);
	}

	#void(bet: number): void {
		const { bets, kernel } = this.#state;
		const [betId, stake, value] = [bets.id(bet), bets.matched(bet), bets.matchedValue(bet)];
		this.#state.lapseRest(this.#market, bet, 'RUNNER_REMOVED', this.#effects);
		if (stake === 0) return;
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
		if (bets.isOnClose(bet)) {
			this.#lowerLimit(bet);
			return;
		}
		const id = bets.id(bet);
		if (!bets.persists(bet) && !bets.isAtStart(bet)) {
			this.#state.lapseRest(this.#market, bet, 'RUNNER_REMOVED', this.#effects);
			return;
		}
		const cut = cutPrice(ladder, bets.price(bet), this.#change.reductionBp, this.#market.terms.reduces);
		if (cut === bets.price(bet)) return;
		kernel.call.repriceRemaining(bet, cut, ladder.tickOf(cut));
		this.#effects.betRepriced(id, cut);
	}

	/** Its limit was asked against the larger field. A lay that takes any price still does. */
	#lowerLimit(bet: number): void {
		const { bets, kernel } = this.#state;
		const { ladder } = this.#market;
		const tick = bets.tick(bet);
		if (tick < 0) return;
		const cut = cutPrice(ladder, ladder.priceAt(tick), this.#change.reductionBp, this.#market.terms.reduces);
		if (ladder.tickOf(cut) === tick) return;
		kernel.call.lowerLimit(bet, ladder.tickOf(cut));
		this.#effects.limitLowered(bets.id(bet), cut);
	}
}
