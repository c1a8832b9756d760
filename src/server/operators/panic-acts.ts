/** Panic keys: one press suspends many markets at once, and exactly those are resumed together. */
import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { fixtureOf, listingOf } from '#server/operators/named-market.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { type SuspendedMarket, suspendMarkets } from '#server/world/markets/suspend-markets.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { sportById } from '#values/sports.ts';
import { DAY_MS } from '#values/time.ts';

type Asked = v.InferOutput<OperatorCalls['panic']['input']>;

const MOST_LISTED = 50;

interface PressRow {
	press_id: number;
	at: number;
	actor: string;
	scope: string;
	markets: SuspendedMarket[];
}

/** @throws Refused VALIDATION_FAILED unless exactly one scope is given; UNKNOWN_FIXTURE, UNKNOWN_MARKET */
function marketsIn({ fixtures }: OperatorOptions, asked: Asked): MarketId[] {
	const { marketId, eventId, sport, source, isAll } = asked;
	const given = [marketId, eventId, sport, source, isAll || undefined].filter((one) => one !== undefined);
	if (given.length !== 1)
		throw new Refused('VALIDATION_FAILED', {}, 'Name a market, an event, a sport, a feed, or everything.');
	if (marketId !== undefined) {
		const listing = fixtures.market(Number(marketId));
		if (!listing) throw new Refused('UNKNOWN_MARKET');
		return [listing.id];
	}
	if (eventId !== undefined) return idsOf(fixtureOf({ fixtures }, eventId));
	return fixtures
		.all()
		.filter((fixture) => sport === undefined || sportById(fixture.sportId)?.key === sport)
		.filter((fixture) => source === undefined || fixture.source === source)
		.flatMap(idsOf);

	function idsOf({ id }: Fixture): MarketId[] {
		return fixtures.markets(id).map((market) => market.id);
	}
}

/** Stores what was suspended. @returns null for nothing */
async function keepPress(
	{ db }: Pick<OperatorOptions, 'db'>,
	suspended: readonly SuspendedMarket[],
	{ actor, scope }: { actor: string; scope: string },
): Promise<string | null> {
	if (suspended.length === 0) return null;
	const { rows } = await db.query<{ id: string }>(
		'insert into panic_press (at, actor, scope, markets) values ($1, $2, $3, $4) returning press_id::text as id',
		[Date.now(), actor, scope, JSON.stringify(suspended)],
	);
	return rows[0]?.id ?? null;
}

const holds = (exchange: Exchange, { marketId, version }: SuspendedMarket): boolean => {
	const market = exchange.market(marketId);
	return market?.status === 'SUSPENDED' && market.heldByOperator && market.version === version;
};

/** Refusals of a market that was suspended again, or ended, at the same instant. */
const MOVED_ON: ReadonlySet<string> = new Set(['WRONG_MARKET_STATE', 'MARKET_CLOSED', 'MARKET_SUSPENDED']);

type Outcome = 'resumed' | 'released' | 'left';

/** A market with a feed goes back to it: only the feed has present prices. */
async function resume(exchange: Exchange, { marketId, version, wasOpen }: SuspendedMarket): Promise<Outcome> {
	const isOfFeed = (exchange.market(marketId)?.feedLeaseMs ?? 0) > 0;
	const kind = isOfFeed || !wasOpen ? 'release-market' : 'resume-market';
	try {
		await exchange.submit({ kind, marketId, seenVersion: version });
		return kind === 'release-market' ? 'released' : 'resumed';
	} catch (error) {
		if (error instanceof Refused && MOVED_ON.has(error.code)) return 'left';
		throw error;
	}
}

async function resumeAll(parts: OperatorOptions, pressId: string) {
	const { db, exchange, fixtures } = parts;
	const { rows } = await db.query<PressRow>('select * from panic_press where press_id = $1', [Number(pressId)]);
	const [press] = rows;
	if (!press) throw new Refused('NOT_FOUND');
	const outcomes = await Promise.all(
		press.markets.map(async (market): Promise<Outcome | 'open'> => {
			const now = exchange.market(market.marketId);
			// Resumed one by one since the press.
			if (now && !now.heldByOperator && now.status !== 'CLOSED') return 'open';
			return holds(exchange, market) ? await resume(exchange, market) : 'left';
		}),
	);
	const countOf = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
	const left = await Promise.all(
		press.markets
			.filter((_, at) => outcomes[at] === 'left')
			.map(async ({ marketId }) => {
				const listing = await listingOf(parts, String(marketId));
				const event = fixtures.fixture(listing.fixtureId)?.title ?? '';
				const status = exchange.market(marketId)?.status;
				const why = status === 'SUSPENDED' ? 'It was suspended again, or turned in-play.' : 'It takes no more bets.';
				return { marketId: String(marketId), market: listing.name, event, why };
			}),
	);
	return { resumed: countOf('resumed'), released: countOf('released'), left };
}

export const PANIC_ACTS: ActsOf<'panic' | 'resume-all' | 'presses'> = {
	panic: async (asked, parts, { actor }) => {
		const marketIds = marketsIn(parts, asked);
		const suspended = await suspendMarkets(parts.exchange, marketIds, { lapseUnmatched: false });
		const pressId = await keepPress(parts, suspended, { actor, scope: subjectOf(asked as object) });
		return { pressId, suspended: suspended.length };
	},
	'resume-all': ({ pressId }, parts) =>
		parts.subjectTurns.take(subjectOf({ pressId }), () => resumeAll(parts, pressId)),
	presses: async (_, { db, exchange }) => {
		const { rows } = await db.query<PressRow>(
			`select * from panic_press where at > $1 order by press_id desc limit ${MOST_LISTED}`,
			[Date.now() - DAY_MS],
		);
		return rows.map(({ press_id: pressId, at, actor, scope, markets }) => ({
			pressId: String(pressId),
			at: isoTime(at),
			actor,
			scope,
			suspended: markets.length,
			standing: markets.filter((market) => holds(exchange, market)).length,
		}));
	},
};
