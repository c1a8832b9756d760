/**
 * A T20 innings as a chain of balls whose odds depend on how strong the side is, with exact chances to win and to tie from
 * any state, computed backwards once for each strength. Prices are calibrated by construction: a chance of 40 % wins 40 of
 * 100 matches.
 */
export const BALLS = 120;
export const WICKETS = 10;
/** Totals above this count as this: they are out of reach. */
const MOST_RUNS = 270;

interface BallOutcome {
	runs: number;
	wicket: boolean;
}

/** Chances of a ball's outcomes between equal sides; they give about 148 runs and 6 wickets an innings. */
const OUTCOMES: readonly (BallOutcome & { chance: number })[] = [
	{ runs: 0, wicket: false, chance: 0.345 },
	{ runs: 1, wicket: false, chance: 0.37 },
	{ runs: 2, wicket: false, chance: 0.07 },
	{ runs: 3, wicket: false, chance: 0.005 },
	{ runs: 4, wicket: false, chance: 0.11 },
	{ runs: 6, wicket: false, chance: 0.05 },
	{ runs: 0, wicket: true, chance: 0.05 },
];

/** How strong a side can be against the other, whose edge is the opposite: the sides of 3 win four of five matches. */
export const EDGES = [-3, -2, -1, 0, 1, 2, 3] as const;
export type Edge = (typeof EDGES)[number];
/** For each step of its edge a side makes this share of its balls four runs instead of none. */
const FOURS_AN_EDGE = 0.008;

const outcomesAt = (edge: number): typeof OUTCOMES =>
	OUTCOMES.map((outcome) => {
		if (outcome.wicket || (outcome.runs !== 0 && outcome.runs !== 4)) return outcome;
		return { ...outcome, chance: outcome.chance + Math.sign(outcome.runs - 1) * edge * FOURS_AN_EDGE };
	});
const OUTCOMES_BY_EDGE = EDGES.map(outcomesAt);
const outcomesOf = (edge: number): typeof OUTCOMES => OUTCOMES_BY_EDGE[edge - EDGES[0]] ?? OUTCOMES;

/** The outcome for a random number between 0 and 1. @param edge of the side that bats */
export function outcomeOf(draw: number, edge: number): BallOutcome {
	let rest = draw;
	for (const outcome of outcomesOf(edge)) {
		rest -= outcome.chance;
		if (rest < 0) return outcome;
	}
	return OUTCOMES[0] as BallOutcome;
}

/** The state of a T20 match that its remainder depends on. */
export interface Standing {
	innings: 1 | 2;
	ballsLeft: number;
	wicketsLeft: number;
	runs: number;
	/** Of the side batting second. */
	target: number;
	/** Of the side batting first. */
	edge: Edge;
}

/** A figure of the remainder of a match: its value at the end, by the runs still needed, and its increment for each ball. */
interface Figure {
	atEnd(lacking: number): number;
	perBall: number;
}

const index = (ballsLeft: number, wicketsLeft: number, runs: number): number =>
	(ballsLeft * (WICKETS + 1) + wicketsLeft) * (MOST_RUNS + 1) + runs;
const newTable = (): Float32Array => new Float32Array((BALLS + 1) * (WICKETS + 1) * (MOST_RUNS + 1));

/** By balls and wickets left and the runs still needed. @param edge of the side that chases */
function chaseTable({ atEnd, perBall }: Figure, edge: number): Float32Array {
	const table = newTable();
	const outcomes = outcomesOf(edge);
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			const row = index(balls - 1, wickets, 0);
			for (let needed = 0; needed <= MOST_RUNS; needed++) {
				const isEnded = needed === 0 || balls === 0 || wickets === 0;
				table[index(balls, wickets, needed)] = isEnded
					? atEnd(needed)
					: perBall + meanAfter(table, outcomes, row, needed, -1);
			}
		}
	}
	return table;
}

/** By balls and wickets left of the side batting first and its runs so far, before the chase. */
function settingTable({ perBall }: Figure, chases: Float32Array, edge: number): Float32Array {
	const table = newTable();
	const outcomes = outcomesOf(edge);
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			const row = index(balls - 1, wickets, 0);
			for (let made = MOST_RUNS; made >= 0; made--) {
				const isEnded = balls === 0 || wickets === 0;
				table[index(balls, wickets, made)] = isEnded
					? (chases[index(BALLS, WICKETS, Math.min(MOST_RUNS, made + 1))] as number)
					: perBall + meanAfter(table, outcomes, row, made, 1);
			}
		}
	}
	return table;
}

/**
 * The mean over the outcomes of a ball. Written without closures: it runs for each of a million cells.
 * @param row of the table with a ball less and as many wickets
 * @param sign of the runs scored: they add to runs made and take from runs needed
 */
function meanAfter(table: Float32Array, outcomes: typeof OUTCOMES, row: number, runs: number, sign: 1 | -1): number {
	let mean = 0;
	for (let at = 0; at < outcomes.length; at++) {
		const outcome = outcomes[at] as (typeof OUTCOMES)[number];
		const after = Math.min(MOST_RUNS, Math.max(0, runs + sign * outcome.runs));
		const cell = (outcome.wicket ? row - MOST_RUNS - 1 : row) + after;
		mean += outcome.chance * (table[cell] as number);
	}
	return mean;
}

interface Tables {
	chases: Float32Array;
	settings: Float32Array;
}

/** Computes the tables of a figure for an edge at their first use. */
function reckoned(figure: Figure): (standing: Standing) => number {
	const byEdge = new Map<Edge, Tables>();
	const tablesAt = (edge: Edge): Tables => {
		const chases = chaseTable(figure, -edge);
		const tables = { chases, settings: settingTable(figure, chases, edge) };
		byEdge.set(edge, tables);
		return tables;
	};
	return ({ innings, ballsLeft, wicketsLeft, runs, target, edge }) => {
		const tables = byEdge.get(edge) ?? tablesAt(edge);
		if (innings === 1) return tables.settings[index(ballsLeft, wicketsLeft, Math.min(MOST_RUNS, runs))] as number;
		const needed = Math.min(MOST_RUNS, Math.max(0, target - runs));
		return tables.chases[index(ballsLeft, wicketsLeft, needed)] as number;
	};
}

/** Chance that the side batting first wins. A chase that ends one run short is a tie, which is decided evenly. */
export const chanceOfFirst = reckoned({
	atEnd: (lacking) => (lacking === 0 ? 0 : lacking === 1 ? 0.5 : 1),
	perBall: 0,
});
export const chanceOfTie = reckoned({ atEnd: (lacking) => (lacking === 1 ? 1 : 0), perBall: 0 });
/** Balls that both sides are expected to bowl from now on. */
export const expectedBallsLeft = reckoned({ atEnd: () => 0, perBall: 1 });
