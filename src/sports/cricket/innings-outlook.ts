/** Forecasts the rest of an innings for its fancies: plays it out many times from its current state and counts results. */
import { BALLS, outcomeOf, WICKETS } from '#sports/cricket/ball-model.ts';
import { BALLS_AN_OVER, type Innings, SIX_OVERS } from '#sports/cricket/twenty-over-match.ts';
import { type Draw, randomFrom } from '#sports/random.ts';

const PLAYED_ON = 1000;

/** Each list holds one result for each time the innings was played out. */
export interface InningsOutlook {
	sixOverRuns: number[];
	/** Runs of the two openers. */
	openers: [number[], number[]];
	/** Runs at the fall of the next wicket, for the times that one falls. */
	nextFall: number[];
	/** Runs at the end of the innings, for the times that none falls. */
	unbroken: number[];
	/** Runs of the over being bowled, or about to be, and of the one after it if it is begun. */
	overs: [number[], number[]];
	boundaries: number[];
	total: number[];
}

/** @param target of a side that chases: the innings ends when it is reached */
export function inningsOutlook(innings: Innings, target: number | null, seed: number): InningsOutlook {
	const draw = randomFrom(seed);
	const outlook: InningsOutlook = {
		sixOverRuns: [],
		openers: [[], []],
		nextFall: [],
		unbroken: [],
		overs: [[], []],
		boundaries: [],
		total: [],
	};
	for (let time = 0; time < PLAYED_ON; time++) playOn(innings, target ?? Number.POSITIVE_INFINITY, draw, outlook);
	return outlook;
}

function playOn(innings: Innings, target: number, draw: Draw, outlook: InningsOutlook): void {
	let { runs, wickets, balls } = innings;
	let [striker, other] = innings.atCrease;
	const openers = [innings.batters[0]?.runs ?? 0, innings.batters[1]?.runs ?? 0];
	let sixOvers = innings.sixOverRuns;
	let fallen = false;
	let boundaries = innings.boundaries;
	const current = Math.floor(balls / BALLS_AN_OVER);
	const overs: [number, number | null] = [innings.overRuns[current] ?? 0, null];
	while (balls < BALLS && wickets < WICKETS && runs < target) {
		const ball = outcomeOf(draw(), { edge: innings.edge, pitch: innings.pitch, balls, wickets });
		const over = Math.floor(balls / BALLS_AN_OVER) - current;
		balls++;
		runs += ball.runs;
		if (over < 2) overs[over as 0 | 1] = (overs[over as 0 | 1] ?? 0) + ball.runs;
		if (ball.runs >= 4) boundaries++;
		if (striker < 2) openers[striker] = (openers[striker] as number) + ball.runs;
		if (ball.wicket) {
			wickets++;
			striker = wickets + 1;
			if (!fallen) outlook.nextFall.push(runs);
			fallen = true;
		}
		if (balls === SIX_OVERS) sixOvers ??= runs;
		if ((ball.runs % 2 === 1) !== (balls % BALLS_AN_OVER === 0)) [striker, other] = [other, striker];
	}
	if (!fallen) outlook.unbroken.push(runs);
	outlook.sixOverRuns.push(sixOvers ?? runs);
	outlook.openers[0].push(openers[0] as number);
	outlook.openers[1].push(openers[1] as number);
	outlook.overs[0].push(overs[0]);
	if (overs[1] !== null) outlook.overs[1].push(overs[1]);
	outlook.boundaries.push(boundaries);
	outlook.total.push(runs);
}
