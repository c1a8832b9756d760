/**
 * The functions of src/values that the kernel calls: see src/kernel/figures.ts. The kernel owns the figures of a
 * position, so each function reads and writes them in its memory.
 */
import { type KernelImports, ORDERS } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import type { PositionTable } from '#engine/positions.ts';
import { mostProfit } from '#values/bet-limits.ts';
import { addMatched, addUnmatched, exposureMinor, largestFigure, matchedOf } from '#values/exposure.ts';
import { profitRatioIsUnfair } from '#values/liability.ts';
import { type OrderTerm, takesTerm } from '#values/order-terms.ts';
import type { SideCode } from '#values/sides.ts';

/** What a request may ask that not every market takes, by its flags. */
const FLAGGED: readonly (readonly [flags: number, OrderTerm])[] = [
	[ORDERS.POST_ONLY, 'POST_ONLY'],
	[ORDERS.EXPIRES, 'EXPIRES'],
	[ORDERS.UNTIL_MATCHED, 'UNTIL_MATCHED'],
	[ORDERS.OWN_LAPSES_RESTING | ORDERS.OWN_LAPSES_TAKING, 'OWN_LAPSES'],
];

/**
 * @param positions a function, because positions are created after the kernel
 * @param marketAt the market of a row
 */
export function figureFunctions(
	positions: () => PositionTable,
	marketAt: (row: number) => Market,
): KernelImports['figures'] {
	return {
		addUnmatched: (position, runner, side, price, stake) =>
			addUnmatched(positions().figures(position), runner, side as SideCode, price, stake),
		addMatched: (position, runner, side, value, stake) =>
			addMatched(positions().figures(position), runner, side as SideCode, value, stake),
		exposure: (position) => exposureMinor(positions().figures(position)),
		matchedExposure: (position) => exposureMinor(matchedOf(positions().figures(position))),
		largestFigure: (position, runner) => largestFigure(positions().figures(position), runner),
		mostProfit: (market, side, price, stake) =>
			mostProfit(marketAt(market).shape, { side: side as SideCode, price, stake }),
		profitRatioIsUnfair,
		takesTerms: (market, flags) => {
			const { taking } = marketAt(market);
			return FLAGGED.every(([flag, term]) => !(flags & flag) || takesTerm(taking, term));
		},
	};
}
