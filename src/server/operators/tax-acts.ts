/** Taxes: those of periods that are over, and the report of what is owed to authorities. */
import type { ActsOf } from '#server/operators/act.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import {
	dayPeriod,
	forEachZone,
	instantsOf,
	nameOfSpan,
	SPAN_OF_ROW,
	startsOfSpans,
} from '#server/operators/zone-reports.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { isRealPool } from '#values/pools.ts';
import { monthsBetween } from '#values/zoned-calendar.ts';

/** The postings of taxes from $1 to before $2 of the brands $3, by the number of the month among the starts $4. */
const TAXES = `
	select coalesce(brand, data ->> 'host') as brand, coalesce(data -> 'tax' ->> 'name', data ->> 'name') as name,
	   ${SPAN_OF_ROW} as month, data ->> 'period' as period, count(distinct wallet_id) filter (where wallet_id <> 0)::int as players,
	   coalesce(sum(amount) filter (where credit = 'tax'), 0)::bigint as charged,
	   coalesce(sum(amount) filter (where debit = 'tax'), 0)::bigint as returned
	 from (
	   select moved.at, moved.wallet_id, amount, debit, credit, workflow.data
	   from posting as moved join workflow on workflow.kind = moved.kind and workflow.id = ref
	   where moved.at >= $1 and moved.at < $2 and moved.kind in ('WITHDRAWAL', 'TAX') and 'tax' in (debit, credit)
	 ) as moved left join player on player_id = wallet_id
	 where coalesce(brand, data ->> 'host') = any ($3) group by 1, 2, 3, 4`;

interface Row {
	brand: string;
	name: string;
	month: number;
	period: string | null;
	players: number;
	charged: AnyMinor;
	returned: AnyMinor;
}

export const TAX_ACTS: ActsOf<'close-taxes' | 'report-taxes'> = {
	'close-taxes': async (_, { brands, funds, exchange }) => {
		// Play money is not taxed, and an engine without real money posts none.
		if (!exchange.pools.some(isRealPool)) return [];
		const closed = [];
		for (const brand of brands.own())
			for (const { name, period, base, amount, playerId } of await funds.closedTaxes.close(brand))
				closed.push({
					brand: brand.host,
					name,
					period,
					base: majorFromMinor(base),
					amount: majorFromMinor(amount),
					playerId: playerId === null ? null : String(playerId),
				});
		return closed;
	},
	'report-taxes': async (asked, parts, { member }) => {
		const period = dayPeriod(asked);
		const rows = await forEachZone(visibleBrands(parts, member), parts.exchange.now(), async (zone, hosts) => {
			const { fromMs, toMs } = instantsOf(period, zone);
			const months = monthsBetween(period.first, period.last, zone);
			const read = await parts.reads.query<Row>(TAXES, [fromMs, toMs, hosts, startsOfSpans(months)]);
			return read.rows.map((row) => ({ ...row, month: nameOfSpan(months, row.month) }));
		});
		return rows
			.map(({ charged, returned, ...row }) => ({
				...row,
				charged: majorFromMinor(charged),
				returned: majorFromMinor(returned),
				owed: majorFromMinor(charged - returned),
			}))
			.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
	},
};

const orderOf = ({ month, brand, name, period }: Omit<Row, 'month'> & { month: string }): string =>
	`${month} ${brand} ${name} ${period ?? ''}`;
