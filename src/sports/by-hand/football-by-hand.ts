/** Football by hand: goals, cards and the referee's clock. */
import { ahead, beforePlay, changedAt, type ScoredByHand } from '#sports/by-hand/scored-by-hand.ts';
import type { FootballCard } from '#sports/score-card.ts';

const MINUTE_MS = 60_000;
const HALF_MINUTES = 45;
const SHOWN_INCIDENTS = 20;
const COUNTED = { GOAL: 'goals', YELLOW_CARD: 'yellowCards', RED_CARD: 'redCards' } as const;
const WORDS = { GOAL: 'Goal', YELLOW_CARD: 'Yellow card', RED_CARD: 'Red card' } as const;

const isCounted = (act: string): act is keyof typeof COUNTED => Object.hasOwn(COUNTED, act);

/** The minute of a half, and the minutes beyond its end. */
function clockOf({ half }: Pick<FootballCard, 'half'>, elapsedMs: number) {
	const minutes = Math.floor(elapsedMs / MINUTE_MS) + 1;
	const minute = HALF_MINUTES * (half - 1) + Math.min(minutes, HALF_MINUTES);
	return { minute, addedMinute: Math.max(0, minutes - HALF_MINUTES) };
}

const spokenMinute = ({ minute, addedMinute }: Pick<FootballCard, 'minute' | 'addedMinute'>): string =>
	addedMinute > 0 ? `${minute}+${addedMinute}` : String(minute);

export const footballByHand: ScoredByHand<FootballCard> = {
	begin: (sides) => ({
		sport: 'football',
		...beforePlay(),
		half: 1,
		minute: 0,
		addedMinute: 0,
		teams: sides.map((name) => ({ name, goals: 0, yellowCards: 0, redCards: 0 })),
		incidents: [],
	}),
	after: (card, { act, side, elapsedMs }) => {
		if (act === 'SECOND_HALF')
			return card.state === 'BREAK' && card.half === 1
				? { ...card, state: 'IN_PLAY', half: 2, minute: HALF_MINUTES + 1, addedMinute: 0, note: 'Second half' }
				: null;
		if (card.state !== 'IN_PLAY') return null;
		if (act === 'BREAK')
			return card.half === 1
				? { ...card, state: 'BREAK', minute: HALF_MINUTES, addedMinute: 0, note: 'Half time' }
				: null;
		const clock = clockOf(card, elapsedMs);
		if (act === 'CLOCK') return { ...card, ...clock };
		if (!isCounted(act) || side === null) return null;
		const counted = COUNTED[act];
		const minute = spokenMinute(clock);
		return {
			...card,
			...clock,
			teams: changedAt(card.teams, side, (team) => ({ ...team, [counted]: team[counted] + 1 })),
			incidents: [{ minute, kind: act, team: side, player: '' }, ...card.incidents].slice(0, SHOWN_INCIDENTS),
			note: `${WORDS[act]}, ${card.teams[side]?.name} (${minute}′)`,
		};
	},
	line: (card) => {
		const [home, away] = card.teams.map(({ goals }) => goals);
		const when =
			card.state === 'FINISHED' ? 'full time' : card.state === 'BREAK' ? 'half time' : `${spokenMinute(card)}′`;
		return `${home} – ${away} (${when})`;
	},
	outcome: ({ teams: [home, away] }) => {
		const totals = [home?.goals ?? 0, away?.goals ?? 0] as const;
		return { winner: ahead(totals), totals, parts: [] };
	},
};
