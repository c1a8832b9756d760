/**
 * Results that feeds report and members confirm. At most one is pending for each market: the feed's latest. A result
 * that a member rejected, or that was applied and taken back, is not proposed again; from then on operators decide the
 * market.
 */

import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { ActPreview, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { PROPOSALS } from '#server/operators/all-acts.ts';
import { addFinding } from '#server/operators/feed-findings.ts';
import {
	addProposal,
	type Move,
	moveProposal,
	type ProposalRow,
	replaceProposal,
} from '#server/operators/proposal-rows.ts';
import { correctionPreview, resettlementPreview } from '#server/operators/resettlement.ts';
import { askedBy } from '#server/operators/result-desk/asked-ruling.ts';
import { settlementPreview, voidPreview } from '#server/operators/result-previews.ts';
import type { ResultProposals, Ruling } from '#server/world/markets/result-proposals.ts';
import { canonicalJson } from '#values/canonical-json.ts';

/** @param sources of the fixtures whose results a member confirms */
export function resultsOfFeeds(parts: OperatorOptions, sources: readonly string[]): ResultProposals {
	const inTurn = <T>(listing: MarketListing, task: (subject: string) => Promise<T>): Promise<T> => {
		const subject = subjectOf({ marketId: String(listing.id) });
		return parts.subjectTurns.take(subject, () => task(subject));
	};
	return {
		covers: ({ source }) => sources.includes(source),
		propose: (listing, ruling, replaces) =>
			inTurn(listing, (subject) => proposeResult(parts, { listing, ruling, replaces, subject })),
		proposeFactor: (listing, runner, reductionBp) =>
			inTurn(listing, (subject) => proposeFactor(parts, { listing, subject, runner, reductionBp })),
		retract: (listing) => inTurn(listing, (subject) => retract(parts, listing, subject)),
		report: (listing, finding) => inTurn(listing, () => addFinding(parts, listing, finding, feedOf(parts, listing))),
	};
}

interface Reported {
	listing: MarketListing;
	subject: string;
	/** Whether it replaces an earlier one of the feed. */
	replaces: boolean;
}

/** An act with its input. */
interface Asked {
	act: string;
	input: Record<string, unknown>;
}

/** Proposals of the feed about a market, newest first. */
async function earlierOf(parts: OperatorOptions, subject: string): Promise<ProposalRow[]> {
	const { rows } = await parts.db.query<ProposalRow>(
		'select * from proposal where subject = $1 and proposed_by is null order by proposal_id desc',
		[subject],
	);
	return await Promise.all(rows.map((row) => PROPOSALS.marked(row, parts)));
}

const isWaiting = ({ state }: ProposalRow): boolean => state === 'OPEN' || state === 'APPLYING';
/** A member accepted or rejected it. */
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

async function proposeResult(
	parts: OperatorOptions,
	{ ruling, ...about }: Reported & { ruling: Ruling },
): Promise<void> {
	const { listing } = about;
	const { status } = parts.exchange.market(listing.id) ?? {};
	const isPaid = status === 'SETTLED' || status === 'VOIDED';
	const asked = askedBy(listing, ruling, isPaid);
	const feed = feedOf(parts, listing);
	if (isPaid) {
		const result = ruling === 'VOID' ? null : { results: ruling.results, ...placesOf(ruling) };
		const reason = `The feed "${feed}" gives another result than the one that was paid.`;
		return await propose(parts, { ...about, reason, asked }, () => resettlementPreview(parts, listing, result));
	}
	const reason = `The feed "${feed}" reports this result.`;
	await propose(parts, { ...about, reason, asked }, () =>
		ruling === 'VOID' ? voidPreview(parts, listing) : settlementPreview(parts, listing, ruling),
	);
}

async function proposeFactor(
	parts: OperatorOptions,
	{ listing, subject, runner, reductionBp }: Omit<Reported, 'replaces'> & { runner: number; reductionBp: number },
): Promise<void> {
	const marketId = String(listing.id);
	const input = { marketId, runner: listing.runners[runner]?.id ?? '', reduction: reductionBp / 100 };
	const reason = `The feed "${feedOf(parts, listing)}" corrects the factor.`;
	const made = { listing, subject, replaces: false, reason, asked: { act: 'correct-reduction', input } };
	await propose(parts, made, () => correctionPreview(parts, listing, { runner, reductionBp }));
}

async function propose(
	parts: OperatorOptions,
	{ listing, replaces, subject, reason, asked }: Reported & { reason: string; asked: Asked },
	look: () => ActPreview | Promise<ActPreview>,
): Promise<void> {
	const earlier = await earlierOf(parts, subject);
	const waiting = earlier.find(isWaiting);
	if (waiting && !replaces) return;
	const text = canonicalJson(asked);
	const same = earlier.find(({ act, input }) => canonicalJson({ act, input }) === text);
	if (waiting && same === waiting) return;
	const { basis, seen: _, ...preview } = await look();
	const feed = feedOf(parts, listing);
	const made = { ...asked, subject, reason, preview, basis, proposed_by: null };
	const next = same && isDecided(same) ? null : made;
	if (waiting) await replaceProposal(parts, [waiting, movedByFeed(feed, 'REPLACED')], next);
	else if (next) await addProposal(parts, next, `feed ${feed}`);
}

async function retract(parts: OperatorOptions, listing: MarketListing, subject: string): Promise<boolean> {
	const waiting = (await earlierOf(parts, subject)).find(isWaiting);
	if (waiting) await moveProposal(parts, waiting, movedByFeed(feedOf(parts, listing), 'RETRACTED'));
	return waiting !== undefined;
}

const placesOf = ({ places }: { places?: number }) => (places === undefined ? {} : { places });
