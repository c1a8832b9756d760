/** Trade: the level of an index, a share, a currency or a commodity after ten minutes of ticks. */

import { lineRunners, linesBetween } from '#sports/lines.ts';
import type { MarketState, PlayState } from '#sports/play.ts';
import { cardHead, type Play, type SimulatedSport, type Step } from '#sports/play.ts';
import { type Draw, normalFrom, randomFrom, seedOf } from '#sports/random.ts';
import type { TradeCard } from '#sports/score-card.ts';
import { TRADE } from '#values/sports.ts';

/** `step` is between two lines; levels have two decimals. */
const INSTRUMENTS = [
	{ name: 'Meridian 50 index', unit: 'points', level: 24_500, step: 5 },
	{ name: 'Harbour crude oil', unit: '₹ a barrel', level: 6_800, step: 2 },
	{ name: 'Copperline Steel share', unit: '₹', level: 1_450, step: 1 },
	{ name: 'Crown, a thousand in rupees', unit: '₹', level: 89_200, step: 20 },
	{ name: 'Orient bank index', unit: 'points', level: 51_800, step: 10 },
	{ name: 'Kaveri natural gas', unit: '₹', level: 268, step: 1 },
	{ name: 'Malabar pepper', unit: '₹ a quintal', level: 64_500, step: 20 },
	{ name: 'Silverline Motors share', unit: '₹', level: 9_350, step: 4 },
	{ name: 'Konkan Ports share', unit: '₹', level: 1_120, step: 1 },
	{ name: 'Deccan gold', unit: '₹ for 10 grams', level: 72_400, step: 20 },
	{ name: 'Tidewater Energy share', unit: '₹', level: 2_860, step: 2 },
	{ name: 'Himal Cement share', unit: '₹', level: 2_240, step: 2 },
] as const;

const TICK_MS = 10_000;
const TICKS = 60;
/** Prices move at every tick. */
const DEPTH = 8;
/** Standard deviation of the level at the end, in steps between lines. */
const SPREAD_STEPS = 5;
/** Standard deviation of a fixture's drift over all ticks, as a share of that. */
const DRIFT_SHARE = 0.35;
/** Lines on each side of the open. */
const LINES_BESIDE = 15;
const CENTS = 100;

const RULES = {
	direction: 'Whether the level of the last tick is above that of the open. Equal counts as down.',
	level: 'The level of the last tick. YES wins when it is at the line or above. Void if the ticks stop before.',
};

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
	readonly #instrument: (typeof INSTRUMENTS)[number];
	readonly #draw: Draw;
	/** Levels in hundredths, from the open on. */
	readonly #levels: number[];
	/** Deviation of one tick, hundredths. */
	readonly #tick: number;
	/** What a tick adds on average: the trend of this fixture, hundredths. */
	readonly #drift: number;
	readonly #lines: number[];

	constructor(seed: number, number: number) {
		this.#draw = randomFrom(seedOf(seed, TRADE, number));
		this.#instrument = INSTRUMENTS[number % INSTRUMENTS.length] as (typeof INSTRUMENTS)[number];
		const { name, level, step } = this.#instrument;
		const open = Math.round((level + 20 * step * normalFrom(this.#draw)) * CENTS);
		this.#levels = [open];
		this.#tick = (SPREAD_STEPS * step * CENTS) / Math.sqrt(TICKS);
		this.#drift = (DRIFT_SHARE * SPREAD_STEPS * step * CENTS * normalFrom(this.#draw)) / TICKS;
		const middle = Math.round(open / CENTS / step) * step;
		this.#lines = linesBetween(middle - LINES_BESIDE * step, middle + LINES_BESIDE * step, step);
		this.title = `${name}, round ${Math.floor(number / INSTRUMENTS.length) + 1}`;
	}

	get steps(): number {
		return this.#levels.length - 1;
	}
	get isEnded(): boolean {
		return this.steps >= TICKS;
	}
	get #open(): number {
		return this.#levels[0] as number;
	}
	get #level(): number {
		return this.#levels.at(-1) as number;
	}

	step(): Step {
		this.#levels.push(Math.round(this.#level + this.#drift + this.#tick * normalFrom(this.#draw)));
		return { pauseMs: TICK_MS, incident: false };
	}

	state(): PlayState {
		return {
			inPlay: this.steps > 0,
			isEnded: this.isEnded,
			markets: this.#markets(),
			score: this.#card(),
			scoreLine: this.#line(),
		};
	}

	/** The level, and how long it moves. */
	#line(): string {
		const level = (this.#level / CENTS).toFixed(2);
		if (this.steps === 0) return '';
		if (this.isEnded) return level;
		const seconds = ((TICKS - this.steps) * TICK_MS) / 1000;
		return `${level}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} to go`;
	}

	#markets(): MarketState[] {
		const up = this.#chanceOf(this.#open + 1);
		const value = this.#level / CENTS;
		return [
			{
				name: 'Match Odds',
				type: 'MATCH_ODDS',
				runners: [
					{ id: 'up', name: 'Up' },
					{ id: 'down', name: 'Down' },
				],
				betDelaySeconds: 0,
				rules: RULES.direction,
				depth: DEPTH,
				chances: [up, 1 - up],
				result: this.isEnded ? { winners: [this.#level > this.#open ? 0 : 1] } : null,
			},
			{
				name: 'Level at the end',
				type: 'TRADE',
				lines: this.#lines,
				runners: lineRunners(this.#lines),
				betDelaySeconds: 0,
				rules: RULES.level,
				chances: this.#lines.map((line) => this.#chanceOf(line * CENTS)),
				result: this.isEnded ? { value } : null,
			},
		];
	}

	/** Chance that the last level is at or above this one, in hundredths. Levels are rounded, so half a hundredth below counts. */
	#chanceOf(level: number): number {
		const left = TICKS - this.steps;
		const spread = this.#tick * Math.sqrt(left);
		if (spread === 0) return this.#level >= level ? 1 : 0;
		return normalBelow((this.#level + this.#drift * left - (level - 0.5)) / spread);
	}

	#card(): TradeCard {
		const { name, unit } = this.#instrument;
		const left = TICKS - this.steps;
		return {
			sport: 'trade',
			...cardHead(this, false),
			note: this.isEnded ? 'The level counts' : `${left} ${left === 1 ? 'tick' : 'ticks'} to go`,
			instrument: name,
			unit,
			openLevel: this.#open / CENTS,
			level: this.#level / CENTS,
			ticksLeft: left,
			history: this.#levels.map((level) => level / CENTS),
		};
	}
}

/** The share of a normal distribution below this many deviations, to seven digits. Source: Abramowitz and Stegun 26.2.17. */
function normalBelow(deviations: number): number {
	const size = Math.abs(deviations);
	const t = 1 / (1 + 0.2316419 * size);
	const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	const above = (Math.exp((-size * size) / 2) / Math.sqrt(2 * Math.PI)) * series;
	return deviations < 0 ? above : 1 - above;
}
