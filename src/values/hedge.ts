/** A bet against a position, filled from the book. Amounts minor units, prices hundredths. */
import { BACK, type SideCode } from '#values/sides.ts';

export interface PriceLevel {
	price: number;
	size: number;
}

/** Price levels of each side that a book shows and a cash-out uses. */
export const BOOK_DEPTH = 10;

/** Available stake, best first: `back` for a backer, `lay` for a layer. */
export interface RunnerDepth {
	back: readonly PriceLevel[];
	lay: readonly PriceLevel[];
}

export interface Hedge {
	runner: number;
	side: SideCode;
	stake: number;
	/** The worst price taken. */
	limit: number;
	/** Σ stake × price. */
	value: number;
}

export const levelsFor = (side: SideCode, depth: RunnerDepth): readonly PriceLevel[] =>
	side === BACK ? depth.back : depth.lay;

export const sizeOf = (levels: readonly PriceLevel[]): number => levels.reduce((sum, { size }) => sum + size, 0);

/** The levels that fill a stake, best first; null if the book has less. */
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

/** The bet that takes these fills; there is at least one. */
export function hedgeOf(runner: number, side: SideCode, fills: readonly PriceLevel[]): Hedge {
	const value = fills.reduce((sum, { price, size }) => sum + price * size, 0);
	return { runner, side, stake: sizeOf(fills), limit: fills.at(-1)?.price ?? 0, value };
}

/** Stakes are whole minor units, so outcomes differ by a few after a cash-out; up to this difference they count as level. */
const LEVEL_EXACT = 1000;

/** Whether levelling these results gains nothing; exact amounts. */
export const isLevel = (results: readonly number[]): boolean =>
	Math.max(...results) - Math.min(...results) <= LEVEL_EXACT;

/** The result of cashing out. */
export interface CashOutPlan {
	hedges: Hedge[];
	/** Net per runner afterwards, if it wins; where prices are lines, per line, if it is the last one passed. */
	after: number[];
	/** The certain result, now and afterwards. */
	before: number;
	certain: number;
	/** Where prices are lines, the quality of the taken lines: Σ stake × line, negative for a buyer. */
	lines?: number;
}
