import type { RequestOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { OF_SPORT_SQL } from '#server/calls/bet-history.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { marketIsSettled } from '#server/calls/statement-rows.ts';
import { isoTime } from '#server/exchange/wire-views.ts';
import type { NamedMarket } from '#server/fixtures/fixtures.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';

/** Paise. */
interface Sums {
	markets: number;
	net: AnyPaise;
	commission: AnyPaise;
	profit: number;
}

interface SettlementRow extends Omit<Sums, 'markets'> {
	marketId: MarketId;
	atMs: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The sums of a day are small; a filter without a start still needs an end. */
const MOST_DAYS = 366;

const SUMS_SQL = `count(*)::int as markets, coalesce(sum(net), 0)::bigint as net,
	coalesce(sum(commission), 0)::bigint as commission, coalesce(sum(profit), 0)::bigint as profit`;

const wireSums = ({ markets, net, commission, profit }: Sums) => ({
	markets,
	net: majorFromPaise(net),
	commission: majorFromPaise(commission),
	profit: majorFromPaise(profit),
});

/** The filter's rows, as SQL with its values. */
function filtered(playerId: PlayerId, input: RequestOf<Calls['getUserProfitLoss']>) {
	const values: unknown[] = [playerId];
	const where = ['wallet_id = $1', marketIsSettled('player_settlement')];
	const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
	if (input.from) add('at >= ?', Date.parse(input.from));
	if (input.to) add('at <= ?', Date.parse(input.to));
	if (input.sportId) add(OF_SPORT_SQL, input.sportId);
	return { from: `from player_settlement where ${where.join(' and ')}`, values };
}

export const profitLossHandlers = ({ reads, fixtures }: Parts): HandlersOf<'getUserProfitLoss'> => {
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
			net: majorFromPaise(net),
			commission: majorFromPaise(commission),
			profit: majorFromPaise(profit),
		};
	}

	return {
		getUserProfitLoss: async (input, caller) => {
			const { from, values } = filtered(playerOf(caller).playerId, input);
			const summed = await reads.query<Sums>(`select ${SUMS_SQL} ${from}`, values);
			const days = await reads.query<Sums & { day: number }>(
				`select (at + ${input.utcOffsetMinutes * MINUTE_MS}) / ${DAY_MS} as day, ${SUMS_SQL} ${from}
				 group by 1 order by 1 desc limit ${MOST_DAYS}`,
				values,
			);
			const { rows } = await reads.query<SettlementRow>(
				`select market_id as "marketId", at as "atMs", net, commission, profit ${from}
				 order by at desc, market_id desc limit ${input.maxResultCount} offset ${input.skipCount}`,
				values,
			);
			const named = await fixtures.named(rows.map(({ marketId }) => marketId));
			const all = summed.rows[0] ?? { markets: 0, net: 0, commission: 0, profit: 0 };
			return {
				totalCount: all.markets,
				items: rows.map((row) => settledMarket(row, named.get(row.marketId))),
				...wireSums(all),
				days: days.rows.map(({ day, ...sums }) => ({ day: isoTime(day * DAY_MS).slice(0, 10), ...wireSums(sums) })),
			};
		},
	};
};
