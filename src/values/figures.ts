/** The figures of a position: the totals of bets in one market, for every number of winners. */
import type { LineRange } from '#values/line-range.ts';

/** The number of winners of a market where any number of runners may win. */
export const ANY_NUMBER = 0;
/** The number of winners of a market whose runners are lines in rising order: a result reaches the first N of them. */
export const RISING = -1;
/** For a market with one runner whose prices are lines; a result passes the first N of them. */
export const ON_A_LINE = -2;

/** The terms that decide the number and the meaning of a row's figures. */
export interface FigureShape {
	/** Of a market whose prices are lines, the lines. */
	runners: number;
	winners: number;
	/** An each-way market's divisor of the odds for a place; 0 in others. */
	eachWay: number;
	/** With ON_A_LINE winners. */
	line: LineRange | null;
}

/**
 * A position's row in a page of figures. From `at`: the base shared by all outcomes (−stake of each back, +stake of
 * each lay), the stakes of unmatched backs, then per runner: the difference that its win makes, its unmatched backs'
 * stakes, its unmatched lays' liability, and, where any number may win and each way, its own share of the base. Each
 * way one more: the loss of its unmatched orders if it is placed. With lines as prices a runner's figures are a line's.
 */
export interface Figures extends FigureShape {
	data: Float64Array;
	at: number;
	/** Minor units of the smallest coin of its currency: what is held is a multiple of it. */
	step: number;
	/** Removed runners: their outcomes are impossible. */
	out: { has(runner: number): boolean } | null;
}
