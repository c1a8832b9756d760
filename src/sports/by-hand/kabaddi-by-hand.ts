/** Kabaddi by hand: points, all-outs and the clock of two halves. */
import { ahead, beforePlay, type ScoredByHand } from '#sports/by-hand/scored-by-hand.ts';
import type { KabaddiCard } from '#sports/score-card.ts';

const HALF_SECONDS = 20 * 60;
const ON_MAT = 7;
/** For the side that puts the other one out. */
const ALL_OUT_POINTS = 2;
const POINTS: Readonly<Record<string, number>> = { POINT: 1, ALL_OUT: ALL_OUT_POINTS };

export const kabaddiByHand: ScoredByHand<KabaddiCard> = {
	begin: (sides) => ({
		sport: 'kabaddi',
		...beforePlay(),
		half: 1,
		secondsLeft: HALF_SECONDS,
		teams: sides.map((name) => ({ name, points: 0, onMat: ON_MAT, allOuts: 0 })),
		raiding: 0,
		raids: [],
	}),
	after: (card, { act, side, elapsedMs }) => {
		if (act === 'SECOND_HALF')
			return card.state === 'BREAK' && card.half === 1
				? { ...card, state: 'IN_PLAY', half: 2, secondsLeft: HALF_SECONDS, note: 'Second half' }
				: null;
		if (card.state !== 'IN_PLAY') return null;
		if (act === 'BREAK') return card.half === 1 ? { ...card, state: 'BREAK', secondsLeft: 0, note: 'Half time' } : null;
		const secondsLeft = Math.max(0, HALF_SECONDS - Math.floor(elapsedMs / 1000));
		if (act === 'CLOCK') return { ...card, secondsLeft };
		const points = POINTS[act];
		if (points === undefined || side === null) return null;
		const isAllOut = act === 'ALL_OUT';
		return {
			...card,
			secondsLeft,
			// An all-out is counted of the side that is out.
			teams: card.teams.map((team, at) => ({
				...team,
				points: team.points + (at === side ? points : 0),
				allOuts: team.allOuts + (isAllOut && at !== side ? 1 : 0),
			})),
			note: isAllOut ? `All out: two points for ${card.teams[side]?.name}` : `Point, ${card.teams[side]?.name}`,
		};
	},
	line: ({ teams: [one, two] }) => `${one?.points} – ${two?.points}`,
	outcome: ({ teams: [one, two] }) => {
		const totals = [one?.points ?? 0, two?.points ?? 0] as const;
		return { winner: ahead(totals), totals, parts: [] };
	},
};
