/**
 * A T20 innings as a chain of balls with fixed odds, with exact chances to win and to tie from any state, computed backwards
 * once. Prices are calibrated by construction: a chance of 40 % wins 40 of 100 matches.
 */
export const BALLS = 120;
export const WICKETS = 10;
/** Totals above this count as this: they are out of reach. */
const MOST_RUNS = 320;

export interface BallOutcome {
	runs: number;
	wicket: boolean;
}

/** Chances of a ball's outcomes; they give about 152 runs and 6 wickets an innings. */
const OUTCOMES: readonly (BallOutcome & { chance: number })[] = [
	{ runs: 0, wicket: false, chance: 0.345 },
	{ runs: 1, wicket: false, chance: 0.37 },
	{ runs: 2, wicket: false, chance: 0.07 },
	{ runs: 3, wicket: false, chance: 0.005 },
	{ runs: 4, wicket: false, chance: 0.11 },
	{ runs: 6, wicket: false, chance: 0.05 },
	{ runs: 0, wicket: true, chance: 0.05 },
];

/** The outcome for a random number between 0 and 1. */
export function outcomeOf(draw: number): BallOutcome {
	let rest = draw;
	for (const outcome of OUTCOMES) {
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
}

/** A figure of the remainder of a match: its value at the end, by the runs still needed, and its increment for each ball. */
interface Figure {
	atEnd(lacking: number): number;
	perBall: number;
}

const index = (ballsLeft: number, wicketsLeft: number, runs: number): number =>
	(ballsLeft * (WICKETS + 1) + wicketsLeft) * (MOST_RUNS + 1) + runs;
const newTable = (): Float32Array => new Float32Array((BALLS + 1) * (WICKETS + 1) * (MOST_RUNS + 1));

/** By balls and wickets left and the runs still needed. */
function chaseTable({ atEnd, perBall }: Figure): Float32Array {
	const table = newTable();
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			for (let needed = 0; needed <= MOST_RUNS; needed++) {
				const isEnded = needed === 0 || balls === 0 || wickets === 0;
				const after = (runs: number, wicket: number) =>
					table[index(balls - 1, wickets - wicket, Math.max(0, needed - runs))] as number;
				table[index(balls, wickets, needed)] = isEnded ? atEnd(needed) : perBall + meanOf(after);
			}
		}
	}
	return table;
}

/** By balls and wickets left of the side batting first and its runs so far, before the chase. */
function settingTable({ perBall }: Figure, chases: Float32Array): Float32Array {
	const table = newTable();
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			for (let made = MOST_RUNS; made >= 0; made--) {
				const after = (runs: number, wicket: number) =>
					table[index(balls - 1, wickets - wicket, Math.min(MOST_RUNS, made + runs))] as number;
				const isEnded = balls === 0 || wickets === 0;
				table[index(balls, wickets, made)] = isEnded
					? (chases[index(BALLS, WICKETS, Math.min(MOST_RUNS, made + 1))] as number)
					: perBall + meanOf(after);
			}
		}
	}
	return table;
}

function meanOf(after: (runs: number, wicket: 0 | 1) => number): number {
	let mean = 0;
	for (const { chance, runs, wicket } of OUTCOMES) mean += chance * after(runs, wicket ? 1 : 0);
	return mean;
}

/** Computes the tables of a figure at first use. */
function reckoned(figure: Figure): (standing: Standing) => number {
	let tables: { chases: Float32Array; settings: Float32Array } | null = null;
	return ({ innings, ballsLeft, wicketsLeft, runs, target }) => {
		if (!tables) {
			const chases = chaseTable(figure);
			tables = { chases, settings: settingTable(figure, chases) };
		}
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
