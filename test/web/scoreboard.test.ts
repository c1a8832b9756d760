/** The market page's header in one line, for each sport. */
import { expect, it } from 'vitest';
import type { EventSummary } from '#web/api/answers.ts';
import { statsOf } from '#web/features/market/panel/stat-lines.ts';
import type { Score, ScoreOf } from '#web/features/market/score/score-types.ts';
import { scoreboardOf } from '#web/features/market/scoreboard/scoreboard-line.ts';

const event = { status: 'IN_PLAY', matchDate: '2026-11-22T14:30:00Z' } as EventSummary;
const base = { eventId: '1', version: 1, note: 'in words' };

const football: ScoreOf<'football'> = {
	...base,
	sport: 'football',
	state: 'IN_PLAY',
	half: 2,
	minute: 90,
	addedMinute: 3,
	teams: [
		{ name: 'Home', goals: 2, yellowCards: 1, redCards: 0 },
		{ name: 'Away', goals: 1, yellowCards: 3, redCards: 1 },
	],
	incidents: [{ minute: '73', kind: 'GOAL', team: 0, player: 'E. Brook' }],
};

it('football has its goals, the clock and the last incident', () => {
	expect(scoreboardOf(event, football, [])).toMatchObject({
		figure: '2 – 1',
		clock: 'Second half · 90+3′',
		event: '73′ Goal, E. Brook',
	});
});

const cricket: ScoreOf<'cricket'> = {
	...base,
	sport: 'cricket',
	state: 'IN_PLAY',
	maxOvers: 20,
	currentInnings: 2,
	innings: [
		{ team: 'Storks', runs: 148, wickets: 4, overs: '20.0', target: null },
		{ team: 'Riders', runs: 30, wickets: 3, overs: '5.3', target: 149 },
	],
	batters: [],
	bowler: null,
	recentBalls: [{ over: '5.3', label: '4', runs: 4, wicket: false }],
};

it('cricket has the innings that is played; the sides stay where the market has them', () => {
	const line = scoreboardOf(event, cricket, ['Riders', 'Storks']);
	expect(line).toMatchObject({ figure: '30/3', clock: '5.3 / 20 ov', event: 'in words · last ball 4' });
	expect(line.sides?.map(({ name, note, doing }) => [name, note, doing])).toEqual([
		['Riders', '', 'bats'],
		['Storks', '148/4', null],
	]);
});

it('before the start the figure is the time, and nothing is compared', () => {
	const before = scoreboardOf({ ...event, status: 'UPCOMING' }, { ...football, state: 'PRE_MATCH' }, ['Home', 'Away']);
	expect(before.figure).toMatch(/^\d\d:\d\d$/);
	expect(before.sides?.map(({ name }) => name)).toEqual(['Home', 'Away']);
	expect(before.event).toBe('');
});

it('a level has the sign of its change as its tone', () => {
	const trade: Score = {
		...base,
		sport: 'trade',
		state: 'IN_PLAY',
		instrument: 'Crown',
		unit: '₹',
		openLevel: 200,
		level: 199,
		ticksLeft: 3,
		history: [],
	};
	expect(scoreboardOf(event, trade, [])).toMatchObject({
		figure: '199',
		tone: 'loss',
		event: '−1 (−0.50 %) since the open at 200',
	});
	expect(scoreboardOf(event, { ...trade, level: 200 }, []).tone).toBeUndefined();
});

it('an innings is compared by its runs an over: 30 in 33 balls are 5.45', () => {
	const lines = statsOf(cricket)?.lines;
	expect(lines?.find(({ name }) => name === 'Run rate')).toEqual({ name: 'Run rate', home: 7.4, away: 5.45 });
	expect(statsOf({ ...cricket, innings: cricket.innings.slice(0, 1) })).toBeNull();
});
