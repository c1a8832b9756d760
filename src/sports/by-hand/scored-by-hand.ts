/**
 * Scores that a trader enters: how a sport's card follows from what is said of the match. The card alone is the state, so
 * a score is continued after a restart and taken back to any earlier card.
 */
import type { ScoreCard } from '#sports/score-card.ts';
import type { PlayResult } from '#values/play-result.ts';

type Side = 0 | 1;
/** Names, the first side first. */
export type Sides = readonly [string, string];

interface Said {
	act: string;
	side: Side | null;
	/** Since the match, or its second half, began. */
	elapsedMs: number;
	sides: Sides;
}

export interface HandTerms {
	/** Cricket: overs of an innings. */
	overs: number;
	/** Tennis: 3 or 5. */
	bestOf: number;
}

/** What the markets of a match are decided by. */
export interface HandOutcome {
	/** Null for a draw or a tie, undefined where the score does not decide the match. */
	winner: Side | null | undefined;
	/** Goals, points or runs of both sides. */
	totals: readonly [number, number];
	/** Winners of the sets or innings that have one, in order. */
	parts: readonly Side[];
}

export interface ScoredByHand<Card extends ScoreCard = ScoreCard> {
	/** The card before play. */
	begin(sides: Sides, terms: HandTerms): Card;
	/** Null for an act that is not possible at this card. The version is the caller's. */
	after(card: Card, said: Said): Card | null;
	line(card: Card): string;
	outcome(card: Card, sides: Sides): HandOutcome;
}

/** A market of a match by hand, and its result where the score gives one. */
export interface HandMarket {
	/** Unique among the templates of a sport. */
	readonly name: string;
	readonly type: string;
	/** @param sides of the match */
	readonly runners: (sides: Sides) => string[];
	readonly betDelaySeconds: number;
	readonly handicapQuarters?: number;
	/** Betting ends when play begins. */
	readonly closesAtStart?: boolean;
	readonly rules: string;
	/** Its result is known before the match ends, and stands if the match is abandoned. */
	readonly isDecidedEarly?: boolean;
	/** Null where the score does not decide it: a trader names the result. */
	readonly result: (outcome: HandOutcome) => PlayResult | null;
}

const BEFORE_PLAY = { version: 1, state: 'PRE_MATCH', note: 'Has not begun' } as const;
/** The fields of every card before play. */
export const beforePlay = (): typeof BEFORE_PLAY => BEFORE_PLAY;

/** A list with one place changed. */
export const changedAt = <Item>(list: readonly Item[], at: number, change: (item: Item) => Item): Item[] =>
	list.map((item, place) => (place === at ? change(item) : item));

/** The side that is ahead; null when neither is. */
export const ahead = ([one, other]: readonly [number, number]): Side | null =>
	one === other ? null : one > other ? 0 : 1;
