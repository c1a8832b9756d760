/** What a reference can name, and the answer to where its money is. */
import type { OperatorOptions } from '#server/operators/act.ts';
import type { SubjectRef } from '#server/operators/references/read-reference.ts';
import type { AnswerTexts } from '#server/operators/references/texts/en.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

export interface SubjectPosting {
	batch: number;
	line: number;
	at: number;
	kind: string;
	debit: string;
	credit: string;
	amount: AnyMinor;
}

interface Answer {
	/** One sentence each, in a language. */
	say: (texts: AnswerTexts) => string[];
	/** Oldest first. */
	postings: readonly SubjectPosting[];
}

export interface Subject extends SubjectRef {
	/** Null for a market. */
	playerId: PlayerId | null;
	about: string;
	marketId?: MarketId;
	answer(): Promise<Answer>;
}

/** Reads a subject; null if there is none of this id. */
export type FindSubject = (parts: OperatorOptions, id: number) => Promise<Subject | null>;

/** Of the days of the player's brand. */
export const zoneOfPlayer = ({ funds, exchange }: OperatorOptions, playerId: PlayerId): string =>
	funds.protection.zoneOf(playerId, exchange.now());

/** The most postings that an answer shows. */
export const MOST_POSTINGS = 100;

/**
 * SQL: the newest postings that meet a condition as one JSON value, oldest first.
 * @param most all, where the answer sums them up
 */
export const postingsWhere = (condition: string, most: number | 'all' = MOST_POSTINGS): string =>
	`(select coalesce(jsonb_agg(to_jsonb(newest) order by newest.batch, newest.line), '[]') from (
		select batch, line, at, kind, debit, credit, amount from posting where ${condition}
		order by batch desc, line desc limit ${most}) as newest)`;
