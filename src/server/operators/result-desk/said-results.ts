/** What feeds and members said about the results of markets, from their proposals and findings, and what contradicts. */
import type pg from 'pg';
import { subjectOf } from '#server/operators/act-record.ts';
import type { ProposalRow } from '#server/operators/proposal-rows.ts';
import type { AskedAct } from '#server/operators/result-desk/asked-ruling.ts';
import type { MarketId } from '#values/ids.ts';

/** Acts that give a market a result. */
const RESULT_ACTS: readonly AskedAct['act'][] = ['settle', 'void', 'resettle'];

/** A result that was proposed. */
export interface Said {
	marketId: MarketId;
	/** A feed's, and not a member's. */
	isOfFeed: boolean;
	proposedBy: number | null;
	act: string;
	input: Record<string, unknown>;
	/** As text. */
	result: string;
	atMs: number;
	state: ProposalRow['state'];
	outcome: string | null;
	decidedBy: number | null;
}

export interface SaidFinding {
	findingId: number;
	marketId: MarketId;
	words: string;
	/** The market's settlement answers it. */
	holds: boolean;
	atMs: number;
	closedBy: number | null;
	closedAtMs: number | null;
}

type SaidRow = Omit<Said, 'result' | 'isOfFeed' | 'marketId'> & { marketId: number; summary: string[] };

const SAID = `select (input ->> 'marketId')::bigint as "marketId", proposed_by as "proposedBy", act, input,
	preview -> 'summary' as summary, proposed_at as "atMs", state, outcome, decided_by as "decidedBy"
	from proposal where act = any ($1) and subject`;

/** All that was said about these markets, oldest first. */
export async function saidAbout(db: pg.Pool, marketIds: readonly MarketId[]): Promise<Said[]> {
	const subjects = marketIds.map((marketId) => subjectOf({ marketId: String(marketId) }));
	const { rows } = await db.query<SaidRow>(`${SAID} = any ($2) order by proposal_id`, [RESULT_ACTS, subjects]);
	return rows.map(({ summary, ...row }) => ({
		...row,
		isOfFeed: row.proposedBy === null,
		result: inWordsOf(row, summary),
	}));
}

/** The preview of a result says what is settled, for a correction what was paid, then the result, then the bets. */
function inWordsOf({ act, input }: Pick<Said, 'act' | 'input'>, summary: readonly string[]): string {
	if (act === 'void' || input['isVoid'] === true) return 'void';
	return summary.slice(act === 'resettle' ? 2 : 1, -1).join(', ');
}

/** Markets about which a result waits to be confirmed. */
export async function marketsWithProposals(db: pg.Pool): Promise<MarketId[]> {
	const { rows } = await db.query<{ marketId: MarketId }>(
		`select distinct (input ->> 'marketId')::bigint as "marketId" from proposal
		 where state in ('OPEN', 'APPLYING') and act = any ($1)`,
		[RESULT_ACTS],
	);
	return rows.map(({ marketId }) => marketId);
}

const FINDING = `select finding_id as "findingId", market_id as "marketId", words, holds, reported_at as "atMs",
	closed_by as "closedBy", closed_at as "closedAtMs" from feed_finding`;

/** Findings that no member closed, oldest first. */
export async function openFindingsOfMarkets(db: pg.Pool): Promise<SaidFinding[]> {
	return (await db.query<SaidFinding>(`${FINDING} where closed_at is null order by finding_id`)).rows;
}

/** All findings about a market, oldest first. */
export async function findingsAbout(db: pg.Pool, marketId: MarketId): Promise<SaidFinding[]> {
	return (await db.query<SaidFinding>(`${FINDING} where market_id = $1 order by finding_id`, [marketId])).rows;
}

export const isOpen = ({ state }: Said): boolean => state === 'OPEN' || state === 'APPLYING';
/** Its author or a member took it back, or it was refused. */
const isTakenBack = ({ state }: Said): boolean => state === 'WITHDRAWN' || state === 'REFUSED';
export const stands = (said: Said): boolean => !isTakenBack(said);

/** Why what is said about one market does not agree. @param said about it, oldest first */
export function conflictsOf(said: readonly Said[], findings: readonly SaidFinding[]): string[] {
	const waiting = said.filter(isOpen);
	const feeds = waiting.find(({ isOfFeed }) => isOfFeed);
	const earlier = said.filter((one) => one.isOfFeed && ['REPLACED', 'RETRACTED'].includes(one.outcome ?? ''));
	const changed = earlier.some((one) => !feeds || one.result !== feeds.result);
	return [
		...findings.filter(({ closedAtMs }) => closedAtMs === null).map(({ words }) => words),
		...(new Set(waiting.map(({ result }) => result)).size > 1 ? ['Different results wait to be confirmed.'] : []),
		...(waiting.length > 0 && changed ? ['The feed gave another result before.'] : []),
	];
}
