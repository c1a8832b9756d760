/**
 * Totals of bets on lines, by every possible result of the number: a position's worst result, and the profit of one
 * matched part. Lines and their prices are those of `line-range.ts`.
 */
import { type LineRange, lineCount } from '#values/line-range.ts';
import { LAY, type SideCode } from '#values/sides.ts';

const isWhole = (line: number): boolean => line % 100 === 0;

/** Whether a whole number lies above one line and below another. */
const hasNumberBetween = (line: number, next: number): boolean => (Math.floor(line / 100) + 1) * 100 < next;

/**
 * All outcomes, rising: below the first line, on a line that is a whole number, between two lines with a whole number
 * between them, above the last. `passed` lines lie below the number.
 */
export function* resultsOf(range: LineRange): Generator<{ passed: number; on: boolean }> {
	yield { passed: 0, on: false };
	const lines = lineCount(range);
	for (let tick = 0; tick < lines; tick++) {
		const line = range.min + tick * range.interval;
		if (isWhole(line)) yield { passed: tick, on: true };
		const next = tick === lines - 1 ? Number.POSITIVE_INFINITY : line + range.interval;
		if (hasNumberBetween(line, next)) yield { passed: tick + 1, on: false };
	}
}

/** The part of a position's figures that is read here: with lines as prices a runner's figures are a line's. */
interface LineFigures {
	data: Float64Array;
	at: number;
	runners: number;
	line: LineRange | null;
}

const plus = (data: Float64Array, at: number, amount: number): void => {
	data[at] = (data[at] as number) + amount;
};
const read = (data: Float64Array, at: number): number => data[at] as number;

/** An unmatched order: a buyer loses below the line and on it, but not above; for a seller it is the reverse. */
export function addUnmatchedOnLine(
	{ data, at, runners: lines }: LineFigures,
	tick: number,
	side: SideCode,
	stake: number,
): void {
	if (side === LAY) plus(data, at + 1, stake * 100);
	plus(data, at + 2 + (side === LAY ? lines : 2 * lines) + tick, stake * 100);
}

/** A matched part at a line: below it the seller wins, and passing it moves twice the stake. */
export function addMatchedOnLine({ data, at }: LineFigures, tick: number, side: SideCode, stake: number): void {
	const bought = side === LAY ? stake : -stake;
	plus(data, at, -bought * 100);
	plus(data, at + 2 + tick, bought * 200);
}

/**
 * The worst of all results, exact. On a line, half of the effect of passing it applies; its unmatched orders lose
 * nothing there.
 */
export function worstOnLine({ data, at, runners: lines, line: range }: LineFigures): number {
	let least = Number.POSITIVE_INFINITY;
	let sum = read(data, at) - read(data, at + 1);
	let done = 0;
	for (const { passed, on } of resultsOf(range as LineRange)) {
		for (; done < passed; done++) {
			const from = at + 2 + done;
			sum += read(data, from) + read(data, from + lines) - read(data, from + 2 * lines);
		}
		const from = at + 2 + passed;
		least = Math.min(least, on ? sum + read(data, from) / 2 + read(data, from + lines) : sum);
	}
	return least;
}

/** Profit of a matched part at a line when the number has passed it, equals it or stays below; exact. */
export function profitOnLine(side: SideCode, stake: number, result: 'WIN' | 'VOID' | 'LOSE'): number {
	if (result === 'VOID') return 0;
	return (result === 'WIN') === (side === LAY) ? stake * 100 : -stake * 100;
}
