/** What waits for people, and the figures of the last 24 hours. */
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/wire-views.ts';
import { type Act, type ActingMember, act, type OperatorOptions } from '#server/operator/act.ts';
import { WAITING } from '#server/operator/payment-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The brands whose figures a member sees. */
export function visibleBrands({ brands }: Pick<OperatorOptions, 'brands'>, member: ActingMember | null) {
	const own = member?.brands ?? null;
	return brands.all().filter(({ host }) => own === null || own.includes(host));
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

interface Settled {
	brand: string;
	hour: number;
	results: number;
	players: number[];
	net: AnyPaise;
	commission: AnyPaise;
}

/** Results of players since a time, by brand and hour. */
export const SETTLED_SINCE = `
	select brand, (at / ${HOUR_MS})::bigint as hour, count(*)::int as results, array_agg(distinct wallet_id) as players,
		sum(net)::bigint as net, sum(commission)::bigint as commission
	from player_settlement join player on player_id = wallet_id
	where at >= $1 and brand = any ($2) group by brand, hour`;

async function settledSince({ reads }: OperatorOptions, sinceMs: number, hosts: readonly string[]): Promise<Settled[]> {
	const { rows } = await reads.query<Settled>(SETTLED_SINCE, [sinceMs, hosts]);
	return rows;
}

const total = (rows: readonly Settled[], name: 'net' | 'commission'): number =>
	majorFromPaise(rows.reduce((sum, row) => sum + row[name], 0));

/** Closed markets without a result, and fixtures in play of which every market is suspended. */
function stopped({ fixtures, exchange }: OperatorOptions) {
	const withoutResult: { marketId: string; eventId: string; event: string; market: string }[] = [];
	const standing: { eventId: string; event: string; source: string }[] = [];
	for (const fixture of fixtures.all()) {
		const about = { eventId: String(fixture.id), event: fixture.title };
		const markets = fixtures.markets(fixture.id).map((listing) => ({ listing, market: exchange.market(listing.id) }));
		for (const { listing, market } of markets) {
			if (market?.status !== 'CLOSED') continue;
			withoutResult.push({ ...about, marketId: String(listing.id), market: listing.name });
		}
		const unsettled = markets.filter(
			({ market }) => market && market.status !== 'SETTLED' && market.status !== 'VOIDED',
		);
		const isStopped = unsettled.length > 0 && unsettled.every(({ market }) => market?.status === 'SUSPENDED');
		if (fixture.status === 'IN_PLAY' && isStopped) standing.push({ ...about, source: fixture.source });
	}
	return { withoutResult, stopped: standing };
}

/** Held for open bets, by brand. */
async function exposures({ reads }: OperatorOptions, hosts: readonly string[]): Promise<Map<string, AnyPaise>> {
	const { rows } = await reads.query<{ brand: string; exposure: AnyPaise }>(
		`select brand, sum(exposure)::bigint as exposure from wallet join player on player_id = wallet_id
		 where exposure > 0 and brand = any ($1) group by brand`,
		[hosts],
	);
	return new Map(rows.map(({ brand, exposure }) => [brand, exposure]));
}

export const TODAY_ACTS: Record<string, Act> = {
	today: act({
		...OPERATOR_CALLS.today,
		run: async (_, parts, { member }) => {
			if (!member) throw new Refused('FORBIDDEN');
			const brands = visibleBrands(parts, member);
			const hosts = brands.map(({ host }) => host);
			const isAll = member.brands === null;
			const [rows, waits, held, proposals] = await Promise.all([
				settledSince(parts, Date.now() - DAY_MS, hosts),
				waiting(parts, hosts, isAll),
				exposures(parts, hosts),
				parts.db.query<{ n: number }>("select count(*)::int as n from proposal where state = 'OPEN'"),
			]);
			const byBrand = Map.groupBy(rows, ({ brand }) => brand);
			const poolOf = new Map(brands.map(({ host, pool }) => [host, pool]));
			// Coins and money are not added up.
			const inPool = (pool: Pool) => rows.filter(({ brand }) => poolOf.get(brand) === pool);
			return {
				waiting: waits,
				proposals: isAll ? (proposals.rows[0]?.n ?? 0) : 0,
				...(isAll ? stopped(parts) : { withoutResult: [], stopped: [] }),
				brands: brands.map(({ host, pool }) => {
					const own = byBrand.get(host) ?? [];
					return {
						host,
						pool,
						players: new Set(own.flatMap(({ players }) => players)).size,
						results: own.reduce((sum, { results }) => sum + results, 0),
						net: total(own, 'net'),
						commission: total(own, 'commission'),
						exposure: majorFromPaise(held.get(host) ?? 0),
					};
				}),
				hours: POOLS.flatMap((pool) =>
					[...Map.groupBy(inPool(pool), ({ hour }) => hour)]
						.sort(([one], [other]) => one - other)
						.map(([hour, own]) => ({
							pool,
							at: isoTime(hour * HOUR_MS),
							net: total(own, 'net'),
							commission: total(own, 'commission'),
						})),
				),
			};
		},
	}),
};
