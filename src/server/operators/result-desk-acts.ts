/** The result desk: every market without a result, and what is said about one with who gains and who loses. */
import type { MarketView } from '#engine/engine.ts';
import { settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { listingOf, stateOf } from '#server/operators/named-market.ts';
import { paidResult } from '#server/operators/resettlement.ts';
import { askedBy } from '#server/operators/result-desk/asked-ruling.ts';
import { paymentsBy } from '#server/operators/result-desk/payments-by-result.ts';
import { possibleResults } from '#server/operators/result-desk/possible-results.ts';
import {
	conflictsOf,
	findingsAbout,
	isOpen,
	marketsWithProposals,
	openFindingsOfMarkets,
	type Said,
	type SaidFinding,
	saidAbout,
	stands,
} from '#server/operators/result-desk/said-results.ts';
import { inWords } from '#server/operators/result-previews.ts';
import { isUnfinished, type NamedMarket } from '#server/world/fixtures/fixtures.ts';
import type { Ruling } from '#server/world/markets/result-proposals.ts';
import type { MarketId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import { isRealPool, POOLS } from '#values/pools.ts';
import { sportById } from '#values/sports.ts';

const REAL_POOLS: ReadonlySet<string> = new Set(POOLS.filter(isRealPool));

const isPaid = (market: Pick<MarketView, 'status'> | null): boolean =>
	market?.status === 'SETTLED' || market?.status === 'VOIDED';

/** Markets in memory that wait, whether or not anything was said: those that are closed, or whose event has ended. */
function withoutResult({ fixtures, exchange }: OperatorOptions): MarketId[] {
	return fixtures.all().flatMap((fixture) =>
		fixtures.markets(fixture.id).flatMap(({ id }) => {
			const market = exchange.market(id);
			const hasEnded = market?.status === 'CLOSED' || market?.status === 'SETTLING' || !isUnfinished(fixture);
			return market && !isPaid(market) && hasEnded ? [id] : [];
		}),
	);
}

/** When members closed these markets for bets. */
async function closedByMembers({ db }: OperatorOptions, marketIds: readonly MarketId[]): Promise<Map<string, number>> {
	const subjects = marketIds.map((marketId) => subjectOf({ marketId: String(marketId) }));
	const { rows } = await db.query<{ subject: string; at: number }>(
		`select subject, max(at) as at from journal where act = 'close' and outcome = 'done' and subject = any ($1)
		 group by subject`,
		[subjects],
	);
	return new Map(rows.map(({ subject, at }) => [subject, at]));
}

interface About {
	said: readonly Said[];
	findings: readonly SaidFinding[];
	closedAtMs: number | undefined;
}

function rowOf(parts: OperatorOptions, { listing, fixture }: NamedMarket, { said, findings, closedAtMs }: About) {
	const { exchange, staff } = parts;
	const market = exchange.market(listing.id);
	const waiting = said.filter(isOpen);
	const times = [...waiting.map(({ atMs }) => atMs), ...findings.map(({ atMs }) => atMs)];
	if (!isPaid(market)) times.push(...[fixture.endedAtMs, closedAtMs].filter((at) => typeof at === 'number'));
	return {
		marketId: String(listing.id),
		market: listing.name,
		eventId: String(fixture.id),
		event: fixture.title,
		sport: sportById(fixture.sportId)?.key ?? '',
		source: fixture.source,
		// Only paid markets leave memory.
		status: market?.status ?? 'SETTLED',
		eventStatus: fixture.status,
		score: fixture.scoreLine,
		since: times.length === 0 ? null : isoTime(Math.min(...times)),
		matched: POOLS.flatMap((pool) => {
			const stake = exchange.book(listing.id, pool)?.totalMatched ?? 0;
			return stake === 0 ? [] : [{ pool, stake: majorFromMinor(stake) }];
		}),
		proposed: waiting.map(({ proposedBy, result }) => ({ by: nameOf(staff, proposedBy), result })),
		conflicts: conflictsOf(said, findings),
	};
}

const nameOf = ({ directory }: OperatorOptions['staff'], staffId: number | null): string =>
	staffId === null ? 'the feed' : directory.nameOf(staffId);

type Row = ReturnType<typeof rowOf>;
/** What the order of the desk depends on. */
interface Urgency extends Pick<Row, 'marketId' | 'since' | 'conflicts'> {
	matched: readonly { pool: string }[];
}

/** Contradictions first, then real money, then the longest wait; what no time is known of comes last. */
export function byUrgency(one: Urgency, other: Urgency): number {
	const hasReal = ({ matched }: Urgency) => matched.some(({ pool }) => REAL_POOLS.has(pool));
	const order = (row: Urgency) => [row.conflicts.length > 0, hasReal(row)].map((first) => (first ? 0 : 1));
	for (const [at, rank] of order(one).entries()) {
		const difference = rank - (order(other)[at] ?? 0);
		if (difference !== 0) return difference;
	}
	const since = ({ since: at }: Urgency) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at));
	return since(one) === since(other) ? Number(one.marketId) - Number(other.marketId) : since(one) - since(other);
}

