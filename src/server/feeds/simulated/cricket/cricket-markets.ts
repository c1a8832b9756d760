/** The markets of a T20 match as it stands: who wins, at the exchange and at the house, and the sessions of each innings. */
import type { MarketState } from '#server/feeds/live-fixture.ts';
import { type InningsOutlook, inningsOutlook } from '#server/feeds/simulated/cricket/innings-outlook.ts';
import type { Innings, TwentyOverMatch } from '#server/feeds/simulated/cricket/twenty-over-match.ts';
import { lineRunners, linesBetween, reachedChances } from '#server/feeds/simulated/lines.ts';
import { seedOf } from '#server/feeds/simulated/random.ts';

const SIX_OVER_LINES = linesBetween(20, 75);
const BATSMAN_LINES = linesBetween(2, 70);
const FALL_SPAN = 70;
/** Wickets whose fall is bet on. */
const FALLS = 3;

const MATCH_RULES =
	'Who wins the match. A tie is decided by the super over. The market turns in-play at the first ball; unmatched bets ' +
	'that are not kept lapse then. If the match is abandoned without a winner every bet is void.';
const RULES = {
	bookmaker:
		'Who wins the match, at the house’s rates per 100. A bet is taken whole at the rate shown or better, or not at all; ' +
		'betting rests while a ball is bowled. Void without a winner.',
	sixOvers:
		'Runs after six overs of the innings. YES wins when the line is reached. An innings that is all out or over before ' +
		'counts as it stands; if play stops before every bet is void.',
	batsman: 'Runs the batsman makes. Who runs out of overs has what he made; who retires keeps his runs.',
	fall: 'The score at which the wicket falls. If it does not fall bets are void.',
	oddEven: 'Whether the innings’ total is odd or even. Nought is even.',
};

export function cricketMarkets(match: TwentyOverMatch, seed: number): MarketState[] {
	const [first, second] = match.teams;
	const runners = [first, second].map(({ name }, at) => ({ id: String(at + 1), name }));
	const { winner } = match;
	const who = {
		runners,
		betDelaySeconds: 0,
		chances: [match.chance, 1 - match.chance],
		ended: winner === null ? null : { winners: [winner] },
	};
	return [
		{ name: 'Match Odds', type: 'MATCH_ODDS', rules: MATCH_RULES, ...who },
		{ name: 'Bookmaker', type: 'BOOKMAKER', rules: RULES.bookmaker, ...who },
		...match.innings.flatMap((innings, at) => sessions(match, innings, at, seed)),
	];
}

function sessions(match: TwentyOverMatch, innings: Innings, at: number, seed: number): MarketState[] {
	const closed = match.isClosed(at);
	const outlook = closed
		? null
		: inningsOutlook(innings, at === 1 ? match.target : null, seedOf(seed, match.ballsPlayed));
	const team = innings.team.name;
	const how = { betDelaySeconds: 0 };
	const { sixOverRuns } = innings;
	return [
		{
			name: `${team} 6 over runs`,
			type: 'SESSION_RUNS',
			...fancyLines(SIX_OVER_LINES, outlook?.sixOverRuns),
			rules: RULES.sixOvers,
			ended: sixOverRuns === null ? null : { value: sixOverRuns },
			...how,
		},
		...([0, 1] as const).map((opener): MarketState => {
			const { name, runs, isOut } = innings.batters[opener] as Innings['batters'][number];
			return {
				name: `${name} runs (${team})`,
				type: 'BATSMAN_RUNS',
				...fancyLines(BATSMAN_LINES, outlook?.openers[opener]),
				rules: RULES.batsman,
				ended: isOut || closed ? { value: runs } : null,
				...how,
			};
		}),
		...falls(innings, closed, outlook).map((market) => ({ ...market, ...how })),
		{
			name: `${team} total odd or even`,
			type: 'ODD_EVEN',
			runners: [
				{ id: 'odd', name: 'Odd' },
				{ id: 'even', name: 'Even' },
			],
			rules: RULES.oddEven,
			chances: outlook ? oddEven(outlook.total) : null,
			ended: closed ? { value: innings.runs } : null,
			...how,
		},
	];
}

/** Those fallen, and the next one. */
function falls(
	innings: Innings,
	closed: boolean,
	outlook: InningsOutlook | null,
): Omit<MarketState, 'betDelaySeconds'>[] {
	const begun = Math.min(FALLS, innings.falls.length + 1);
	return Array.from({ length: begun }, (_, at) => {
		const from = innings.falls[at - 1] ?? 0;
		const value = innings.falls[at];
		const ended = value !== undefined ? { value } : closed ? { value: innings.runs, unfinished: true } : null;
		return {
			name: `${innings.team.name} wicket ${at + 1}`,
			type: 'FALL_OF_WICKET',
			...fancyLines(linesBetween(from + 1, from + FALL_SPAN), value === undefined ? outlook?.nextFall : undefined),
			rules: RULES.fall,
			ended,
		};
	});
}

function fancyLines(lines: readonly number[], results: readonly number[] | undefined) {
	const known = results !== undefined && results.length > 0;
	return { lines, runners: lineRunners(lines), chances: known ? reachedChances(results, lines) : null };
}

function oddEven(totals: readonly number[]): number[] {
	const odd = totals.filter((total) => total % 2 === 1).length / totals.length;
	return [odd, 1 - odd];
}
