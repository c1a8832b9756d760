/**
 * A T20 innings as a chain of balls whose odds depend on how strong the side is, on the phase of the innings, on the pitch
 * and on whether the tail bats, with chances to win and to tie from any state, computed backwards once for each strength
 * and ground. Prices are calibrated by construction: a chance of 40 % wins 40 of 100 matches.
 */
import { kept } from '#sports/cricket/kept-tables.ts';

export const BALLS = 120;
export const WICKETS = 10;
/** Totals above this count as this: they are out of reach. */
const MOST_RUNS = 270;

interface BallOutcome {
	runs: number;
	wicket: boolean;
}

/** Shares of balls; what is left of them are balls without a run. */
interface Shares {
	wicket: number;
	ones: number;
	twos: number;
	threes: number;
	fours: number;
	sixes: number;
}

/**
 * Between equal sides, by the balls of an innings that are left: the powerplay, the middle overs and the last five. They
 * give about the run rates of Twenty20 internationals until 2016: 7.3 an over in the first six and 8.7 in the last five
 * (S. Rajesh, "Why the middle overs are key in T20Is", ESPNcricinfo, 26 February 2016), and 145 runs an innings (a count of
 * 290,000 balls at sportdw.com, May 2016). The rest is shared out so that these come about.
 */
const PHASES: readonly { from: number; shares: Shares }[] = [
	{ from: 84, shares: { wicket: 0.042, ones: 0.33, twos: 0.05, threes: 0.005, fours: 0.14, sixes: 0.035 } },
	{ from: 30, shares: { wicket: 0.048, ones: 0.42, twos: 0.065, threes: 0.005, fours: 0.08, sixes: 0.04 } },
	{ from: 0, shares: { wicket: 0.085, ones: 0.36, twos: 0.09, threes: 0.005, fours: 0.115, sixes: 0.075 } },
];

/**
 * The middle overs by the pitch; over all grounds they give the shares above. On a turning pitch spinners bowl most of
 * them: in the World Twenty20 of 2016, in India, they took a wicket every 18.7 balls for 21.5 runs each, and the seamers
 * one for 27.3 (S. Rajesh, "Dots, boundaries, and a WT20 for spinners", ESPNcricinfo, 1 April 2016).
 */
const MIDDLE_OVERS: Readonly<Record<Pitch, Pick<Shares, 'wicket' | 'fours' | 'sixes'>>> = {
	TRUE: { wicket: 0.0465, fours: 0.0835, sixes: 0.043 },
	TURNING: { wicket: 0.054, fours: 0.07, sixes: 0.031 },
};
const MIDDLE_FROM = 30;

export type Pitch = 'TRUE' | 'TURNING';

/**
 * Where a match is played. A wet ball slips: with dew the side batting second makes the fours of a step of edge more, and
 * wins 57 or 58 of 100 matches between equal sides. Of the matches of the Indian Premier League from 2015 to 2022, sides that
 * chose to chase won 57.5 % and sides that were asked to 52.5 % (Hindustan Times, 29 March 2022, by ESPNcricinfo).
 */
export interface Ground {
	pitch: Pitch;
	hasDew: boolean;
}
const EDGE_OF_DEW = 1;

/** The edge of the side batting second, in its own innings. @param edge of the side batting first */
export const chasingEdge = (edge: number, { hasDew }: Ground): number => (hasDew ? EDGE_OF_DEW : 0) - edge;

/** With so few wickets left bowlers bat: they are out more often, and hit fewer boundaries. */
const TAIL_WICKETS = 3;
const ofTail = (shares: Shares): Shares => ({
	...shares,
	wicket: shares.wicket * 1.5,
	fours: shares.fours * 0.7,
	sixes: shares.sixes * 0.7,
});

