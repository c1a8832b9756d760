/** Open work for operators, and the figures of the last 24 hours. */
import type { MarketView } from '#engine/engine.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { WAITING } from '#server/money/funds/operators/waiting.ts';
import { nearLimits } from '#server/money/funds/protection/near-limits.ts';
import type { ActingMember, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { countOpenCases } from '#server/operators/cases/case-rows.ts';
import { openFindings } from '#server/operators/feed-findings.ts';
import { RESULTS, REVENUE, type Revenue, revenueOf } from '#server/operators/gross-revenue.ts';
import { forEachZone, nameOfSpan, SPAN_OF_ROW, startsOfSpans } from '#server/operators/zone-reports.ts';
import { countTickets } from '#server/people/support/ticket-rows.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { dayOf, hoursBetween, type Span } from '#values/zoned-calendar.ts';

/** Whether a member sees what is of a brand; the command line sees all. */
export const seesBrand = (member: Pick<ActingMember, 'brands'> | null, host: string): boolean =>
	!member?.brands || member.brands.includes(host);

/** The brands of a member's figures. */
export function visibleBrands({ brands }: Pick<OperatorOptions, 'brands'>, member: ActingMember | null) {
	return brands.all().filter(({ host }) => seesBrand(member, host));
}

async function waiting({ db }: OperatorOptions, hosts: readonly string[], isAll: boolean) {
	const { rows } = await db.query<{ kind: string; state: string; count: number; oldest: number }>(
		`select kind, state, count(*)::int as count, min(opened_at) as oldest from workflow
		   left join player on player_id = wallet_id
		 where is_open and ${WAITING} and ($2 or brand = any ($1))
		 group by kind, state order by oldest`,
		[hosts, isAll],
	);
	return rows.map((row) => ({ ...row, oldest: isoTime(row.oldest) }));
}

interface HourOfBrand extends Revenue {
	brand: string;
	pool: Pool;
	hour: string;
	results: number;
	players: number[];
}

/** Results of players since a time, by brand, pool and the number of the hour. */
export const TODAYS_RESULTS = `${RESULTS}
	select brand, pool, ${SPAN_OF_ROW} as hour, sum(results)::int as results,
		coalesce(array_agg(distinct wallet_id) filter (where results = 1), '{}') as players, ${REVENUE}
	from result group by brand, pool, hour`;

/** How many hours Today shows. */
const HOURS = 24;

/** The current hour of the zone and the 23 before, and the one after them. */
function todaysHours(zone: string, nowMs: number): Span[] {
	const today = dayOf(nowMs, zone);
	const hours = hoursBetween(today - 1, today, zone);
	const next = hours.findIndex(({ fromMs }) => fromMs > nowMs);
	return hours.slice(next - HOURS, next + 1);
}

async function todaysResults({ reads }: OperatorOptions, zone: string, hosts: string[]): Promise<HourOfBrand[]> {
	const hours = todaysHours(zone, Date.now());
	const starts = startsOfSpans(hours);
	const values = [starts[0], starts.at(-1), hosts, starts];
	const { rows } = await reads.query<Omit<HourOfBrand, 'hour'> & { hour: number }>(TODAYS_RESULTS, values);
	return rows.map((row) => ({ ...row, hour: nameOfSpan(hours, row.hour) }));
}

const orderOf = ({ hour, brand, pool }: HourOfBrand): string => `${hour} ${brand} ${pool}`;

/** Limit of listed players near limits; the most used first. */
const MOST_AT_LIMITS = 50;

async function atLimits({ db, reads, funds, players: all }: OperatorOptions, hosts: readonly string[]) {
	const near = await nearLimits(db, funds.protection, (playerId) => hosts.includes(all.brandOf(playerId) ?? ''));
	const { rows } = await reads.query<{ playerId: PlayerId; userName: string; brand: string }>(
		`select player_id as "playerId", user_name as "userName", brand from player
		 where player_id = any ($1) and brand = any ($2)`,
		[[...new Set(near.map(({ playerId }) => playerId))], hosts],
	);
	const players = new Map(rows.map((row) => [row.playerId, row]));
	return near
		.flatMap(({ playerId, limit, used, ...rest }) => {
			const player = players.get(playerId);
			const amounts = { limit: majorFromMinor(limit), used: majorFromMinor(used) };
			return player ? [{ ...player, playerId: String(playerId), ...rest, ...amounts }] : [];
		})
		.slice(0, MOST_AT_LIMITS);
}

/** Limit of listed feed results; the others are counted. */
const MOST_RESULTS = 20;

/** Pending feed results, oldest first; the first ones with text. */
const FEED_RESULTS = `select (input ->> 'marketId')::bigint as "marketId", act, proposed_at as "proposedAt",
		case when row_number() over (order by proposed_at, proposal_id) <= $1 then preview -> 'summary' end as summary
	from proposal where proposed_by is null and state in ('OPEN', 'APPLYING') order by proposed_at, proposal_id`;

interface FeedResult {
	marketId: MarketId;
	act: string;
	proposedAt: number;
	summary: string[] | null;
}

/** Feeds' proposals about paid markets. */
const AGAINST_PAID: ReadonlySet<string> = new Set(['resettle', 'correct-reduction']);

const isStanding = (market: MarketView | null): boolean =>
	market !== null && market.status !== 'SETTLED' && market.status !== 'VOIDED';

/** Markets waiting: for confirmation of a feed's result, for any result, or suspended in play. */
async function standing(parts: OperatorOptions) {
	const { rows } = await parts.db.query<FeedResult>(FEED_RESULTS, [MOST_RESULTS]);
	const { fixtures, exchange } = parts;
	// A market settled by hand is no longer waiting, unless the feed contradicts its result.
	const waiting = rows.filter(({ marketId, act }) => AGAINST_PAID.has(act) || isStanding(exchange.market(marketId)));
	const oldest = waiting.flatMap(({ marketId, act, proposedAt, summary }) => {
		const listing = fixtures.market(marketId);
		const fixture = listing && fixtures.fixture(listing.fixtureId);
		if (!fixture || !summary) return [];
		const names = { eventId: String(fixture.id), event: fixture.title, market: listing.name };
		const result = act === 'void' ? 'void' : summary.slice(1, -1).join(', ');
		const about = { marketId: String(marketId), ...names, result, bets: summary.at(-1) ?? '' };
		return [{ ...about, proposedAt: isoTime(proposedAt) }];
	});
	const reported = new Set(waiting.map(({ marketId }) => marketId));
	const findings = await openFindings(parts, isStanding);
	return { feedResults: { count: waiting.length, oldest }, findings, ...stopped(parts, reported) };
}

/** Closed markets without a pending result, and fixtures in play whose markets are all suspended. */
function stopped({ fixtures, exchange }: OperatorOptions, reported: ReadonlySet<MarketId>) {
	const withoutResult: { marketId: string; eventId: string; event: string; market: string }[] = [];
	const inPlay: { eventId: string; event: string; source: string }[] = [];
	for (const fixture of fixtures.all()) {
		const about = { eventId: String(fixture.id), event: fixture.title };
		const markets = fixtures.markets(fixture.id).map((listing) => ({ listing, market: exchange.market(listing.id) }));
		for (const { listing, market } of markets) {
			if (market?.status !== 'CLOSED' || reported.has(listing.id)) continue;
			withoutResult.push({ ...about, marketId: String(listing.id), market: listing.name });
		}
		const unsettled = markets.filter(({ market }) => isStanding(market));
		const isStopped = unsettled.length > 0 && unsettled.every(({ market }) => market?.status === 'SUSPENDED');
		if (fixture.status === 'IN_PLAY' && isStopped) inPlay.push({ ...about, source: fixture.source });
	}
	return { withoutResult, stopped: inPlay };
}

interface Held {
	brand: string;
	pool: Pool;
	exposure: AnyMinor;
}

/** The amount held for open bets, without demo players, by brand and pool. */
async function exposures({ reads }: OperatorOptions, hosts: readonly string[]): Promise<Held[]> {
	const { rows } = await reads.query<Held>(
		`select brand, player.pool, sum(exposure)::bigint as exposure from wallet join player on player_id = wallet_id
		 where exposure > 0 and brand = any ($1) and not is_demo group by brand, player.pool`,
		[hosts],
	);
	return rows;
}

/** The figures of each brand in each pool with any, its own pool first. Coins and money are not added up. */
function brandFigures(
	brands: readonly { host: string; pool: Pool }[],
	rows: readonly HourOfBrand[],
	held: readonly Held[],
) {
	return brands.flatMap(({ host, pool: ownPool }) => {
		const pools = [...rows, ...held].filter(({ brand }) => brand === host).map(({ pool }) => pool);
		return [...new Set([ownPool, ...pools])].map((pool) => {
			const isOwn = (row: { brand: string; pool: Pool }) => row.brand === host && row.pool === pool;
			const own = rows.filter(isOwn);
			return {
				host,
				pool,
				players: new Set(own.flatMap(({ players }) => players)).size,
				results: own.reduce((sum, { results }) => sum + results, 0),
				...revenueOf(own),
				exposure: majorFromMinor(held.find(isOwn)?.exposure ?? 0),
			};
		});
	});
}

export const TODAY_ACTS: ActsOf<'today'> = {
	today: async (_, parts, { member }) => {
		if (!member) throw new Refused('FORBIDDEN');
		const brands = visibleBrands(parts, member);
		const hosts = brands.map(({ host }) => host);
		const isAll = member.brands === null;
		const [rows, waits, held, near, tickets, cases, proposals, markets] = await Promise.all([
			forEachZone(brands, parts.exchange.now(), (zone, own) => todaysResults(parts, zone, own)),
			waiting(parts, hosts, isAll),
			exposures(parts, hosts),
			atLimits(parts, hosts),
			countTickets(parts.db, member.brands, Date.now()),
			countOpenCases(parts.db, member.brands, Date.now()),
			parts.db.query<{ n: number }>("select count(*)::int as n from proposal where state = 'OPEN'"),
			isAll ? standing(parts) : { feedResults: { count: 0, oldest: [] }, findings: [], withoutResult: [], stopped: [] },
		]);
		return {
			waiting: waits,
			alarms: isAll
				? parts.health.alarms().map(({ sinceMs, ...alarm }) => ({ ...alarm, since: isoTime(sinceMs) }))
				: [],
			proposals: isAll ? (proposals.rows[0]?.n ?? 0) : 0,
			tickets,
			cases,
			...markets,
			atLimits: near,
			brands: brandFigures(brands, rows, held),
			hours: rows
				.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
				.map((row) => ({ host: row.brand, pool: row.pool, hour: row.hour, ...revenueOf([row]) })),
		};
	},
};
