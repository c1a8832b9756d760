/**
 * A player's possible loss in one market, for every number of winners. A position is a row of exact amounts (hundredths
 * of a minor unit): for each runner the difference that its win makes to the base shared by all outcomes, and the possible
 * loss of unmatched orders. The engine keeps such rows in pages; the site creates its own row to show the effect of a
 * bet. Source: exchange rules, "Exposure".
 */
import { eachWayExactIfWins, placedLoss, worstEachWay } from '#values/each-way.ts';
import { ANY_NUMBER, type FigureShape, type Figures, ON_A_LINE, RISING } from '#values/figures.ts';
import { minorToHold, netMinorOfParts } from '#values/liability.ts';
import { addMatchedOnLine, addUnmatchedOnLine, worstOnLine } from '#values/line-figures.ts';
import { tickOfLine } from '#values/line-range.ts';
import type { AnyMinor } from '#values/money.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** The number of figures in a row. */
export const figureCount = ({ runners, winners, eachWay }: Omit<FigureShape, 'line'>): number =>
	2 + runners * (eachWay > 0 ? 5 : winners === ANY_NUMBER ? 4 : 3);

export function emptyFigures(
	runners: number,
	winners = 1,
	{ eachWay = 0, line = null, out = null, step = 1 }: Partial<Pick<Figures, 'eachWay' | 'line' | 'out' | 'step'>> = {},
): Figures {
	const shape = { runners, winners, eachWay, line };
	return { ...shape, data: new Float64Array(figureCount(shape)), at: 0, step, out };
}

/** The same position in a row of its own, for trial changes. */
export const copyOf = (figures: Figures): Figures => ({
	...figures,
	data: figures.data.slice(figures.at, figures.at + figureCount(figures)),
	at: 0,
});

/** A copy without the unmatched orders. */
export function matchedOf(figures: Figures): Figures {
	const copy = copyOf(figures);
	const { data, runners, winners, eachWay } = copy;
	data[1] = 0;
	data.fill(0, 2 + runners, 2 + 3 * runners);
	if (eachWay > 0) data.fill(0, 2 + 4 * runners);
	else if (winners !== ANY_NUMBER) data.fill(0, 2 + 3 * runners);
	return copy;
}

const plus = (data: Float64Array, at: number, amount: number): void => {
	data[at] = (data[at] as number) + amount;
};
const read = (data: Float64Array, at: number): number => data[at] as number;

/** Adds (or with a negative stake removes) an unmatched order. */
export function addUnmatched(figures: Figures, runner: number, side: SideCode, price: number, stake: number): void {
	const { data, at, runners, eachWay, line } = figures;
	if (line !== null) return addUnmatchedOnLine(figures, tickOfLine(line, price), side, stake);
	if (eachWay > 0) plus(data, at + 2 + 4 * runners + runner, placedLoss(side, price, stake, eachWay));
	const backs = at + 2 + runners + runner;
	if (side === BACK) {
		plus(data, at + 1, stake * 100);
		plus(data, backs, stake * 100);
	} else plus(data, backs + runners, stake * (price - 100));
}

/**
 * Adds a matched part by its stake and its value, Σ stake × price; negative ones remove it. Where prices are lines it
 * is a single fill.
 */
export function addMatched(figures: Figures, runner: number, side: SideCode, value: number, stake: number): void {
	const { data, at, runners, winners, eachWay, line } = figures;
	if (line !== null) return addMatchedOnLine(figures, tickOfLine(line, value / stake), side, stake);
	const base = side === BACK ? -stake * 100 : stake * 100;
	const gain = at + 2 + runner;
	plus(data, at, base);
	plus(data, gain, side === BACK ? value : -value);
	if (winners === ANY_NUMBER || eachWay > 0) plus(data, gain + 3 * runners, base);
}

/** The factor of a position's exact figures over hundredths of a minor unit: an each-way market's divisor. */
const partsOf = ({ eachWay }: Pick<Figures, 'eachWay'>): number => eachWay || 1;

/**
 * Exact net of the matched bets if only that runner wins; for a line, if it is the last one that is reached, or passed.
 * Hundredths of a minor unit, each way times the divisor.
 */
