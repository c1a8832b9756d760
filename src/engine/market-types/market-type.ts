/**
 * A file for each kind of market: which model it bets by, which prices it takes, how many of its runners win, and what
 * its runners get when it has ended. This one says what every kind answers; all-market-types.ts lists them.
 */
import type { BettingModel, RunnerResult } from '#engine/market-terms.ts';
import type { LineRange } from '#values/line-range.ts';
import type { PlayResult } from '#values/play-result.ts';
import type { LadderName } from '#values/price-ladder.ts';

/** More than any field of runners; bounds what one command can make the engine set aside. */
export const MOST_RUNNERS = 400;
/** How long a bet in-play may wait at most. */
export const LONGEST_DELAY_MS = 12_000;

/** What a market of a kind is given when it is listed. */
export interface MarketShape {
	runners: number;
	/** Rising; a runner each. */
	lines?: readonly number[];
	/** Of the first side, in quarters of a goal: −3 is −0.75. */
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
	/** Runners may be taken out, and prices are reduced then. */
	readonly reducible?: boolean;
	/** How many runners win, as the engine takes it. */
	winners(shape: MarketShape): number;
	/**
	 * To name the runners that won is enough to pay it. That is all a stream does, so a market of which this is false is
	 * never listed from one.
	 */
	decidedByWinners(shape: MarketShape): boolean;
	/** What each runner gets; null when `ended` does not decide it. */
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

/** On a quarter line the winner may win a half only, and its name does not say so; on others nothing is halved. */
export const onWholeOrHalfLine = ({ handicapQuarters = 0 }: MarketShape): boolean => handicapQuarters % 2 === 0;

/** A side that is so many quarters of a goal ahead of its line: a quarter short of a whole is half a bet. */
export function quartersAhead(quarters: number): RunnerResult {
	if (quarters >= 2) return 'WIN';
	if (quarters <= -2) return 'LOSE';
	return quarters === 0 ? 'VOID' : quarters > 0 ? 'HALF_WIN' : 'HALF_LOSE';
}
