/** Trade: the level of an index, a share, a currency or a commodity after ten minutes of ticks. */

import { cardHead, type Play, type PlayState, type SimulatedSport, type Step } from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';
import type { TradeCard } from '#sports/score-card.ts';
import { tradeMarkets } from '#sports/trade/trade-markets.ts';
import { CENTS, TradeWalk } from '#sports/trade/trade-walk.ts';
import { TRADE } from '#values/sports.ts';

const TICK_MS = 10_000;

export const trade: SimulatedSport = {
	sportId: TRADE,
	key: 'trade',
	model: 2,
	spacingMs: 9 * 60_000,
	leadMs: 0,
	headStartSteps: 20,
	calendar: { next: 16, every: 40 },
	orders: { inPlay: 30, atTheStart: 10 },
	begin: (seed, number) => new TradePlay(seed, number),
};

class TradePlay implements Play {
	readonly title: string;
	readonly competition = 'Ten-minute rounds';
	readonly #walk: TradeWalk;

	constructor(seed: number, number: number) {
		this.#walk = new TradeWalk(seedOf(seed, TRADE, number), number);
		this.title = `${this.#walk.name}, round ${this.#walk.round}`;
	}

	get steps(): number {
		return this.#walk.ticks;
	}
	get isEnded(): boolean {
		return this.#walk.isEnded;
	}

	step(): Step {
		this.#walk.tick();
		return { pauseMs: TICK_MS, incident: false };
	}

	state(): PlayState {
		return {
			inPlay: this.steps > 0,
			isEnded: this.isEnded,
			markets: tradeMarkets(this.#walk),
			score: this.#card(),
			scoreLine: this.#line(),
		};
	}

	/** The level, and how long it moves. */
	#line(): string {
		const level = (this.#walk.level / CENTS).toFixed(2);
		if (this.steps === 0) return '';
		if (this.isEnded) return level;
		const seconds = (this.#walk.ticksLeft * TICK_MS) / 1000;
		return `${level}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} to go`;
	}

	#card(): TradeCard {
		const { name, unit, open, level, ticksLeft, levels } = this.#walk;
		return {
			sport: 'trade',
			...cardHead(this, false),
			note: this.isEnded ? 'The level counts' : `${ticksLeft} ${ticksLeft === 1 ? 'tick' : 'ticks'} to go`,
			instrument: name,
			unit,
			openLevel: open / CENTS,
			level: level / CENTS,
			ticksLeft,
			history: levels.map((each) => each / CENTS),
		};
	}
}