export function netIfWins(figures: Figures, runner: number): number {
	const { data, at, winners, eachWay } = figures;
	if (eachWay > 0) return eachWayExactIfWins(figures, runner);
	let net = read(data, at) + read(data, at + 2 + runner);
	if (winners === RISING || winners === ON_A_LINE)
		for (let line = 0; line < runner; line++) net += read(data, at + 2 + line);
	return net;
}

/** The same if no runner with bets wins or, each way, is placed. */
const netIfNone = ({ data, at, eachWay }: Figures): number => read(data, at) * (eachWay > 0 ? 2 : 1);

/** The player's net by outcome, for display: whole coins, rounded like a settlement. */
export const shownNets = (figures: Figures): AnyMinor[] =>
	Array.from({ length: figures.runners }, (_, runner) =>
		netMinorOfParts(netIfWins(figures, runner), partsOf(figures), figures.step),
	);

/** The same if no runner with bets wins. */
export const shownNetIfNone = (figures: Figures): AnyMinor => netMinorOfParts(netIfNone(figures), 1, figures.step);

/** The additional loss if a runner wins, with unmatched orders counted against the player. */
function difference({ data, at, runners, out }: Figures, runner: number): number {
	if (out?.has(runner)) return Number.POSITIVE_INFINITY;
	const from = at + 2 + runner;
	return read(data, from) + read(data, from + runners) - read(data, from + 2 * runners);
}

/** Every outcome: the shared base plus the smallest differences of N runners, N being the number of winners. */
function worstOfWinners(figures: Figures, winners = figures.winners): number {
	const { data, at, runners } = figures;
	const shared = read(data, at) - read(data, at + 1);
	const differences = new Float64Array(runners);
	for (let runner = 0; runner < runners; runner++) differences[runner] = difference(figures, runner);
	let sum = shared;
	for (const smallest of differences.sort().subarray(0, winners))
		if (smallest < Number.POSITIVE_INFINITY) sum += smallest;
	return sum;
}

/** Where any number may win each runner is a bet of its own. */
function worstOfAnyNumber(figures: Figures): number {
	const { data, at, runners } = figures;
	let sum = 0;
	for (let runner = 0; runner < runners; runner++) {
		const from = at + 2 + runner;
		const lose = read(data, from + 3 * runners);
		const whenItWins = lose + read(data, from) - read(data, from + 2 * runners);
		const whenItLoses = lose - read(data, from + runners);
		sum += Math.min(whenItWins, whenItLoses, 0);
	}
	return sum;
}

/** A result reaches none of the lines, or the first, or the first two …: each interval between lines is an outcome. */
function worstOfLines(figures: Figures): number {
	const { data, at, runners } = figures;
	let sum = read(data, at) - read(data, at + 1);
	let least = sum;
	for (let line = 0; line < runners; line++) {
		sum += difference(figures, line);
		least = Math.min(least, sum);
	}
	return least;
}

/** The held amount, whole coins rounded up: the worst outcome with every unmatched order counted against the player. */
export function exposureMinor(figures: Figures): AnyMinor {
	const worst = worstOf(figures);
	return worst < 0 ? minorToHold(-worst, figures.eachWay || 1, figures.step) : 0;
}

/** Largest of the figures that a bet on that runner changes; the caller keeps it among the safe integers. */
export function largestFigure({ data, at, line, runners }: Figures, runner: number): number {
	if (line !== null)
		return data.subarray(at, at + 2 + runners).reduce((most, figure) => Math.max(most, Math.abs(figure)), 0);
	return Math.abs(read(data, at)) + Math.abs(read(data, at + 2 + runner));
}

/** The minimum over all outcomes, in hundredths of a minor unit, each way times the divisor. */
export function worstOf(figures: Figures): number {
	if (figures.line) return worstOnLine(figures);
	if (figures.eachWay > 0) return worstEachWay(figures) ?? worstOfWinners(figures, 1) * figures.eachWay;
	if (figures.winners === ANY_NUMBER) return worstOfAnyNumber(figures);
	if (figures.winners === RISING) return worstOfLines(figures);
	return worstOfWinners(figures);
}
