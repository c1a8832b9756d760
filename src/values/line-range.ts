/**
 * A market on a number (runs, points, goals) whose prices are lines. The buyer of a line wins the stake when the
 * number is above it, the seller when it is below; on the line both stakes are returned. All bets are at evens. Lines
 * and numbers are in hundredths, like prices; the number itself is always whole.
 *
 * Buying is a lay and selling a back, as on Betfair. A better line is then a better price, and the book needs no
 * special rule: buyers want it low, sellers high.
 */
import { LAY, type SideCode } from '#values/sides.ts';

/** From the lowest to the highest line in steps of the interval. */
export interface LineRange {
	min: number;
	max: number;
	interval: number;
}

export const lineCount = ({ min, max, interval }: LineRange): number => (max - min) / interval + 1;

/** The tick of a line, which must be in the range. */
export const tickOfLine = ({ min, interval }: LineRange, line: number): number => (line - min) / interval;

/** Every line, rising. */
export const linesOf = (range: LineRange): number[] =>
	Array.from({ length: lineCount(range) }, (_, tick) => range.min + tick * range.interval);

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

/** Of a position's figures what is read here: with lines as prices a runner's numbers are a line's. */
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

/** An unmatched order: a buyer loses below the line and on it, but not above; a seller the other way round. */
export function addUnmatchedOnLine(
	{ data, at, runners: lines }: LineFigures,
	tick: number,
	side: SideCode,
	stake: number,
): void {
	if (side === LAY) plus(data, at + 1, stake * 100);
	plus(data, at + 2 + (side === LAY ? lines : 2 * lines) + tick, stake * 100);
}

/** A matched part at a line: below it the seller wins, and passing it moves the stake twice. */
export function addMatchedOnLine({ data, at }: LineFigures, tick: number, side: SideCode, stake: number): void {
	const bought = side === LAY ? stake : -stake;
	plus(data, at, -bought * 100);
	plus(data, at + 2 + tick, bought * 200);
}

/**
 * The worst of all results, exact. On a line, half of what passing it brings; its unmatched orders lose nothing there.
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
