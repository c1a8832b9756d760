/** The market page's header. This file: a score card in one line, for any sport. */

import { minutesAndSeconds } from '#ui/duration-text.ts';
import type { EventSummary } from '#web/api/answers.ts';
import { byPosition } from '#web/features/market/score/racing-score.tsx';
import type { Score, ScoreOf } from '#web/features/market/score/score-types.ts';
import { formatDay, formatNumber, formatTime } from '#web/format.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

export interface BoardSide {
	name: string;
	/** A text about the side alone: the other innings, the games of a set. */
	note: string;
	/** That it bats, serves or raids now. */
	doing: string | null;
}

export interface Scoreboard {
	/** The two opponents; null for a race or an instrument, which has a title instead. */
	sides: readonly [BoardSide, BoardSide] | null;
	/** The one figure that counts: "2 – 1", "59/1", a level, a start. */
	figure: string;
	/** Over, clock or set. */
	clock: string;
	/** The latest event. */
	event: string;
	tone?: 'profit' | 'loss';
}

const score = (one: number, other: number): string => `${one} – ${other}`;
const quiet = (name: string, doing: string | null = null): BoardSide => ({ name, note: '', doing });

type Half = Pick<ScoreOf<'football'>, 'state' | 'half'>;

function phase({ state, half }: Half, clock: string): string {
	if (state === 'PRE_MATCH') return words.before;
	if (state === 'BREAK') return words.break;
	if (state === 'FINISHED') return words.fullTime;
	if (state === 'ABANDONED') return words.abandoned;
	return `${words.half(half)} · ${clock}`;
}

function football(card: ScoreOf<'football'>): Scoreboard | null {
	const [home, away] = card.teams;
	if (!home || !away) return null;
	const [last] = card.incidents;
	const { minute, addedMinute } = card;
	return {
		sides: [quiet(home.name), quiet(away.name)],
		figure: score(home.goals, away.goals),
		clock: phase(card, words.minute(addedMinute > 0 ? `${minute}+${addedMinute}` : String(minute))),
		event: last ? `${words.minute(last.minute)} ${words.cards[last.kind]}, ${last.player}` : card.note,
	};
}

function kabaddi(card: ScoreOf<'kabaddi'>): Scoreboard | null {
	const [home, away] = card.teams;
	if (!home || !away) return null;
	const [last] = card.raids;
	const doing = (side: number) => (card.state === 'IN_PLAY' && card.raiding === side ? words.raiding : null);
	return {
		sides: [quiet(home.name, doing(0)), quiet(away.name, doing(1))],
		figure: score(home.points, away.points),
		clock: phase(card, minutesAndSeconds(card.secondsLeft)),
		event: last ? `${words.raidKinds[last.kind]}, ${last.raider}` : card.note,
	};
}

function tennis(card: ScoreOf<'tennis'>): Scoreboard | null {
	const [one, other] = card.players;
	if (!one || !other) return null;
	const hasEnded = card.state === 'FINISHED' || card.state === 'ABANDONED';
	const side = ({ name, games, points, serving }: typeof one): BoardSide => ({
		name,
		note: [...games, ...(hasEnded || card.state === 'PRE_MATCH' ? [] : [`· ${points}`])].join(' '),
		doing: serving && !hasEnded ? words.serving : null,
	});
	return {
		sides: [side(one), side(other)],
		figure: score(one.sets, other.sets),
		clock: hasEnded ? words.fullTime : card.state === 'PRE_MATCH' ? words.before : words.set(one.games.length || 1),
		event: card.tieBreak ? words.tieBreak : card.note,
	};
}

/** The sides of a market keep their places, whichever of them bats. */
function cricket(card: ScoreOf<'cricket'>, names: readonly string[]): Scoreboard | null {
	const [home = card.innings[0]?.team, away = card.innings[1]?.team] = names;
	if (!home || !away) return null;
	const batting = card.innings[card.currentInnings - 1];
	const side = (name: string): BoardSide => {
		const own = card.innings.find(({ team }) => team === name);
		const bats = card.state === 'IN_PLAY' && batting?.team === name;
		return {
			name,
			note: own && own !== batting ? `${own.runs}/${own.wickets}` : '',
			doing: bats ? words.batting : null,
		};
	};
	const ball = card.state === 'IN_PLAY' ? card.recentBalls.at(-1)?.label : undefined;
	return {
		sides: [side(home), side(away)],
		figure: batting ? `${batting.runs}/${batting.wickets}` : words.noScore,
		clock: batting ? words.overs(batting.overs, card.maxOvers) : words.before,
		event: ball ? `${card.note} · ${words.lastBall(ball)}` : card.note,
	};
}

function racing(card: ScoreOf<'horseRacing'>, event: EventSummary): Scoreboard {
	const [lead] = byPosition(card.runners);
	const isRunning = card.state === 'IN_PLAY' && lead;
	const left = isRunning ? Math.max(0, card.distanceMetres - lead.metres) : card.distanceMetres;
	const named = lead ? `${lead.number} ${lead.name}` : '';
	return {
		sides: null,
		figure: card.state === 'FINISHED' && lead ? named : words.metres(formatNumber(Math.round(left))),
		clock: isRunning ? words.toGo : card.state === 'FINISHED' ? words.won : formatTime(event.matchDate),
		event: isRunning ? words.leads(named) : `${words.going}: ${card.going}`,
	};
}

function trade(card: ScoreOf<'trade'>): Scoreboard {
	const change = card.level - card.openLevel;
	const sign = change < 0 ? '−' : '+';
	const percent = Math.abs((change / card.openLevel) * 100).toFixed(2);
	return {
		sides: null,
		figure: formatNumber(card.level),
		clock: card.unit,
		event: `${sign}${formatNumber(Math.abs(change))} (${sign}${percent} %) ${words.since(formatNumber(card.openLevel))}`,
		...(change === 0 ? {} : { tone: change > 0 ? 'profit' : 'loss' }),
	};
}

function ofCard(card: Score, event: EventSummary, names: readonly string[]): Scoreboard | null {
	switch (card.sport) {
		case 'football':
			return football(card);
		case 'kabaddi':
			return kabaddi(card);
		case 'tennis':
			return tennis(card);
		case 'cricket':
			return cricket(card, names);
		case 'horseRacing':
			return racing(card, event);
		case 'trade':
			return trade(card);
	}
}

/** Before there is a score: the opponents, and the start. */
function ofStart(event: EventSummary, names: readonly string[]): Scoreboard {
	const [home, away] = names;
	return {
		sides: home && away ? [quiet(home), quiet(away)] : null,
		figure: event.status === 'UPCOMING' ? formatTime(event.matchDate) : words.noScore,
		clock: event.status === 'UPCOMING' ? formatDay(event.matchDate, TEXTS.matches) : '',
		event: '',
	};
}

/** @param names of the two sides as the main market has them; empty where no two sides meet */
export function scoreboardOf(event: EventSummary, card: Score | null, names: readonly string[]): Scoreboard {
	const started = event.status !== 'UPCOMING' && card ? ofCard(card, event, names) : null;
	return started ?? ofStart(event, names);
}
