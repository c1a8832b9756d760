/** A result as it pays bets. */
import type { RunnerResult } from '#engine/market-terms.ts';
import type { LineRange } from '#values/line-range.ts';

/** A backer's return of a bet, in parts: a share of its value, Σ stake × price, and of its two stakes. */
export interface Share {
	ofValue: number;
	ofStake: number;
}

/**
 * A result that settles a market: the outcome of each runner's bets, and the runners that share the remaining places.
 */
export interface Payable {
	/**
	 * By runner: a whole win, nothing, the stake returned, half a win with half the stake returned, or a share of a
	 * win.
	 */
	results: readonly RunnerResult[];
	/** The number of places that the tied runners share, and their number; 1 of 1 without a tie. */
	places: number;
	parts: number;
	/** By runner, in an each-way market. */
	eachWay?: readonly Share[];
	/** Where prices are lines; results are by line then. */
	line?: LineRange;
}