/** How strong a side can be against the other, whose edge is the opposite: a side of 4 wins nine of ten matches. */
const MOST_EDGE = 4;
export const edgeOf = (difference: number): number => Math.max(-MOST_EDGE, Math.min(MOST_EDGE, difference));
/** For each step of its edge a side makes this share of its balls four runs instead of none. */
const FOURS_AN_EDGE = 0.012;

interface Chance extends BallOutcome {
	/** Between equal sides. */
	chance: number;
	/** What a step of edge adds. */
	anEdge: number;
}
type Outcomes = readonly Chance[];

function outcomesAt({ wicket, ones, twos, threes, fours, sixes }: Shares): Outcomes {
	const dots = 1 - wicket - ones - twos - threes - fours - sixes;
	return [
		{ runs: 0, wicket: false, chance: dots, anEdge: -FOURS_AN_EDGE },
		{ runs: 1, wicket: false, chance: ones, anEdge: 0 },
		{ runs: 2, wicket: false, chance: twos, anEdge: 0 },
		{ runs: 3, wicket: false, chance: threes, anEdge: 0 },
		{ runs: 4, wicket: false, chance: fours, anEdge: FOURS_AN_EDGE },
		{ runs: 6, wicket: false, chance: sixes, anEdge: 0 },
		{ runs: 0, wicket: true, chance: wicket, anEdge: 0 },
	];
}

/** By phase: of batters, and of the tail. */
const outcomesOn = (pitch: Pitch) =>
	PHASES.map(({ from, shares: ofAll }) => {
		const shares = from === MIDDLE_FROM ? { ...ofAll, ...MIDDLE_OVERS[pitch] } : ofAll;
		return { from, batters: outcomesAt(shares), tail: outcomesAt(ofTail(shares)) };
	});
const OUTCOMES = { TRUE: outcomesOn('TRUE'), TURNING: outcomesOn('TURNING') };

/** @param ballsLeft before the ball */
function outcomesOf(pitch: Pitch, ballsLeft: number, wicketsLeft: number): Outcomes {
	const phase = OUTCOMES[pitch].find(({ from }) => ballsLeft > from);
	if (!phase) throw new Error('No ball is left.');
	return wicketsLeft <= TAIL_WICKETS ? phase.tail : phase.batters;
}

/** Of an innings, before the ball. */
interface AtCrease {
	/** Of the side that bats. */
	edge: number;
	pitch: Pitch;
	balls: number;
	wickets: number;
}

/** The outcome for a random number between 0 and 1. */
export function outcomeOf(draw: number, { edge, pitch, balls, wickets }: AtCrease): BallOutcome {
	const outcomes = outcomesOf(pitch, BALLS - balls, WICKETS - wickets);
	let rest = draw;
	for (const outcome of outcomes) {
		rest -= outcome.chance + edge * outcome.anEdge;
		if (rest < 0) return outcome;
	}
	return outcomes[0] as BallOutcome;
}

/** The state of a T20 match that its remainder depends on. */
export interface Standing {
	innings: 1 | 2;
	ballsLeft: number;
	wicketsLeft: number;
	runs: number;
	/** Of the side batting second. */
	target: number;
	/** Of the side batting first, -4 to 4. */
	edge: number;
	ground: Ground;
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
function chaseTable({ atEnd, perBall }: Figure, edge: number, pitch: Pitch): Float32Array {
	const table = newTable();
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			const row = index(balls - 1, wickets, 0);
			const ball = { edge, outcomes: balls === 0 ? [] : outcomesOf(pitch, balls, wickets) };
			for (let needed = 0; needed <= MOST_RUNS; needed++) {
				const isEnded = needed === 0 || balls === 0 || wickets === 0;
				table[index(balls, wickets, needed)] = isEnded
					? atEnd(needed)
					: perBall + meanAfter(table, ball, row, needed, -1);
			}
		}
	}
	return table;
}

