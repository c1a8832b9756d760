/**
 * A number (runs, points, goals) on which players buy and sell lines at evens: a buyer wins above the line, a seller
 * below it, and on the line both stakes are returned.
 */
import { lineResults } from '#engine/market-types/line-result.ts';
import { everyRunner, type MarketType } from '#engine/market-types/market-type.ts';
import { ON_A_LINE } from '#values/figures.ts';
import { lineCount } from '#values/line-range.ts';

export const line: MarketType = {
	name: 'LINE',
	model: 'EXCHANGE',
	// Its listing names the range of its lines.
	ladder: 'CLASSIC',
	winners: () => ON_A_LINE,
	// It has one runner; only the number says which lines were passed.
	decidedByWinners: () => false,
	resultOf({ value, unfinished }, { lineRange }) {
		if (!lineRange) return null;
		const passed = value !== undefined && value * 100 > lineRange.max;
		// A number above every line stays above.
		if (unfinished && !passed) return everyRunner({ runners: lineCount(lineRange) }, 'VOID');
		return value === undefined ? null : lineResults(lineRange, value);
	},
};
