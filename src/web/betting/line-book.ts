/** The book of a market whose prices are lines: the player's net by the resulting whole number. */
import { resultsOf } from '#values/line-figures.ts';
import { type LineRange, linesOf } from '#values/line-range.ts';
import { type Minor, minorOf } from '#values/money.ts';
import type { BookInterval } from '#web/betting/fancy-book.ts';

/**
 * Neighbouring numbers with the same result are one row.
 * @param none the net below every line, and `nets` if each is the last one passed. On a line the result is the mean of
 *   both sides, because the bets on that line are void.
 */
export function lineBook(range: LineRange, none: Minor, nets: readonly Minor[]): BookInterval[] {
	const lines = linesOf(range);
	const passing = (passed: number): Minor => (passed === 0 ? none : (nets[passed - 1] ?? none));
	const intervals: BookInterval[] = [];
	for (const { passed, on } of resultsOf(range)) {
		const [line, before] = [lines[passed], lines[passed - 1]];
		const from = on ? (line as number) / 100 : before === undefined ? null : Math.floor(before / 100) + 1;
		const to = on ? from : line === undefined ? null : Math.ceil(line / 100) - 1;
		const net = on ? minorOf((passing(passed) + passing(passed + 1)) / 2) : passing(passed);
		const last = intervals.at(-1);
		if (last?.net === net) last.to = to;
		else intervals.push({ from, to, net });
	}
	return intervals;
}
