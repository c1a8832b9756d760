/** A player's all-time deposits, withdrawals and results. Amounts are minor units. */
import type pg from 'pg';
import { MONEY_MOVES } from '#server/money/funds/money-rows.ts';
import type { PlayerId } from '#values/ids.ts';

interface Standing {
	netDeposits: number;
	/** Results of markets after commission, and of decided rounds of the casino. */
	netPosition: number;
	/** Matched stakes of bets that were not voided, and stakes of rounds that were not returned. */
	staked: number;
}

export async function standingOf(db: Pick<pg.Pool, 'query'>, playerId: PlayerId): Promise<Standing> {
	const { rows } = await db.query<Standing>(
		`select coalesce(sum(amount) filter (where category in ('DEPOSIT', 'WITHDRAWAL')), 0)::bigint as "netDeposits",
		   coalesce(sum(amount) filter (where category in ('SPORTS', 'CASINO')), 0)::bigint as "netPosition",
		   ((select coalesce(sum(matched), 0) from bet where wallet_id = $1)
		     + (select coalesce(sum((data ->> 'stake')::bigint), 0) from workflow
		       where wallet_id = $1 and kind = 'CASINO' and state <> 'VOID'))::bigint as staked
		 from (${MONEY_MOVES}) as money`,
		[playerId],
	);
	return rows[0] ?? { netDeposits: 0, netPosition: 0, staked: 0 };
}
