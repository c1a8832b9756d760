/**
 * The newest changes of a player's money, from the newest postings alone: a player with a hundred thousand bets has as
 * many older ones. The balances are counted back from the cash of the wallet, which is the sum of all changes.
 */

import { MONEY_ROW, MONEY_ROWS, type MoneyRow, movesIn, NEWEST_FIRST } from '#server/money/funds/money-rows.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { PlayerId } from '#values/ids.ts';

/** Postings that are read; a row comes from one to a few of them. */
const POSTINGS = 500;

/** `$1` the wallet, `$2` how many rows. Whole batches, and of the rest what is later than they are. */
const NEWEST_MONEY_ROWS = `with last_left as (
	select batch from posting where wallet_id = $1 order by batch desc, line desc offset ${POSTINGS} limit 1
), cut as (
	select max(posting.batch) as batch, max(posting.at) as at from posting join last_left using (batch) where wallet_id = $1
), newest as materialized (
	select * from posting where wallet_id = $1 and batch > coalesce((select batch from cut), -9223372036854775808)
)
select ${MONEY_ROW} from (
	select *, (coalesce((select cash from wallet where wallet_id = $1), 0) - coalesce(sum(amount) over (
		order by at desc, batch desc, line desc, rank desc rows between unbounded preceding and 1 preceding
	), 0))::bigint as balance_after
	from (${movesIn('newest')}) as moves where at > coalesce((select at from cut), -1)
) as money order by ${NEWEST_FIRST} limit $2`;

/** Newest first. @param count of rows, some dozens */
export async function newestMoneyRows(
	reads: Pick<HeavyReads, 'query'>,
	playerId: PlayerId,
	count: number,
): Promise<MoneyRow[]> {
	const { rows } = await reads.query<MoneyRow>(NEWEST_MONEY_ROWS, [playerId, count]);
	if (rows.length === count) return rows;
	// Few rows of many postings, or few postings at all.
	const all = await reads.query<MoneyRow>(
		`select ${MONEY_ROW} from (${MONEY_ROWS}) as money order by ${NEWEST_FIRST} limit $2`,
		[playerId, count],
	);
	return all.rows;
}
