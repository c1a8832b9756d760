/**
 * Feeds' contradictions of the stored state, each until a member closes it. A finding that blocks a market is closed
 * when the market is settled or void.
 */
import type { MarketView } from '#engine/engine.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Actor, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import type { Finding } from '#server/world/markets/result-proposals.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';

/** Equal texts are stored once per market. Resolves when it is durable. @param feed its name */
export async function addFinding(
	{ db, journal, changes }: Pick<OperatorOptions, 'db' | 'journal' | 'changes'>,
	{ id }: MarketListing,
	{ words, holds }: Finding,
	feed: string,
): Promise<void> {
	const { rowCount: waiting } = await db.query(
		'select from feed_finding where market_id = $1 and words = $2 and closed_at is null',
		[id, words],
	);
	if (waiting !== 0) return;
	await journal.change(async (client) => {
		const { rows } = await client.query<{ finding_id: number }>(
			'insert into feed_finding (market_id, words, holds, reported_at) values ($1, $2, $3, $4) returning finding_id',
			[id, words, holds, Date.now()],
		);
		const row = await journal.keep(client, 'feed_finding', rows[0]?.finding_id ?? 0);
		const subject = subjectOf({ marketId: String(id) });
		return {
			result: undefined,
			act: { actor: `feed ${feed}`, address: null, act: 'feed-finding', subject, details: { words }, row },
		};
	});
	changes.proposalsChanged();
}

/** @throws Refused NOT_FOUND; WRONG_STATE if it was closed */
export async function closeFinding(
	{ journal, changes }: OperatorOptions,
	findingId: string,
	{ actor, address, member }: Actor,
): Promise<{ findingId: string }> {
	if (!member) throw new Refused('FORBIDDEN');
	await journal.change(async (client) => {
		const { rows } = await client.query<{ closed_at: number | null; words: string }>(
			'select closed_at, words from feed_finding where finding_id = $1 for update',
			[Number(findingId)],
		);
		const [found] = rows;
		if (!found) throw new Refused('NOT_FOUND');
		if (found.closed_at !== null) throw new Refused('WRONG_STATE');
		await client.query('update feed_finding set closed_by = $2, closed_at = $3 where finding_id = $1', [
			Number(findingId),
			member.staffId,
			Date.now(),
		]);
		const row = await journal.keep(client, 'feed_finding', findingId);
		const subject = `finding ${findingId}`;
		const details = { words: found.words };
		return { result: undefined, act: { actor, address, act: 'finding-closed', subject, details, row } };
	});
	changes.proposalsChanged();
	return { findingId };
}

/** The limit of findings in the list of open work. */
const MOST_FINDINGS = 50;

interface FindingRow {
	findingId: number;
	marketId: MarketId;
	eventId: number;
	event: string;
	market: string;
	words: string;
	holds: boolean;
	reportedAt: number;
}

/** Open findings, oldest first. @param isStanding whether a market is neither settled nor void */
export async function openFindings(
	{ db, exchange }: Pick<OperatorOptions, 'db' | 'exchange'>,
	isStanding: (market: MarketView | null) => boolean,
) {
	const { rows } = await db.query<FindingRow>(
		`select finding_id as "findingId", market_id as "marketId", fixture_id as "eventId", title as event,
		   listing ->> 'name' as market, words, holds, reported_at as "reportedAt"
		 from feed_finding join market_listing on market_listing.id = market_id join fixture on fixture.id = fixture_id
		 where closed_at is null order by reported_at, finding_id`,
	);
	return rows
		.filter(({ holds, marketId }) => !holds || isStanding(exchange.market(marketId)))
		.slice(0, MOST_FINDINGS)
		.map(({ findingId, marketId, eventId, event, market, words, reportedAt }) => ({
			findingId: String(findingId),
			marketId: String(marketId),
			eventId: String(eventId),
			event,
			market,
			words,
			reportedAt: isoTime(reportedAt),
		}));
}