/** By balls and wickets left of the side batting first and its runs so far, before the chase. */
function settingTable({ perBall }: Figure, chases: Float32Array, edge: number, pitch: Pitch): Float32Array {
	const table = newTable();
	for (let balls = 0; balls <= BALLS; balls++) {
		for (let wickets = 0; wickets <= WICKETS; wickets++) {
			const row = index(balls - 1, wickets, 0);
			const ball = { edge, outcomes: balls === 0 ? [] : outcomesOf(pitch, balls, wickets) };
			for (let made = MOST_RUNS; made >= 0; made--) {
				const isEnded = balls === 0 || wickets === 0;
				table[index(balls, wickets, made)] = isEnded
					? (chases[index(BALLS, WICKETS, Math.min(MOST_RUNS, made + 1))] as number)
					: perBall + meanAfter(table, ball, row, made, 1);
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
function meanAfter(
	table: Float32Array,
	{ outcomes, edge }: { outcomes: Outcomes; edge: number },
	row: number,
	runs: number,
	sign: 1 | -1,
): number {
	let mean = 0;
	for (let at = 0; at < outcomes.length; at++) {
		const outcome = outcomes[at] as Chance;
		const after = Math.min(MOST_RUNS, Math.max(0, runs + sign * outcome.runs));
		const cell = (outcome.wicket ? row - MOST_RUNS - 1 : row) + after;
		mean += (outcome.chance + edge * outcome.anEdge) * (table[cell] as number);
	}
	return mean;
}

/** The figure between two edges. @param share of the way from the lower to the higher */
type Between = (lower: number, higher: number, share: number) => number;
const evenly: Between = (lower, higher, share) => lower + share * (higher - lower);
const logOdds = (chance: number): number => Math.log(chance / (1 - chance));
/** The log odds of winning grow with the edge nearly evenly; the chance itself would be off by half a hundredth. */
const byOdds: Between = (lower, higher, share) =>
	Math.min(lower, higher) <= 0 || Math.max(lower, higher) >= 1
		? evenly(lower, higher, share)
		: 1 / (1 + Math.exp(-evenly(logOdds(lower), logOdds(higher), share)));

/** Computes the tables of a figure, for whole edges and grounds, when they are asked for. */
function reckoned(figure: Figure, between: Between): (standing: Standing) => number {
	const chasesAt = kept((edge: number, pitch: Pitch) => chaseTable(figure, edge, pitch));
	const settingsAt = kept((edge: number, pitch: Pitch, hasDew: boolean) =>
		settingTable(figure, chasesAt(chasingEdge(edge, { pitch, hasDew }), pitch), edge, pitch),
	);
	const at = ({ innings, ballsLeft, wicketsLeft, runs, target, ground }: Standing, edge: number): number => {
		const { pitch, hasDew } = ground;
		if (innings === 1)
			return settingsAt(edge, pitch, hasDew)[index(ballsLeft, wicketsLeft, Math.min(MOST_RUNS, runs))] as number;
		const needed = Math.min(MOST_RUNS, Math.max(0, target - runs));
		return chasesAt(chasingEdge(edge, ground), pitch)[index(ballsLeft, wicketsLeft, needed)] as number;
	};
	return (standing) => {
		const below = Math.floor(standing.edge);
		const share = standing.edge - below;
		const lower = at(standing, below);
		return share === 0 ? lower : between(lower, at(standing, below + 1), share);
	};
}

/** Chance that the side batting first wins. A chase that ends one run short is a tie, which is decided evenly. */
export const chanceOfFirst = reckoned(
	{ atEnd: (lacking) => (lacking === 0 ? 0 : lacking === 1 ? 0.5 : 1), perBall: 0 },
	byOdds,
);
export const chanceOfTie = reckoned({ atEnd: (lacking) => (lacking === 1 ? 1 : 0), perBall: 0 }, byOdds);
/** Balls that both sides are expected to bowl from now on. */
export const expectedBallsLeft = reckoned({ atEnd: () => 0, perBall: 1 }, evenly);
