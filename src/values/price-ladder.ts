/**
 * The classic ladder of 350 ticks, prices in integer hundredths (2.02 is 202).
 * Source: exchange rules, "Ladder"; the same steps as the public Betfair price increments.
 */
import type { Any, Checked } from '#values/kinds.ts';
import { type LineRange, lineCount } from '#values/line-range.ts';

/** A decimal price in integer hundredths: 101 … 100000. */
export type Price = Checked<'price'>;
/** A price in hundredths in the engine and on the server: one of a bet or a row, checked when it came in. */
export type AnyPrice = Any<'price'>;

/** [from, to, step] in hundredths; each band starts one step above the end of the one before. */
const BANDS: readonly (readonly [number, number, number])[] = [
	[101, 200, 1],
	[200, 300, 2],
	[300, 400, 5],
	[400, 600, 10],
	[600, 1000, 20],
	[1000, 2000, 50],
	[2000, 3000, 100],
	[3000, 5000, 200],
	[5000, 10000, 500],
	[10000, 100000, 1000],
];

export const MIN_PRICE = 101 as Price;
export const MAX_PRICE = 100_000 as Price;

const prices: Price[] = [MIN_PRICE];
for (const [from, to, step] of BANDS) {
	const first = from === 101 ? 102 : from + step;
	for (let price = first; price <= to; price += step) prices.push(price as Price);
}

/** All prices of the ladder, ascending; the index of a price is its tick (0 = 1.01, 349 = 1000). */
export const LADDER: readonly Price[] = prices;
const TICK_COUNT = prices.length;

const tickByPrice = new Int16Array(MAX_PRICE + 1).fill(-1);
prices.forEach((price, tick) => {
	tickByPrice[price] = tick;
});

/** The tick of a price in hundredths, or -1 when it is not on the ladder. */
export function tickOf(price: AnyPrice): number {
	return Number.isInteger(price) && price >= 0 && price < tickByPrice.length ? (tickByPrice[price] as number) : -1;
}

/** The price of a tick; throws outside 0 … 349. */
export function priceAt(tick: number): Price {
	const price = prices[tick];
	if (price === undefined) throw new Error(`no such tick: ${tick}`);
	return price;
}

/** The nearest ladder prices at or below and at or above a price in hundredths; null past an end of the ladder. */
function nearestPrices(price: AnyPrice): { below: Price | null; above: Price | null } {
	let below: Price | null = null;
	for (const candidate of prices) {
		if (candidate <= price) below = candidate;
		if (candidate >= price) return { below, above: candidate };
	}
	return { below, above: null };
}

/** The prices that a market takes, and a tick number for each. */
export interface Ladder {
	readonly tickCount: number;
	/** The prices are lines: a better line on one bet does not offset a worse one on another. */
	readonly ofLines?: true;
	/** The tick of a price in hundredths, or -1 when it is not on the ladder. */
	tickOf(price: AnyPrice): number;
	/** The price of a tick from 0 on. */
	priceAt(tick: number): Price;
	/** The ladder's prices at or below and at or above a price in hundredths; null past an end. */
	nearest(price: AnyPrice): { below: Price | null; above: Price | null };
}

/** A ladder of every hundredth from 1.01 on. */
function everyHundredth(last: number): Ladder {
	const tickCount = last - MIN_PRICE + 1;
	return {
		tickCount,
		tickOf: (price) => (Number.isInteger(price) && price >= MIN_PRICE && price <= last ? price - MIN_PRICE : -1),
		priceAt: (tick) => (tick + MIN_PRICE) as Price,
		nearest: (price) => ({
			below: price < MIN_PRICE ? null : (Math.min(last, Math.floor(price)) as Price),
			above: price > last ? null : (Math.max(MIN_PRICE, Math.ceil(price)) as Price),
		}),
	};
}

/**
 * By name: the classic ladder of exchange markets; every hundredth to 1000 for handicaps; every hundredth to 10.99 where
 * the house quotes a rate per 100, 1 to 999.
 */
export const LADDERS = {
	CLASSIC: { tickCount: TICK_COUNT, tickOf, priceAt, nearest: nearestPrices },
	FINE: everyHundredth(MAX_PRICE),
	RATES: everyHundredth(1099),
} as const satisfies Record<string, Ladder>;
export type LadderName = keyof typeof LADDERS;

/** The prices that a market takes: a ladder's name, or its own range of lines. */
export type LadderTerms = LadderName | LineRange;

/** The ladder of a market's lines. */
function linesAsLadder({ min, max, interval }: LineRange): Ladder {
	const tickCount = lineCount({ min, max, interval });
	const at = (tick: number) => (min + tick * interval) as Price;
	return {
		tickCount,
		ofLines: true,
		tickOf: (price) => (price >= min && price <= max && (price - min) % interval === 0 ? (price - min) / interval : -1),
		priceAt: at,
		nearest: (price) => ({
			below: price < min ? null : at(Math.min(tickCount - 1, Math.floor((price - min) / interval))),
			above: price > max ? null : at(Math.max(0, Math.ceil((price - min) / interval))),
		}),
	};
}

export const ladderOf = (terms: LadderTerms): Ladder =>
	typeof terms === 'string' ? LADDERS[terms] : linesAsLadder(terms);

/**
 * The ladder's price closest to a price in hundredths, the lower of two equally close ones; null if it is not a number.
 */
export function closestPrice(ladder: Ladder, hundredths: number): Price | null {
	if (!Number.isFinite(hundredths)) return null;
	const { below, above } = ladder.nearest(hundredths);
	if (below === null || above === null) return above ?? below;
	return hundredths - below <= above - hundredths ? below : above;
}

/**
 * A decimal price or line of the wire (2.02) in hundredths, or null if it has more than two decimals or is not a
 * number; the market's ladder decides whether it is taken.
 */
export function priceFromDecimal(decimal: number): Price | null {
	if (!Number.isFinite(decimal) || decimal <= 0 || decimal > 1000) return null;
	const units = Math.round(decimal * 100);
	return units / 100 === decimal ? (units as Price) : null;
}

/** A typed decimal in whole hundredths, on a ladder or not: 2.024 → 202. */
export const hundredthsFromDecimal = (decimal: number): number => Math.round(decimal * 100);

/** Hundredths to the decimal price of the wire: 202 → 2.02. */
export function decimalFromPrice(price: number): number {
	return price / 100;
}
