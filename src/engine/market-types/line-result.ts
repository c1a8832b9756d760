/** How a number settles a market whose prices are lines: by line, the result of its buyers. */
import type { BetFill } from '#engine/bet-detail.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { profitOnLine } from '#values/line-figures.ts';
import { type LineRange, linesOf } from '#values/line-range.ts';
import type { SideCode } from '#values/sides.ts';

/** @param value the number, whole */
export const lineResults = (range: LineRange, value: number): RunnerResult[] =>
	linesOf(range).map((line) => (line < value * 100 ? 'WIN' : line === value * 100 ? 'VOID' : 'LOSE'));

/** Whether some number gives this result. */
export function isLineResult(range: LineRange, results: readonly RunnerResult[]): boolean {
	const lines = linesOf(range);
	const passed = lines.filter((_, tick) => results[tick] === 'WIN').length;
	const next = lines[passed];
	// The number is the next line itself, or the last whole one before it.
	const value =
		next === undefined ? Number.POSITIVE_INFINITY : Math.ceil(next / 100) - (results[passed] === 'VOID' ? 0 : 1);
	const expected = lineResults(range, value);
	return results.length === lines.length && results.every((result, tick) => result === expected[tick]);
}

/** The whole numbers that give this result, usually one; null where there is no end to them. */
export function numbersOf(
	range: LineRange,
	results: readonly RunnerResult[],
): { from: number | null; to: number | null } {
	const lines = linesOf(range);
	const passed = results.filter((result) => result === 'WIN').length;
	const [before, next] = [lines[passed - 1], lines[passed]];
	if (next !== undefined && results[passed] === 'VOID') return { from: next / 100, to: next / 100 };
	return {
		from: before === undefined ? null : Math.floor(before / 100) + 1,
		to: next === undefined ? null : Math.ceil(next / 100) - 1,
	};
}

/** The exact profit of a bet's fills; null when all of them are void. */
export function lineProfit(
	side: SideCode,
	fills: readonly BetFill[],
	range: LineRange,
	results: readonly RunnerResult[],
): number | null {
	let [profit, counted] = [0, false];
	for (const { stake, price } of fills) {
		const result = results[(price - range.min) / range.interval] as 'WIN' | 'VOID' | 'LOSE';
		counted ||= result !== 'VOID';
		profit += profitOnLine(side, stake, result);
	}
	return counted ? profit : null;
}