async function waitingMarkets(parts: OperatorOptions): Promise<Row[]> {
	const { db, exchange, fixtures } = parts;
	const [proposed, open] = await Promise.all([marketsWithProposals(db), openFindingsOfMarkets(db)]);
	// A finding that a settlement answers is answered by it; a proposal to settle what is paid is refused.
	const findings = open.filter(({ marketId, holds }) => !holds || isStanding(marketId));
	const found = findings.map(({ marketId }) => marketId);
	const marketIds = [...new Set([...withoutResult(parts), ...proposed, ...found])];
	const [named, said, closed] = await Promise.all([
		fixtures.named(marketIds),
		saidAbout(db, marketIds),
		closedByMembers(parts, marketIds),
	]);
	const saidOf = Map.groupBy(said, ({ marketId }) => marketId);
	const findingsOf = Map.groupBy(findings, ({ marketId }) => marketId);
	return marketIds
		.flatMap((marketId) => {
			const market = named.get(marketId);
			const saidOfMarket = (saidOf.get(marketId) ?? []).filter((one) => isPossible(marketId, one));
			const findingsOfMarket = findingsOf.get(marketId) ?? [];
			const isWaiting = isStanding(marketId) || saidOfMarket.some(isOpen) || findingsOfMarket.length > 0;
			if (!market || !isWaiting) return [];
			const closedAtMs = closed.get(subjectOf({ marketId: String(marketId) }));
			return [rowOf(parts, market, { said: saidOfMarket, findings: findingsOfMarket, closedAtMs })];
		})
		.sort(byUrgency);

	function isStanding(marketId: MarketId): boolean {
		const market = exchange.market(marketId);
		return market !== null && !isPaid(market);
	}

	/** A result of a market that was settled by hand meanwhile waits for nothing, unless it corrects the payment. */
	function isPossible(marketId: MarketId, one: Said): boolean {
		return !isOpen(one) || one.act === 'resettle' || isStanding(marketId);
	}
}

const wordsOf = (listing: MarketListing, ruling: Ruling): string =>
	ruling === 'VOID' ? 'void' : inWords(listing, ruling.results).join(', ');

/** By what a paid market was paid; null for another. */
function paidBy(market: MarketView): Ruling | null {
	return isPaid(market) ? (paidResult(market) ?? 'VOID') : null;
}

/** What the market was paid by, or else the feed's pending result, or the members' first one; as text. */
function standingResult(listing: MarketListing, market: MarketView, said: readonly Said[]): string | null {
	const paid = paidBy(market);
	if (paid) return wordsOf(listing, paid);
	const waiting = said.filter(isOpen);
	return (waiting.find(({ isOfFeed }) => isOfFeed) ?? waiting[0])?.result ?? null;
}

