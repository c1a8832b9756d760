/**
 * The interface of a market type: its betting model, its ladder, how many of its runners win, and the results of its
 * runners when it ends. Each type has a file; all-market-types.ts lists them.
 */
import type { BettingModel, RunnerResult } from '#engine/market-terms.ts';
import type { LineRange } from '#values/line-range.ts';
import type { PlayResult } from '#values/play-result.ts';
import type { LadderName } from '#values/price-ladder.ts';

/** More than any field of runners; bounds what one command can allocate. */
export const MOST_RUNNERS = 400;
/** The longest bet delay. */
export const LONGEST_DELAY_MS = 12_000;

/** The terms that a listing adds to its type. */
export interface MarketShape {
	runners: number;
	/** Rising, one for each runner. */
	lines?: readonly number[];
	/** The first side's start in quarters of a goal: −3 is −0.75. */
	handicapQuarters?: number;
	/** Places that are paid. */
	places?: number;
	/** Where prices are lines. */
	lineRange?: LineRange;
}

export interface MarketType {
	/** As the wire and the operators name it. */
	readonly name: string;
	readonly model: BettingModel;
	readonly ladder: LadderName;
	/** Whether runners may be removed, with a reduction of the other prices. */
	readonly reducible?: boolean;
	/** How many runners win, as the engine takes it. */
	winners(shape: MarketShape): number;
	/**
	 * Whether the names of the winners are enough to settle it. A stream names no more, so a market without this is
	 * never listed from one.
	 */
	decidedByWinners(shape: MarketShape): boolean;
	/** The result of each runner; null when `ended` does not decide it. */
	resultOf(ended: PlayResult, shape: MarketShape): RunnerResult[] | null;
}

export const everyRunner = (shape: MarketShape, result: RunnerResult): RunnerResult[] =>
	Array.from({ length: shape.runners }, () => result);

/** The named runners win, the tied ones share, the rest lose. */
export function winnersOf(ended: PlayResult, shape: MarketShape): RunnerResult[] | null {
	if (ended.unfinished) return everyRunner(shape, 'VOID');
	if (!ended.winners && !ended.tied) return null;
	const results = everyRunner(shape, 'LOSE');
	for (const runner of ended.winners ?? []) results[runner] = 'WIN';
	for (const runner of ended.placed ?? []) results[runner] = 'PLACED';
	for (const runner of ended.tied ?? []) results[runner] = 'TIE';
	return results;
}

/** On a quarter line the winner may win only a half, and its name does not say so; on other lines nothing is halved. */
export const onWholeOrHalfLine = ({ handicapQuarters = 0 }: MarketShape): boolean => handicapQuarters % 2 === 0;

/** The result of a side that leads its line by that many quarters of a goal: one quarter is half a bet. */
export function quartersAhead(quarters: number): RunnerResult {
	if (quarters >= 2) return 'WIN';
	if (quarters <= -2) return 'LOSE';
	return quarters === 0 ? 'VOID' : quarters > 0 ? 'HALF_WIN' : 'HALF_LOSE';
}
