/** A player's all-time deposits, withdrawals and results. Amounts are minor units. */
import type pg from 'pg';
import { MONEY_NETS } from '#server/money/funds/money-rows.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { PlayerId } from '#values/ids.ts';

interface Nets {
	netDeposits: number;
	/** Results of markets after commission, and of decided rounds of the casino. */
	netPosition: number;
}

interface Standing extends Nets {
	/** Matched stakes of bets that were not voided, and stakes of rounds that were not returned. */
	staked: number;
}

export async function netsOfPlayer(reads: Pick<HeavyReads, 'query'>, playerId: PlayerId): Promise<Nets> {
	const { rows } = await reads.query<Nets>(MONEY_NETS, [playerId]);
	return rows[0] ?? { netDeposits: 0, netPosition: 0 };
}

export async function standingOf(db: Pick<pg.Pool, 'query'>, playerId: PlayerId): Promise<Standing> {
	const { rows } = await db.query<Standing>(
		`select nets.*, ((select coalesce(sum(matched), 0) from bet where wallet_id = $1)
		     + (select coalesce(sum(matched), 0) from detached_bets where wallet_id = $1)
		     + (select coalesce(sum((data ->> 'stake')::bigint), 0) from workflow
		       where wallet_id = $1 and kind = 'CASINO' and state <> 'VOID'))::bigint as staked
		 from (${MONEY_NETS}) as nets`,
		[playerId],
	);
	return rows[0] ?? { netDeposits: 0, netPosition: 0, staked: 0 };
}
