/** The incidents between two score cards of a fixture: the marks of its charts, and the announcements of its page. */
import * as v from 'valibot';
import type { ScoreCard } from '#contract/calls/score.ts';

const MARK_KINDS = ['GOAL', 'RED_CARD', 'WICKET', 'SET', 'ALL_OUT', 'FALL', 'FINISH'] as const;
export const MarkKind = v.picklist(MARK_KINDS);

type Card = v.InferOutput<typeof ScoreCard>;

export interface Mark {
	kind: v.InferOutput<typeof MarkKind>;
	/** Index of the successful side, or of the side whose wicket fell; null for none. */
	side: 0 | 1 | null;
}

/** The counts of a card whose increase makes a mark. */
function countsOf(card: Card): [Mark['kind'], readonly number[]][] {
	switch (card.sport) {
		case 'football':
			return [
				['GOAL', card.teams.map(({ goals }) => goals)],
				['RED_CARD', card.teams.map(({ redCards }) => redCards)],
			];
		case 'cricket':
			return [['WICKET', card.innings.map(({ wickets }) => wickets)]];
		case 'tennis':
			return [['SET', card.players.map(({ sets }) => sets)]];
		case 'kabaddi':
			return [['ALL_OUT', card.teams.map(({ allOuts }) => allOuts)]];
		case 'horseRacing':
			return [
				['FALL', [card.runners.filter(({ status }) => status === 'FELL').length]],
				['FINISH', [card.runners.some(({ seconds }) => seconds !== null) ? 1 : 0]],
			];
		case 'trade':
			return [];
	}
}

/** @param before the card shown until now; null before the first */
export function marksBetween(before: Card | null, after: Card): Mark[] {
	if (before?.sport !== after.sport || before.version >= after.version) return [];
	const earlier = new Map(countsOf(before));
	const marks = countsOf(after).flatMap(([kind, counts]) =>
		counts.flatMap((count, at): Mark[] =>
			count > (earlier.get(kind)?.[at] ?? 0) ? [{ kind, side: counts.length > 1 ? (at as 0 | 1) : null }] : [],
		),
	);
	const ends = after.state === 'FINISHED' && before.state !== 'FINISHED' && after.sport !== 'horseRacing';
	return ends ? [...marks, { kind: 'FINISH', side: null }] : marks;
}
