/** The markets of a football match, all priced from one table of final scores. */

import type { FootballMatch } from '#sports/football/football-match.ts';
import type { MarketState } from '#sports/play.ts';

const BET_DELAY_SECONDS = 5;
/** Most further goals of a side that the table covers. */
const MOST_GOALS = 12;
/** Scores up to this many goals a side have a runner of their own. */
const LISTED_GOALS = 3;
/** The over/under lines, as the whole goals below them: 2 is 2.5. */
const GOAL_LINES = [2, 1, 3];
const LONGEST_START_QUARTERS = 10;

const RULES = {
	odds: 'Who leads when the referee ends the match, added time included. Void if it is not played to its end.',
	goals:
		'Goals of both sides in the match, added time included. Over is decided as soon as there are enough, and stands then ' +
		'even if the match is abandoned; otherwise an abandoned match is void.',
	double:
		'Two of the three ends of the match in one bet; two of the runners win. Void if the match is not played to its end.',
	score: 'The score when the referee ends the match. Scores with more than three goals of a side are three runners.',
	handicap:
		'The match with a start for one side. A quarter line is two half stakes on the neighbouring half lines; a tie on a ' +
		'whole line returns its half.',
};

export function footballMarkets(match: FootballMatch): MarketState[] {
	const [home, away] = match.teams.map(({ name }) => name) as [string, string];
	const finals = finalScores(match);
	const sum = (which: (score: Final) => boolean) =>
		finals.reduce((total, score) => (which(score) ? total + score.chance : total), 0);
	const { isEnded, goals } = match;
	const margin = goals[0] - goals[1];
	const chances = [sum(({ h, a }) => h > a), sum(({ h, a }) => h < a), sum(({ h, a }) => h === a)] as const;
	const end = margin > 0 ? 0 : margin < 0 ? 1 : 2;
	return [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: [
				{ id: 'home', name: home },
				{ id: 'away', name: away },
				{ id: 'draw', name: 'The Draw' },
			],
			betDelaySeconds: BET_DELAY_SECONDS,
			rules: RULES.odds,
			chances,
			result: isEnded ? { winners: [end] } : null,
		},
		...GOAL_LINES.map((line) => overUnder(line, goals[0] + goals[1], isEnded, sum)),
		doubleChance(home, away, chances, isEnded ? end : null),
		correctScore(home, away, sum, isEnded ? goals : null),
		handicap(match, home, away, sum),
	];
}

function overUnder(line: number, total: number, isEnded: boolean, sum: Sum): MarketState {
	const name = `${line}.5 Goals`;
	return {
		name: `Over/Under ${name}`,
		type: 'OVER_UNDER',
		handicapQuarters: line * 4 + 2,
		runners: [
			{ id: 'over', name: `Over ${name}` },
			{ id: 'under', name: `Under ${name}` },
		],
		betDelaySeconds: BET_DELAY_SECONDS,
		rules: RULES.goals,
		chances: [sum(({ h, a }) => h + a > line), sum(({ h, a }) => h + a <= line)],
		result: isEnded || total > line ? { value: total } : null,
		soFar: total,
	};
}

/** @param end 0 home, 1 away, 2 the draw; null before */
function doubleChance(home: string, away: string, chances: readonly number[], end: number | null): MarketState {
	const [homeWins, awayWins, draw] = chances as [number, number, number];
	const pairs = [
		{ id: 'home-draw', name: `${home} or the draw`, ends: [0, 2], chance: homeWins + draw },
		{ id: 'away-draw', name: `${away} or the draw`, ends: [1, 2], chance: awayWins + draw },
		{ id: 'home-away', name: `${home} or ${away}`, ends: [0, 1], chance: homeWins + awayWins },
	];
	return {
		name: 'Double Chance',
		type: 'DOUBLE_CHANCE',
		runners: pairs.map(({ id, name }) => ({ id, name })),
		betDelaySeconds: BET_DELAY_SECONDS,
		rules: RULES.double,
		chances: pairs.map(({ chance }) => chance),
		result: end === null ? null : { winners: pairs.flatMap(({ ends }, at) => (ends.includes(end) ? [at] : [])) },
	};
}

