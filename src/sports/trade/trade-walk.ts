/** The model of a trade fixture: the level of an instrument, tick by tick, as a random walk with a drift. */
import { linesBetween } from '#sports/lines.ts';
import { type Draw, normalFrom, randomFrom } from '#sports/random.ts';

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

/** Ticks of a fixture. */
const TICKS = 60;
/** Standard deviation of the level at the end, in steps between lines. */
const SPREAD_STEPS = 5;
/** Standard deviation of a fixture's drift over all ticks, as a share of that. */
const DRIFT_SHARE = 0.35;
/** Lines on each side of the open. */
const LINES_BESIDE = 15;
/** Levels are counted in hundredths. */
export const CENTS = 100;

export class TradeWalk {
	readonly name: string;
	readonly unit: string;
	/** The fixture's number among those of its instrument, from 1. */
	readonly round: number;
	/** Levels in hundredths, from the open on. */
	readonly levels: number[];
	readonly lines: readonly number[];
	readonly #draw: Draw;
	/** Deviation of one tick, hundredths. */
	readonly #tick: number;
	/** The average change of a tick: the trend of this fixture, hundredths. */
	readonly #drift: number;

	constructor(seed: number, number: number) {
		this.#draw = randomFrom(seed);
		const { name, unit, level, step } = INSTRUMENTS[number % INSTRUMENTS.length] as (typeof INSTRUMENTS)[number];
		this.name = name;
		this.unit = unit;
		this.round = Math.floor(number / INSTRUMENTS.length) + 1;
		const open = Math.round((level + 20 * step * normalFrom(this.#draw)) * CENTS);
		this.levels = [open];
		this.#tick = (SPREAD_STEPS * step * CENTS) / Math.sqrt(TICKS);
		this.#drift = (DRIFT_SHARE * SPREAD_STEPS * step * CENTS * normalFrom(this.#draw)) / TICKS;
		const middle = Math.round(open / CENTS / step) * step;
		this.lines = linesBetween(middle - LINES_BESIDE * step, middle + LINES_BESIDE * step, step);
	}

	get open(): number {
		return this.levels[0] as number;
	}
	get level(): number {
		return this.levels.at(-1) as number;
	}
	get ticks(): number {
		return this.levels.length - 1;
	}
	get ticksLeft(): number {
		return TICKS - this.ticks;
	}
	get isEnded(): boolean {
		return this.ticks >= TICKS;
	}

	tick(): void {
		this.levels.push(Math.round(this.level + this.#drift + this.#tick * normalFrom(this.#draw)));
	}

	/** Chance that the last level is at or above this one, in hundredths. Levels are rounded, so half a hundredth below counts. */
	chanceOf(level: number): number {
		const left = this.ticksLeft;
		const spread = this.#tick * Math.sqrt(left);
		if (spread === 0) return this.level >= level ? 1 : 0;
		return normalBelow((this.level + this.#drift * left - (level - 0.5)) / spread);
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
