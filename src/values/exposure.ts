/**
 * What one player can lose in one market, for every number of winners. A position is a row of exact amounts (hundredths
 * of a paisa): for each runner what its win adds to what all outcomes have in common, and what unmatched orders would
 * lose. The engine keeps such rows in pages; the site makes one of its own to show what a bet would change.
 * Source: exchange rules, "Exposure".
 */
import { paiseToHold } from '#values/liability.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** The number of winners of a market where any number of runners may win. */
export const ANY_NUMBER = 0;
/** The number of winners of a market whose runners are lines in rising order: a result reaches the first so many. */
export const RISING = -1;

/**
 * A position's row in a page of figures. From `at`: the base that all outcomes share (−stake of each back, +stake of
 * each lay) and the stakes of unmatched backs; then a number each runner: what its win adds; then a number each runner:
 * what its win adds of unmatched orders, the stakes of its backs less the liability of its lays. Where any number may
 * win the latter holds the lays alone, and two more follow: the runner's unmatched backs, and its share of the base.
 */
export interface Figures {
	data: Float64Array;
	at: number;
	runners: number;
	winners: number;
	/** Runners that were taken out: their outcomes cannot come. */
	out: { has(runner: number): boolean } | null;
}

/** How many numbers a row has. */
export const figureCount = (runners: number, winners: number): number => 2 + runners * (winners === ANY_NUMBER ? 4 : 2);

export function emptyFigures(runners: number, winners = 1, out: Figures['out'] = null): Figures {
	return { data: new Float64Array(figureCount(runners, winners)), at: 0, runners, winners, out };
}

const plus = (data: Float64Array, at: number, amount: number): void => {
	data[at] = (data[at] as number) + amount;
};
const read = (data: Float64Array, at: number): number => data[at] as number;

/** Adds (or with a negative stake takes away) an unmatched order. */
export function addUnmatched(figures: Figures, runner: number, side: SideCode, price: number, stake: number): void {
	addUnmatchedAt(figures.data, figures.at, figures.runners, figures.winners, runner, side, price, stake);
}

/** The same for a row that is given by its numbers: what the engine does most often makes no objects. */
export function addUnmatchedAt(
	data: Float64Array,
	at: number,
	runners: number,
	winners: number,
	runner: number,
	side: SideCode,
	price: number,
	stake: number,
): void {
	const whenItWins = at + 2 + runners + runner;
	if (side !== BACK) {
		data[whenItWins] = (data[whenItWins] as number) - stake * (price - 100);
		return;
	}
	const exact = stake * 100;
	data[at + 1] = (data[at + 1] as number) + exact;
	const own = winners === ANY_NUMBER ? whenItWins + runners : whenItWins;
	data[own] = (data[own] as number) + exact;
}

/** Adds a matched part by its stake and its value, Σ stake × price; negative ones take it away. */
export function addMatched(figures: Figures, runner: number, side: SideCode, value: number, stake: number): void {
	addMatchedAt(figures.data, figures.at, figures.runners, figures.winners, runner, side, value, stake);
}

/** The same for a row that is given by its numbers. */
export function addMatchedAt(
	data: Float64Array,
	at: number,
	runners: number,
	winners: number,
	runner: number,
	side: SideCode,
	value: number,
	stake: number,
): void {
	const base = side === BACK ? -stake * 100 : stake * 100;
	const gain = at + 2 + runner;
	data[at] = (data[at] as number) + base;
	data[gain] = (data[gain] as number) + (side === BACK ? value : -value);
	if (winners === ANY_NUMBER) plus(data, gain + 3 * runners, base);
}

/** Exact net of the matched bets if that runner alone wins; of a line, if it is the last one that is reached. */
export function netIfWins({ data, at, winners }: Figures, runner: number): number {
	let net = read(data, at) + read(data, at + 2 + runner);
	if (winners === RISING) for (let line = 0; line < runner; line++) net += read(data, at + 2 + line);
	return net;
}

/** What a runner's win adds to its loss, unmatched orders counted against the player. */
function difference(data: Float64Array, at: number, runners: number, out: Figures['out'], runner: number): number {
	if (out !== null && out.has(runner)) return Number.POSITIVE_INFINITY;
	const from = at + 2 + runner;
	return (data[from] as number) + (data[from + runners] as number);
}

/** Every outcome: what all share plus the smallest differences of as many runners as win. */
function worstOfWinners(data: Float64Array, at: number, runners: number, winners: number, out: Figures['out']): number {
	const shared = (data[at] as number) - (data[at + 1] as number);
	const differences = new Float64Array(runners);
	for (let runner = 0; runner < runners; runner++) differences[runner] = difference(data, at, runners, out, runner);
	let sum = shared;
	for (const smallest of differences.sort().subarray(0, winners))
		if (smallest < Number.POSITIVE_INFINITY) sum += smallest;
	return sum;
}

/** Where any number may win each runner is a bet of its own. */
function worstOfAnyNumber(data: Float64Array, at: number, runners: number): number {
	let sum = 0;
	for (let runner = 0; runner < runners; runner++) {
		const from = at + 2 + runner;
		const lose = read(data, from + 3 * runners);
		const whenItWins = lose + read(data, from) + read(data, from + runners);
		const whenItLoses = lose - read(data, from + 2 * runners);
		sum += Math.min(whenItWins, whenItLoses, 0);
	}
	return sum;
}

/** A result reaches none of the lines, or the first, or the first two …: each interval between lines is an outcome. */
function worstOfLines(data: Float64Array, at: number, runners: number, out: Figures['out']): number {
	let sum = read(data, at) - read(data, at + 1);
	let least = sum;
	for (let line = 0; line < runners; line++) {
		sum += difference(data, at, runners, out, line);
		least = Math.min(least, sum);
	}
	return least;
}

/** What must be held, whole paise rounded up: the worst outcome with every unmatched order counted against the player. */
export function exposurePaise({ data, at, runners, winners, out }: Figures): number {
	return exposurePaiseAt(data, at, runners, winners, out);
}

/** The same for a row that is given by its numbers. */
export function exposurePaiseAt(
	data: Float64Array,
	at: number,
	runners: number,
	winners: number,
	out: Figures['out'],
): number {
	const worst =
		winners === 1 && out === null ? worstOfOneWinner(data, at, runners) : worstOf(data, at, runners, winners, out);
	return worst < 0 ? paiseToHold(-worst) : 0;
}

/** The commonest market has one winner, and all its runners. */
function worstOfOneWinner(data: Float64Array, at: number, runners: number): number {
	const end = at + 2 + runners;
	let least = Number.POSITIVE_INFINITY;
	for (let gain = at + 2; gain < end; gain++) {
		const difference = (data[gain] as number) + (data[gain + runners] as number);
		if (difference < least) least = difference;
	}
	return (data[at] as number) - (data[at + 1] as number) + least;
}

function worstOf(data: Float64Array, at: number, runners: number, winners: number, out: Figures['out']): number {
	if (winners > ANY_NUMBER) return worstOfWinners(data, at, runners, winners, out);
	return winners === RISING ? worstOfLines(data, at, runners, out) : worstOfAnyNumber(data, at, runners);
}
