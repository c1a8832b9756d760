/**
 * Results that feeds report and members confirm. At most one waits for each market: the feed's latest. A result that a
 * member rejected, or that was applied and taken back, is not proposed again; the market is the operators' then.
 */
import { canonicalJson } from '#server/db/canonical-json.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import type { ResultProposals, Ruling } from '#server/markets/result-proposals.ts';
import type { OperatorOptions } from '#server/operator/act.ts';
import { subjectOf } from '#server/operator/act-record.ts';
import {
	addProposal,
	type Move,
	moveProposal,
	type ProposalRow,
	replaceProposal,
} from '#server/operator/proposal-rows.ts';
import { settlementPreview, voidPreview } from '#server/operator/result-previews.ts';

/** @param sources of the fixtures whose results wait for a member */
export function resultsOfFeeds(parts: OperatorOptions, sources: readonly string[]): ResultProposals {
	const inTurn = (listing: MarketListing, task: (subject: string) => Promise<void>) => {
		const subject = subjectOf({ marketId: String(listing.id) });
		return parts.subjectTurns.take(subject, () => task(subject));
	};
	return {
		covers: ({ source }) => sources.includes(source),
		propose: (listing, ruling, replaces) =>
			inTurn(listing, (subject) => propose(parts, { listing, ruling, replaces, subject })),
		retract: (listing) => inTurn(listing, (subject) => retract(parts, listing, subject)),
	};
}

interface Reported {
	listing: MarketListing;
	ruling: Ruling;
	/** Whether it takes the place of an earlier result of the feed. */
	replaces: boolean;
	subject: string;
}

/** Proposals of the feed about a market, the newest first. */
async function earlierOf({ db }: OperatorOptions, subject: string): Promise<ProposalRow[]> {
	const { rows } = await db.query<ProposalRow>(
		'select * from proposal where subject = $1 and proposed_by is null order by proposal_id desc',
		[subject],
	);
	return rows;
}

const isWaiting = ({ state }: ProposalRow): boolean => state === 'OPEN' || state === 'APPLYING';
/** A member took it or rejected it. */
const isDecided = ({ state, decided_by: by }: ProposalRow): boolean =>
	state === 'APPLIED' || (state === 'WITHDRAWN' && by !== null);

const feedOf = ({ fixtures }: OperatorOptions, { fixtureId }: MarketListing): string =>
	fixtures.fixture(fixtureId)?.source ?? 'unknown';

const movedByFeed = (feed: string, outcome: 'REPLACED' | 'RETRACTED'): Move => ({
	from: 'OPEN',
	to: 'WITHDRAWN',
	staffId: null,
	actor: `feed ${feed}`,
	outcome,
});

async function propose(parts: OperatorOptions, { listing, ruling, replaces, subject }: Reported): Promise<void> {
	const earlier = await earlierOf(parts, subject);
	const waiting = earlier.find(isWaiting);
	if (waiting && !replaces) return;
	const asked = askedBy(listing, ruling);
	const text = canonicalJson(asked);
	const same = earlier.find(({ act, input }) => canonicalJson({ act, input }) === text);
	if (waiting && same === waiting) return;
	const {
		basis,
		seen: _,
		...preview
	} = ruling === 'VOID' ? voidPreview(parts, listing) : settlementPreview(parts, listing, ruling);
	const feed = feedOf(parts, listing);
	const reason = `The feed "${feed}" reports this result.`;
	const made = { ...asked, subject, reason, preview, basis, proposed_by: null };
	const next = same && isDecided(same) ? null : made;
	if (waiting) await replaceProposal(parts, [waiting, movedByFeed(feed, 'REPLACED')], next);
	else if (next) await addProposal(parts, next, `feed ${feed}`);
}

async function retract(parts: OperatorOptions, listing: MarketListing, subject: string): Promise<void> {
	const waiting = (await earlierOf(parts, subject)).find(isWaiting);
	if (waiting) await moveProposal(parts, waiting, movedByFeed(feedOf(parts, listing), 'RETRACTED'));
}

/** The act that applies a ruling. */
function askedBy({ id }: MarketListing, ruling: Ruling): { act: string; input: Record<string, unknown> } {
	const marketId = String(id);
	if (ruling === 'VOID') return { act: 'void', input: { marketId } };
	const { results, places, value } = ruling;
	if (value !== undefined) return { act: 'settle', input: { marketId, value } };
	return { act: 'settle', input: { marketId, results, ...(places === undefined ? {} : { places }) } };
}
