/**
 * Cashing out of a market whose prices are lines: sells the net bought stake, or buys the net sold stake. Equal units
 * on both sides leave no risk below and above all lines. Between them the player keeps the difference of the lines,
 * positive or negative, so the certain result is the minimum over all numbers.
 */
import { addMatched, copyOf, shownNets, worstOf } from '#values/exposure.ts';
import type { Figures } from '#values/figures.ts';
import { type CashOutPlan, fillsOf, hedgeOf, levelsFor, type RunnerDepth } from '#values/hedge.ts';
import { BACK, LAY } from '#values/sides.ts';

/** Stakes bought less stakes sold. */
function unitsOf({ data, at, runners: lines }: Figures): number {
	const bought = data.subarray(at + 2, at + 2 + lines).reduce((sum, passing) => sum + passing, 0);
	return bought / 200;
}

/**
 * @param figures matched bets only
 * @param share of the stake at risk, 0 to 1
 * @param delayed the hedge is delayed, so only its worst line is certain, because each line is an outcome of its own
 * @returns null if the book is too thin, no hedges if bought and sold stakes are equal
 */
export function planOnALine(figures: Figures, depth: RunnerDepth, share: number, delayed = false): CashOutPlan | null {
	const units = unitsOf(figures);
	const side = units > 0 ? BACK : LAY;
	const offered = fillsOf(levelsFor(side, depth), Math.round(Math.abs(units) * share));
	if (!offered) return null;
	const worst = offered.at(-1)?.price ?? 0;
	const fills = delayed ? offered.map(({ size }) => ({ price: worst, size })) : offered;
	const closed = copyOf(figures);
	for (const { price, size } of fills) addMatched(closed, 0, side, price * size, size);
	const hedge = hedgeOf(0, side, fills);
	return {
		hedges: fills.length === 0 ? [] : [hedge],
		after: shownNets(closed),
		before: worstOf(figures) / 100,
		certain: worstOf(closed) / 100,
		lines: side === BACK ? hedge.value : -hedge.value,
	};
}
