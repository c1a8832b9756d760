import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/wire-views.ts';
import type { NamedMarket } from '#server/fixtures/fixtures.ts';
import { majorFromPaise } from '#values/money.ts';

interface CashRow {
	batch: number;
	line: number;
	kind: string;
	ref: number;
	marketId: number;
	amount: number;
	cashAfter: number;
	atMs: number;
}

/** What a row was about, in words where there are any. */
const reference = ({ ref }: CashRow, named: NamedMarket | undefined): string =>
	named ? `${named.fixture.title} · ${named.listing.name}` : String(ref);

export const transactionHandlers = ({ pool, fixtures }: Parts): HandlersOf<'getTransactionHistory'> => {
	return {
		getTransactionHistory: async (input, caller) => {
			const values: unknown[] = [playerOf(caller).playerId];
			// Only moves of the free balance: what goes from exposure to a pot was paid when it was reserved.
			const where = ['wallet_id = $1', `(debit = 'cash' or credit = 'cash')`];
			const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
			if (input.from) add('at >= ?', Date.parse(input.from));
			if (input.to) add('at <= ?', Date.parse(input.to));
			if (input.kind) add('kind = ?', input.kind);
			const summed = await pool.query<{ count: number; credited: number; debited: number }>(
				`select count(*)::int as count, coalesce(sum(amount) filter (where credit = 'cash'), 0)::bigint as credited,
				   coalesce(sum(amount) filter (where credit <> 'cash'), 0)::bigint as debited
				 from posting where ${where.join(' and ')}`,
				values,
			);
			const all = summed.rows[0];
			const { rows } = await pool.query<CashRow>(
				`select batch, line, kind, ref, market_id as "marketId", cash_after as "cashAfter", at as "atMs",
				   case when credit = 'cash' then amount else -amount end as amount
				 from posting where ${where.join(' and ')} order by batch desc, line desc
				 limit ${input.maxResultCount} offset ${input.skipCount}`,
				values,
			);
			const named = await fixtures.named(rows.flatMap(({ marketId }) => (marketId > 0 ? [marketId] : [])));
			return {
				totalCount: all?.count ?? 0,
				credited: majorFromPaise(all?.credited ?? 0),
				debited: majorFromPaise(all?.debited ?? 0),
				items: rows.map((row) => ({
					id: `${row.batch}-${row.line}`,
					kind: row.kind,
					reference: reference(row, named.get(row.marketId)),
					amount: majorFromPaise(row.amount),
					balanceAfter: majorFromPaise(row.cashAfter),
					at: isoTime(row.atMs),
				})),
			};
		},
	};
};
