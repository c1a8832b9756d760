/**
 * Fancies: a number against lines at the house's rates. YES, a back, wins when the number reaches its line; NO, a lay,
 * wins when it does not. The runners are the lines in rising order.
 */
import type { RunnerResult } from '#engine/market-terms.ts';
import { everyRunner, type MarketType } from '#engine/market-types/market-type.ts';
import { RISING } from '#values/figures.ts';

/** @param reachedStands a line that was reached stays reached when play stops early; the others are void either way */
const fancy = (name: string, { reachedStands }: { reachedStands: boolean }): MarketType => ({
	name,
	model: 'FANCY',
	ladder: 'RATES',
	winners: () => RISING,
	// Its runners are lines, not rivals: a name could be the highest line reached, or one of several.
	decidedByWinners: () => false,
	resultOf({ value, unfinished }, shape) {
		const lines = shape.lines ?? [];
		if (unfinished) {
			// Lines are settled together or not at all: one undecided line voids all.
			const reached = value !== undefined && lines.every((line) => line <= value);
			return everyRunner(shape, reachedStands && reached ? 'WIN' : 'VOID');
		}
		return value === undefined ? null : lines.map((line) => (value >= line ? 'WIN' : 'LOSE'));
	},
});

/**
 * The whole numbers that give this result, without an end where it lies beyond the lines; null when the lines are void.
 */
export function numberReached(
	lines: readonly number[],
	results: readonly RunnerResult[],
): { from: number | null; to: number | null } | null {
	if (results.includes('VOID')) return null;
	const reached = results.filter((result) => result === 'WIN').length;
	const next = lines[reached];
	return { from: lines[reached - 1] ?? null, to: next === undefined ? null : next - 1 };
}

/** Runs in that many overs. An innings that ends all out counts as finished, one that rain ends does not. */
export const sessionRuns = fancy('SESSION_RUNS', { reachedStands: false });
export const overRuns = fancy('OVER_RUNS', { reachedStands: false });
/** A batsman who retires or runs out of overs keeps the runs made. */
export const batsmanRuns = fancy('BATSMAN_RUNS', { reachedStands: true });
/** The score at which the next wicket falls. */
export const fallOfWicket = fancy('FALL_OF_WICKET', { reachedStands: true });
export const boundaries = fancy('BOUNDARIES', { reachedStands: true });
/** Kabaddi. */
export const points = fancy('POINTS', { reachedStands: true });
/** The level of an index, share, currency or commodity at a stated time. */
export const trade = fancy('TRADE', { reachedStands: false });
