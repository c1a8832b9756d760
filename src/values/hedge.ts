/** A bet against a position, taken from what waits in the book. Amounts paise, prices hundredths. */
import { BACK, type SideCode } from '#values/sides.ts';

export interface PriceLevel {
	price: number;
	size: number;
}

/** How many price levels of each side a book shows, and a cash-out takes bets from. */
export const BOOK_DEPTH = 10;

/** What can be taken now, best first: `back` by a backer, `lay` by a layer. */
export interface RunnerDepth {
	back: readonly PriceLevel[];
	lay: readonly PriceLevel[];
}

export interface Hedge {
	runner: number;
	side: SideCode;
	stake: number;
	/** The worst price that has to be taken. */
	limit: number;
	/** Σ stake × price. */
	value: number;
}

export const levelsFor = (side: SideCode, depth: RunnerDepth): readonly PriceLevel[] =>
	side === BACK ? depth.back : depth.lay;

export const sizeOf = (levels: readonly PriceLevel[]): number => levels.reduce((sum, { size }) => sum + size, 0);

/** What a stake is filled with, best first; null when there is not as much. */
export function fillsOf(levels: readonly PriceLevel[], stake: number): PriceLevel[] | null {
	const fills: PriceLevel[] = [];
	let left = stake;
	for (const { price, size } of levels) {
		if (left === 0) break;
		fills.push({ price, size: Math.min(size, left) });
		left -= Math.min(size, left);
	}
	return left === 0 ? fills : null;
}

/** The bet that takes these fills, of which there is at least one. */
export function hedgeOf(runner: number, side: SideCode, fills: readonly PriceLevel[]): Hedge {
	const value = fills.reduce((sum, { price, size }) => sum + price * size, 0);
	return { runner, side, stake: sizeOf(fills), limit: fills.at(-1)?.price ?? 0, value };
}

/** Stakes are whole paise, so a cash-out leaves outcomes that differ by a few; up to so much they count as level. */
const LEVEL_EXACT = 1000;

/** Whether there is nothing to gain by bringing these results closer; exact amounts. */
export const isLevel = (results: readonly number[]): boolean =>
	Math.max(...results) - Math.min(...results) <= LEVEL_EXACT;

/** What cashing out would do. */
export interface CashOutPlan {
	hedges: Hedge[];
	/** Net per runner afterwards, if it wins; where prices are lines per line, if it is the last one passed. */
	after: number[];
	/** The least of all that can come: now, and afterwards. */
	before: number;
	certain: number;
	/** Where prices are lines, how good those are that have to be taken: Σ stake × line, of a buyer below zero. */
	lines?: number;
}
