/** A player's all-time deposits, withdrawals and results. Amounts are paise. */
import type pg from 'pg';
import { MONEY_MOVES } from '#server/money/funds/money-rows.ts';
import type { PlayerId } from '#values/ids.ts';

interface Standing {
	netDeposits: number;
	/** Results of markets after commission, and of decided rounds of the casino. */
	netPosition: number;
}

export async function standingOf(db: Pick<pg.Pool, 'query'>, playerId: PlayerId): Promise<Standing> {
	const { rows } = await db.query<Standing>(
		`select coalesce(sum(amount) filter (where category in ('DEPOSIT', 'WITHDRAWAL')), 0)::bigint as "netDeposits",
		   coalesce(sum(amount) filter (where category in ('SPORTS', 'CASINO')), 0)::bigint as "netPosition"
		 from (${MONEY_MOVES}) as money`,
		[playerId],
	);
	return rows[0] ?? { netDeposits: 0, netPosition: 0 };
}