interface Final {
	h: number;
	a: number;
	chance: number;
}
type Sum = (which: (score: Final) => boolean) => number;

/** All scores that the match may end with, and their chances. */
function finalScores({ goals, expectedLeft }: FootballMatch): Final[] {
	const [home, away] = expectedLeft.map(poisson) as [number[], number[]];
	return home.flatMap((chanceHome, h) =>
		away.map((chanceAway, a) => ({ h: goals[0] + h, a: goals[1] + a, chance: chanceHome * chanceAway })),
	);
}

/** Chances of 0, 1, 2 … goals; the last includes all higher counts. */
function poisson(mean: number): number[] {
	const chances: number[] = [];
	let [chance, sum] = [Math.exp(-mean), 0];
	for (let goals = 0; goals < MOST_GOALS; goals++) {
		chances.push(chance);
		sum += chance;
		chance *= mean / (goals + 1);
	}
	return [...chances, Math.max(0, 1 - sum)];
}

const isListed = ({ h, a }: { h: number; a: number }): boolean => h <= LISTED_GOALS && a <= LISTED_GOALS;

function correctScore(home: string, away: string, sum: Sum, final: readonly [number, number] | null): MarketState {
	const side = Array.from({ length: LISTED_GOALS + 1 }, (_, goals) => goals);
	const listed = side.flatMap((h) => side.map((a) => ({ h, a })));
	const others = [
		{ id: 'other-home', name: `Any other ${home} win`, is: (h: number, a: number) => h > a },
		{ id: 'other-away', name: `Any other ${away} win`, is: (h: number, a: number) => h < a },
		{ id: 'other-draw', name: 'Any other draw', is: (h: number, a: number) => h === a },
	];
	const [h, a] = final ?? [0, 0];
	const winner = isListed({ h, a })
		? listed.findIndex((score) => score.h === h && score.a === a)
		: listed.length + others.findIndex(({ is }) => is(h, a));
	return {
		name: 'Correct Score',
		type: 'CORRECT_SCORE',
		runners: [
			...listed.map((score) => ({ id: `${score.h}-${score.a}`, name: `${score.h} – ${score.a}` })),
			...others.map(({ id, name }) => ({ id, name })),
		],
		betDelaySeconds: BET_DELAY_SECONDS,
		rules: RULES.score,
		chances: [
			...listed.map((score) => sum((end) => end.h === score.h && end.a === score.a)),
			...others.map(({ is }) => sum((end) => !isListed(end) && is(end.h, end.a))),
		],
		result: final ? { winners: [winner] } : null,
	};
}

/** The handicap that made the match about even at kick-off; its chances are shares of a fair bet, counted in half bets. */
function handicap(match: FootballMatch, home: string, away: string, sum: Sum): MarketState {
	const [strong, weak] = match.expected;
	const start = -Math.round((strong - weak) * 4);
	const quarters = Math.max(-LONGEST_START_QUARTERS, Math.min(LONGEST_START_QUARTERS, start));
	const won = shareOf(sum, quarters, 1);
	const lost = shareOf(sum, quarters, -1);
	const signed = (of: number) => `${of > 0 ? '+' : of < 0 ? '−' : ''}${Math.abs(of) / 4}`;
	return {
		name: 'Asian Handicap',
		type: 'ASIAN_HANDICAP',
		handicapQuarters: quarters,
		runners: [
			{ id: 'home', name: `${home} ${signed(quarters)}` },
			{ id: 'away', name: `${away} ${signed(-quarters)}` },
		],
		betDelaySeconds: BET_DELAY_SECONDS,
		rules: RULES.handicap,
		chances: won + lost > 0 ? [won / (won + lost), lost / (won + lost)] : null,
		result: match.isEnded ? { margin: match.goals[0] - match.goals[1] } : null,
	};
}

function shareOf(sum: Sum, quarters: number, sign: 1 | -1): number {
	const ahead = ({ h, a }: Final) => ((h - a) * 4 + quarters) * sign;
	return sum((score) => ahead(score) >= 2) + sum((score) => ahead(score) === 1) / 2;
}
