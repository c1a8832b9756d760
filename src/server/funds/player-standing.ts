/** A player's deposits, withdrawals and results over all time. Amounts are paise. */
import type pg from 'pg';
import type { PlayerId } from '#values/ids.ts';

export interface Standing {
	netDeposits: number;
	/** Results of markets after commission, and of rounds of the casino. */
	netPosition: number;
}

export async function standingOf(db: Pick<pg.Pool, 'query'>, playerId: PlayerId): Promise<Standing> {
	const { rows } = await db.query<Standing>(
		`select
		   coalesce((select sum(case when credit in ('cash', 'hold') then amount else -amount end) from posting
		     where wallet_id = $1 and kind in ('PAYMENT', 'DISPUTE', 'DEPOSIT', 'WITHDRAWAL')
		       and (debit in ('cash', 'hold')) <> (credit in ('cash', 'hold'))), 0)::bigint as "netDeposits",
		   coalesce((select sum(profit) from player_settlement where wallet_id = $1), 0)::bigint
		     + coalesce((select sum(case when credit = 'cash' then amount else -amount end) from posting
		       where wallet_id = $1 and kind = 'CASINO' and (debit = 'cash' or credit = 'cash')), 0)::bigint as "netPosition"`,
		[playerId],
	);
	return rows[0] ?? { netDeposits: 0, netPosition: 0 };
}
