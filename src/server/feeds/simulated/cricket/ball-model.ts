/**
 * A T20 innings as a chain of balls with fixed odds, and the exact chance to win from any state of it, worked out
 * backwards once. So prices are calibrated by construction: what is quoted at 40 % wins in 40 of 100 matches.
 */
export const BALLS = 120;
export const WICKETS = 10;
/** Totals beyond this count as this: out of reach either way. */
const MOST_RUNS = 320;

export interface BallOutcome {
	runs: number;
	wicket: boolean;
}

/** Chances of what a ball brings; about 152 runs and 6 wickets an innings. */
const OUTCOMES: readonly (BallOutcome & { chance: number })[] = [
	{ runs: 0, wicket: false, chance: 0.345 },
	{ runs: 1, wicket: false, chance: 0.37 },
	{ runs: 2, wicket: false, chance: 0.07 },
	{ runs: 3, wicket: false, chance: 0.005 },
	{ runs: 4, wicket: false, chance: 0.11 },
	{ runs: 6, wicket: false, chance: 0.05 },
	{ runs: 0, wicket: true, chance: 0.05 },
];

/** The outcome a number between 0 and 1 stands for. */
export function outcomeOf(draw: number): BallOutcome {
	let rest = draw;
	for (const outcome of OUTCOMES) {
		rest -= outcome.chance;
		if (rest < 0) return outcome;
	}
	return OUTCOMES[0] as BallOutcome;
}

const index = (ballsLeft: number, wicketsLeft: number, runs: number): number =>
	(ballsLeft * (WICKETS + 1) + wicketsLeft) * (MOST_RUNS + 1) + runs;
const newTable = (): Float64Array => new Float64Array((BALLS + 1) * (WICKETS + 1) * (MOST_RUNS + 1));

/** Chance that the side batting second wins, by balls and wickets left and runs it still needs; a tie is a coin's toss. */
function chaseTable(): Float64Array {
	const table = newTable();
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			for (let needed = 0; needed <= MOST_RUNS; needed++) {
				table[index(balls, wickets, needed)] = chase(table, balls, wickets, needed);
			}
		}
	}
	return table;
}

function chase(table: Float64Array, balls: number, wickets: number, needed: number): number {
	if (needed === 0) return 1;
	if (balls === 0 || wickets === 0) return needed === 1 ? 0.5 : 0;
	let chance = 0;
	for (const outcome of OUTCOMES) {
		const left = Math.max(0, needed - outcome.runs);
		const after = table[index(balls - 1, wickets - (outcome.wicket ? 1 : 0), left)] as number;
		chance += outcome.chance * after;
	}
	return chance;
}

/** Chance that the side batting first wins, by balls and wickets left and runs made. */
function settingTable(chases: Float64Array): Float64Array {
	const table = newTable();
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			for (let made = MOST_RUNS; made >= 0; made--) {
				const target = Math.min(MOST_RUNS, made + 1);
				let chance = 0;
				if (balls === 0 || wickets === 0) chance = 1 - (chases[index(BALLS, WICKETS, target)] as number);
				else {
					for (const outcome of OUTCOMES) {
						const runs = Math.min(MOST_RUNS, made + outcome.runs);
						const after = table[index(balls - 1, wickets - (outcome.wicket ? 1 : 0), runs)] as number;
						chance += outcome.chance * after;
					}
				}
				table[index(balls, wickets, made)] = chance;
			}
		}
	}
	return table;
}

let tables: { chases: Float64Array; settings: Float64Array } | null = null;

/** Chance of the side batting first, from either innings. */
export function chanceOfFirst(state: {
	innings: 1 | 2;
	ballsLeft: number;
	wicketsLeft: number;
	runs: number;
	target: number;
}): number {
	if (!tables) {
		const chases = chaseTable();
		tables = { chases, settings: settingTable(chases) };
	}
	const { innings, ballsLeft, wicketsLeft, runs, target } = state;
	if (innings === 1) return tables.settings[index(ballsLeft, wicketsLeft, Math.min(MOST_RUNS, runs))] as number;
	const needed = Math.min(MOST_RUNS, Math.max(0, target - runs));
	return 1 - (tables.chases[index(ballsLeft, wicketsLeft, needed)] as number);
}
