import type { RequestOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { MARKET_RESULTS, moneyCondition, NEWEST_FIRST } from '#server/money/funds/money-rows.ts';
import type { NamedMarket } from '#server/world/fixtures/fixtures.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { dayOf, daysBetween } from '#values/zoned-calendar.ts';

/** Minor units. */
interface Sums {
	markets: number;
	net: AnyMinor;
	commission: AnyMinor;
	profit: number;
}

interface SettlementRow extends Omit<Sums, 'markets'> {
	marketId: MarketId;
	atMs: number;
}

/** The sums of a day are small; a filter without a start still needs an end. */
const MOST_DAYS = 366;

const SUMS_SQL = `count(*)::int as markets, coalesce(sum(profit + commission), 0)::bigint as net,
	coalesce(sum(commission), 0)::bigint as commission, coalesce(sum(profit), 0)::bigint as profit`;

const wireSums = ({ markets, net, commission, profit }: Sums) => ({
	markets,
	net: majorFromMinor(net),
	commission: majorFromMinor(commission),
	profit: majorFromMinor(profit),
});

/**
 * The results of markets by the statement's rows within the filter, in total or by day. A market that was settled and
 * reversed without a new settlement does not count.
 */
const marketsBy = (group: string, results: string): string =>
	`select ${group}, max(at) as at, sum(amount) as profit, sum(commission) as commission from (${results}) as result
	 group by ${group} having sum(amount) <> 0 or sum(commission) <> 0
	   or (array_agg(kind order by ${NEWEST_FIRST}))[1] = 'MARKET_SETTLED'`;

/** The filter's rows, as SQL with its values. */
function filtered(playerId: PlayerId, { from, to, sportId }: RequestOf<Calls['getUserProfitLoss']>) {
	const values: unknown[] = [playerId];
	const condition = moneyCondition({ from, to, sportId }, values);
	return { results: `select * from (${MARKET_RESULTS}) as listed where ${condition}`, values };
}

export const profitLossHandlers = ({
	reads,
	fixtures,
	exchange,
	funds: { protection },
}: Parts): HandlersOf<'getUserProfitLoss'> => {
	function settledMarket(
		{ marketId, atMs, net, commission, profit }: SettlementRow,
		{ listing, fixture }: Partial<NamedMarket> = {},
	) {
		return {
			marketId: String(marketId),
			marketName: listing?.name ?? '',
			eventId: String(listing?.fixtureId ?? 0),
			eventTitle: fixture?.title ?? '',
			sportId: fixture?.sportId ?? 0,
			settledAt: isoTime(atMs),
			net: majorFromMinor(net),
			commission: majorFromMinor(commission),
			profit: majorFromMinor(profit),
		};
	}

	/** The sums by day of the brand's zone, newest first, whatever the device's clock shows. */
	async function daysOf(playerId: PlayerId, results: string, values: unknown[]) {
		const extent = await reads.query<{ firstMs: number | null; lastMs: number | null }>(
			`select min(at) as "firstMs", max(at) as "lastMs" from (${results}) as result`,
			values,
		);
		const { firstMs = null, lastMs = null } = extent.rows[0] ?? {};
		if (firstMs === null || lastMs === null) return [];
		const zone = protection.zoneOf(playerId, exchange.now());
		const spans = daysBetween(dayOf(firstMs, zone), dayOf(lastMs, zone), zone);
		const span = `width_bucket(at, $${values.length + 1}::bigint[])`;
		const byDay = marketsBy('market_id, span', `select *, ${span} as span from (${results}) as result`);
		const { rows } = await reads.query<Sums & { span: number }>(
			`select span, ${SUMS_SQL} from (${byDay}) as market group by span order by span desc limit ${MOST_DAYS}`,
			[...values, spans.map(({ fromMs }) => fromMs)],
		);
		// width_bucket counts the spans from one.
		return rows.map(({ span: number, ...sums }) => ({ day: spans[number - 1]?.name ?? '', ...wireSums(sums) }));
	}

	return {
		getUserProfitLoss: async (input, caller) => {
			const { playerId } = playerOf(caller);
			const { results, values } = filtered(playerId, input);
			const markets = marketsBy('market_id', results);
			const summed = await reads.query<Sums>(`select ${SUMS_SQL} from (${markets}) as market`, values);
			const days = await daysOf(playerId, results, values);
			const { rows } = await reads.query<SettlementRow>(
				`select market_id as "marketId", at as "atMs", (profit + commission)::bigint as net,
				   commission::bigint as commission, profit::bigint as profit from (${markets}) as market
				 order by at desc, market_id desc limit ${input.maxResultCount} offset ${input.skipCount}`,
				values,
			);
			const named = await fixtures.named(rows.map(({ marketId }) => marketId));
			const all = summed.rows[0] ?? { markets: 0, net: 0, commission: 0, profit: 0 };
			return {
				totalCount: all.markets,
				items: rows.map((row) => settledMarket(row, named.get(row.marketId))),
				...wireSums(all),
				days,
			};
		},
	};
};
