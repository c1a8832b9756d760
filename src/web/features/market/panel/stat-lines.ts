/** The panel below the scoreboard. This file: the statistics of both sides, from the score card alone. */

import type { Score, ScoreOf } from '#web/features/market/score/score-types.ts';
import { STAT_WORDS as words } from '#web/texts/more.ts';

/** One statistic of each side. */
interface StatLine {
	name: string;
	home: number;
	away: number;
}

export interface Stats {
	names: readonly [string, string];
	lines: readonly StatLine[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

type Team = ScoreOf<'football'>['teams'][number];

function football({ teams: [home, away] }: ScoreOf<'football'>): Stats | null {
	if (!home || !away) return null;
	const line = (name: string, of: (team: Team) => number): StatLine => ({
		name,
		home: of(home),
		away: of(away),
	});
	return {
		names: [home.name, away.name],
		lines: [
			line(words.goals, ({ goals }) => goals),
			line(words.yellowCards, ({ yellowCards }) => yellowCards),
			line(words.redCards, ({ redCards }) => redCards),
		],
	};
}

function tennis({ players: [home, away], recentPoints }: ScoreOf<'tennis'>): Stats | null {
	if (!home || !away) return null;
	const points = (side: number) => recentPoints.filter((winner) => winner === side).length;
	return {
		names: [home.name, away.name],
		lines: [
			{ name: words.sets, home: home.sets, away: away.sets },
			{ name: words.games, home: sum(home.games), away: sum(away.games) },
			{ name: words.lastPoints(recentPoints.length), home: points(0), away: points(1) },
		],
	};
}

/** Balls of an innings: "8.2" overs are 50. */
function ballsOf(overs: string): number {
	const [whole = 0, rest = 0] = overs.split('.').map(Number);
	return whole * 6 + rest;
}

function cricket({ innings: [home, away] }: ScoreOf<'cricket'>): Stats | null {
	if (!home || !away) return null;
	const rate = ({ runs, overs }: typeof home) => Math.round((runs / Math.max(1, ballsOf(overs))) * 600) / 100;
	return {
		names: [home.team, away.team],
		lines: [
			{ name: words.runs, home: home.runs, away: away.runs },
			{ name: words.wicketsLost, home: home.wickets, away: away.wickets },
			{ name: words.runRate, home: rate(home), away: rate(away) },
		],
	};
}

function kabaddi({ teams: [home, away], raids }: ScoreOf<'kabaddi'>): Stats | null {
	if (!home || !away) return null;
	const won = (side: number) => raids.filter(({ team, points }) => team === side && (points[0] ?? 0) > 0).length;
	return {
		names: [home.name, away.name],
		lines: [
			{ name: words.points, home: home.points, away: away.points },
			{ name: words.onMat, home: home.onMat, away: away.onMat },
			{ name: words.allOuts, home: home.allOuts, away: away.allOuts },
			{ name: words.raidsWon(raids.length), home: won(0), away: won(1) },
		],
	};
}

/** Null if no two sides are compared, or one of them has not begun. */
export function statsOf(score: Score): Stats | null {
	switch (score.sport) {
		case 'football':
			return football(score);
		case 'tennis':
			return tennis(score);
		case 'cricket':
			return cricket(score);
		case 'kabaddi':
			return kabaddi(score);
		default:
			return null;
	}
}