function evidenceOf(
	{ fixtures, staff }: OperatorOptions,
	{ listing, market }: { listing: MarketListing; market: MarketView },
	{ said, findings }: { said: readonly Said[]; findings: readonly SaidFinding[] },
) {
	const standing = standingResult(listing, market, said);
	const ofFixture = fixtures.fixture(listing.fixtureId);
	const feed = `feed ${ofFixture?.source ?? ''}`;
	return [
		...fixtures.marks(listing.fixtureId).map(({ atMs, kind, side }) => {
			const sides = ofFixture?.title.split(' v ') ?? [];
			const what = `${kind.toLowerCase()}${side === null ? '' : `: ${sides[side] ?? `side ${side + 1}`}`}`;
			return { atMs, who: feed, what, state: null, agrees: null };
		}),
		...said.map((one) => ({
			atMs: one.atMs,
			who: one.isOfFeed ? feed : nameOf(staff, one.proposedBy),
			what: one.result,
			state: one.outcome && one.outcome !== 'done' ? one.outcome : one.state,
			agrees: standing === null ? null : one.result === standing,
		})),
		...findings.map(({ atMs, words, closedAtMs, closedBy }) => ({
			atMs,
			who: feed,
			what: words,
			state: closedAtMs === null ? 'OPEN' : `CLOSED by ${nameOf(staff, closedBy)}`,
			agrees: closedAtMs === null ? false : null,
		})),
	]
		.sort((one, other) => one.atMs - other.atMs)
		.map(({ atMs, ...row }) => ({ at: isoTime(atMs), ...row }));
}

/** Whether a result may be proposed now. */
const MAY_PROPOSE: ReadonlySet<string> = new Set(['SUSPENDED', 'CLOSED', 'SETTLED', 'VOIDED']);

async function resultsOf(
	parts: OperatorOptions,
	{ listing, market }: { listing: MarketListing; market: MarketView },
	said: readonly Said[],
) {
	const { exchange, db, staff } = parts;
	const bets = isPaid(market) ? (await settlementOf(db, listing.id)).bets : exchange.betsIn([listing.id]);
	const { rulings, isPartial } = possibleResults(listing, bets, new Set(market.removed.map(([runner]) => runner)));
	const paid = paidBy(market);
	const given = said.filter(stands).flatMap((one) => rulingOf(one));
	const all = new Map<string, Ruling>();
	for (const ruling of [...(paid ? [paid] : []), ...given, ...rulings, 'VOID' as const])
		if (!all.has(wordsOf(listing, ruling))) all.set(wordsOf(listing, ruling), ruling);
	const results: (NonNullable<Awaited<ReturnType<typeof paymentsBy>>> & {
		result: string;
		asked: ReturnType<typeof askedBy> | null;
		saidBy: string[];
		isPaid: boolean;
	})[] = [];
	for (const [result, ruling] of all) {
		const payments = await paymentsBy(parts, market, bets, ruling);
		if (!payments) continue;
		const isOfPayment = paid !== null && wordsOf(listing, paid) === result;
		results.push({
			result,
			asked: MAY_PROPOSE.has(market.status) && !isOfPayment ? askedBy(listing, ruling, isPaid(market)) : null,
			saidBy: [
				...new Set(
					said.filter((one) => stands(one) && one.result === result).map((one) => nameOf(staff, one.proposedBy)),
				),
			],
			isPaid: isOfPayment,
			...payments,
		});
	}
	return { results, isPartial };
}

/** A proposal that names each runner's result; others are among the possible results already. */
function rulingOf({ input }: Said): Ruling[] {
	const { results, places } = input as { results?: Exclude<Ruling, 'VOID'>['results']; places?: number };
	return results ? [{ results, ...(places === undefined ? {} : { places }) }] : [];
}

export const RESULT_DESK_ACTS: ActsOf<'result-desk' | 'result-evidence'> = {
	'result-desk': (_, parts) => waitingMarkets(parts),
	'result-evidence': async ({ marketId }, parts) => {
		const listing = await listingOf(parts, marketId);
		const fixture = parts.fixtures.fixture(listing.fixtureId);
		const market = parts.exchange.market(listing.id);
		const [said, findings] = await Promise.all([
			saidAbout(parts.db, [listing.id]),
			findingsAbout(parts.db, listing.id),
		]);
		const about = market && { listing, market };
		return {
			...stateOf(parts, listing),
			eventId: String(listing.fixtureId),
			event: fixture?.title ?? '',
			eventStatus: fixture?.status ?? '',
			source: fixture?.source ?? '',
			score: fixture?.scoreLine ?? null,
			conflicts: conflictsOf(said, findings),
			evidence: about ? evidenceOf(parts, about, { said, findings }) : [],
			...(about ? await resultsOf(parts, about, said) : { results: [], isPartial: false }),
		};
	},
};
