/** The fancies of an innings: its first overs, each single over, batsmen, wickets, boundaries, its total. */

import { BALLS } from '#sports/cricket/ball-model.ts';
import { type InningsOutlook, inningsOutlook } from '#sports/cricket/innings-outlook.ts';
import { BALLS_AN_OVER, type Innings, type TwentyOverMatch } from '#sports/cricket/twenty-over-match.ts';
import { lineRunners, linesBetween, reachedChances } from '#sports/lines.ts';
import type { MarketState } from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';

const SIX_OVER_LINES = linesBetween(20, 75);
const OVER_LINES = linesBetween(1, 24);
const BATSMAN_LINES = linesBetween(2, 70);
const BOUNDARY_LINES = linesBetween(3, 45);
const FALL_SPAN = 70;
/** Number of wickets with a fancy of their own. */
const FALLS = 3;
const LAST_OVER = BALLS / BALLS_AN_OVER - 1;

const RULES = {
	sixOvers:
		'Runs after six overs of the innings. YES wins when the line is reached. An innings that is all out or over before ' +
		'counts as it stands; if rain ends it before every bet is void.',
	over:
		'Runs in that over. If the innings ends in it, it counts as it stands; if it is not begun, or rain ends it, every bet ' +
		'is void.',
	batsman:
		'Runs the batsman makes. A batsman who runs out of overs or retires keeps the runs made. If rain ends the innings ' +
		'while he bats every bet is void, unless every line is reached by then: YES wins.',
	fall:
		'The score at which the wicket falls. If it does not fall every bet is void, unless every line is reached by then: ' +
		'YES wins.',
	boundaries:
		'Fours and sixes of the innings. If rain ends the innings every bet is void, unless every line is reached by then: ' +
		'YES wins.',
	oddEven: 'Whether the innings’ total is odd or even. Nought is even. If rain ends the innings every bet is void.',
};

type Fancy = Omit<MarketState, 'betDelaySeconds'>;

export function inningsFancies(match: TwentyOverMatch, innings: Innings, at: number, seed: number): MarketState[] {
	const closed = match.isClosed(at);
	const outlook = closed
		? null
		: inningsOutlook(innings, at === 1 ? match.target : null, seedOf(seed, match.ballsPlayed));
	const { team, sixOverRuns, boundaries, runs } = innings;
	const listed: Fancy[] = [
		{
			name: `${team.name} 6 over runs`,
			type: 'SESSION_RUNS',
			...fancyLines(SIX_OVER_LINES, outlook?.sixOverRuns),
			rules: RULES.sixOvers,
			result: sixOverRuns === null ? null : { value: sixOverRuns },
		},
		...overs(innings, closed, outlook),
		...([0, 1] as const).map((opener): Fancy => {
			const batsman = innings.batters[opener] as Innings['batters'][number];
			return {
				name: `${batsman.name} runs (${team.name})`,
				type: 'BATSMAN_RUNS',
				...fancyLines(BATSMAN_LINES, outlook?.openers[opener]),
				rules: RULES.batsman,
				result: batsman.isOut || closed ? { value: batsman.runs } : null,
				soFar: batsman.runs,
			};
		}),
		...falls(innings, closed, outlook),
		{
			name: `${team.name} boundaries`,
			type: 'BOUNDARIES',
			...fancyLines(BOUNDARY_LINES, outlook?.boundaries),
			rules: RULES.boundaries,
			result: closed ? { value: boundaries } : null,
			soFar: boundaries,
		},
		{
			name: `${team.name} total odd or even`,
			type: 'ODD_EVEN',
			runners: [
				{ id: 'odd', name: 'Odd' },
				{ id: 'even', name: 'Even' },
			],
			rules: RULES.oddEven,
			chances: outlook ? oddEven(outlook.total) : null,
			result: closed ? { value: runs } : null,
		},
	];
	return listed.map((fancy) => ({ ...fancy, betDelaySeconds: 0 }));
}

/** Overs that were bowled, the current over and the next. */
function overs({ team, balls, overRuns }: Innings, closed: boolean, outlook: InningsOutlook | null): Fancy[] {
	const current = Math.floor(balls / BALLS_AN_OVER);
	const listed = Math.min(current + 1, LAST_OVER);
	return Array.from({ length: listed + 1 }, (_, over): Fancy => {
		const runs = overRuns[over];
		const isBowled = over < current || (closed && runs !== undefined);
		return {
			name: `Runs in over ${over + 1} · ${team.name}`,
			type: 'OVER_RUNS',
			...fancyLines(OVER_LINES, over < current ? undefined : outlook?.overs[over === current ? 0 : 1]),
			rules: RULES.over,
			result: isBowled ? { value: runs ?? 0 } : closed ? { unfinished: true } : null,
		};
	});
}

/** 1 → "1st", up to the ten wickets of an innings. */
const ordinal = (number: number): string => `${number}${['th', 'st', 'nd', 'rd'][number] ?? 'th'}`;

/** Wickets that fell, and the next one. */
function falls(innings: Innings, closed: boolean, outlook: InningsOutlook | null): Fancy[] {
	const begun = Math.min(FALLS, innings.falls.length + 1);
	return Array.from({ length: begun }, (_, at) => {
		const from = innings.falls[at - 1] ?? 0;
		const value = innings.falls[at];
		const result = value !== undefined ? { value } : closed ? { value: innings.runs, unfinished: true } : null;
		const lines = linesBetween(from + 1, from + FALL_SPAN);
		return {
			name: `Fall of ${ordinal(at + 1)} wicket · ${innings.team.name}`,
			type: 'FALL_OF_WICKET',
			...fancyLines(lines, value === undefined && outlook ? fallsThatCount(outlook, lines) : undefined),
			rules: RULES.fall,
			result,
			soFar: innings.runs,
		};
	});
}

/** Results that decide the lines. Without a further wicket they are decided only if all of them were reached. */
const fallsThatCount = ({ nextFall, unbroken }: InningsOutlook, lines: readonly number[]): number[] => [
	...nextFall,
	...unbroken.filter((runs) => lines.every((line) => line <= runs)),
];

function fancyLines(lines: readonly number[], results: readonly number[] | undefined) {
	const known = results !== undefined && results.length > 0;
	return { lines, runners: lineRunners(lines), chances: known ? reachedChances(results, lines) : null };
}

function oddEven(totals: readonly number[]): number[] {
	const odd = totals.filter((total) => total % 2 === 1).length / totals.length;
	return [odd, 1 - odd];
}
