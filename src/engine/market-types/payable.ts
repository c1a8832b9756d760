/** A result as it pays bets. */
import type { RunnerResult } from '#engine/market-terms.ts';
import type { LineRange } from '#values/line-range.ts';

/** What a backer gets back of a bet: so much of its value, Σ stake × price, and so much of its two stakes, in parts. */
export interface Share {
	ofValue: number;
	ofStake: number;
}

/** A result that can be paid: what each runner's bets get, and the runners that share what places are left. */
export interface Payable {
	/** By runner: all of a win, nothing, its stake back, a half of one with its stake back for the rest, or a share of a win. */
	results: readonly RunnerResult[];
	/** How many places the tied runners share, and how many they are; 1 of 1 without a tie. */
	places: number;
	parts: number;
	/** By runner, in an each-way market. */
	eachWay?: readonly Share[];
	/** Where prices are lines; results are a line's then. */
	line?: LineRange;
}
