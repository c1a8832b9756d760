/**
 * A market on a number (runs, points, goals) whose prices are lines. The buyer of a line wins the stake when the
 * number is above it, the seller when it is below; on the line both stakes are returned. All bets are at evens. Lines
 * and numbers are in hundredths, like prices; the number itself is always whole.
 *
 * Buying is a lay and selling a back, as on Betfair. A better line is then a better price, and the book needs no
 * special rule: buyers want it low, sellers high.
 */

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
