/** The book of a fancy: the player's net by the resulting number, one interval between lines at a time. */

import type { Minor } from '#values/money.ts';
import type { BetPreview } from '#web/betting/position.ts';

export interface BookInterval {
	/** Null: everything below `to`. Both ends are part of the interval. */
	from: number | null;
	/** Null: `from` and everything above. */
	to: number | null;
	net: Minor;
}

/**
 * Merges neighbouring intervals with the same result. Numbers are whole if the lines are.
 * @param lines rising
 * @param none the net if the first line is not reached, and `nets` if each is the last one reached
 */
export function fancyBook(lines: readonly number[], none: Minor, nets: readonly Minor[]): BookInterval[] {
	const intervals: BookInterval[] = [{ from: null, to: null, net: none }];
	lines.forEach((line, at) => {
		const last = intervals[intervals.length - 1] as BookInterval;
		const net = nets[at] ?? none;
		if (net === last.net) return;
		last.to = line - unitOf(lines);
		intervals.push({ from: line, to: null, net });
	});
	return intervals;
}

/** The step below a line: whole numbers for runs and points, hundredths for levels with decimals. */
const unitOf = (lines: readonly number[]): number => (lines.every(Number.isInteger) ? 1 : 0.01);

/** The same with a bet that is not placed yet. */
export const bookWithBet = (lines: readonly number[], { whatIf, whatIfNone }: BetPreview): BookInterval[] =>
	fancyBook(lines, whatIfNone, whatIf);
