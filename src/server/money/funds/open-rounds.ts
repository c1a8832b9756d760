/** Money in open rounds of the casino, which is held like that of open bets. */
import type pg from 'pg';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

export interface HeldRound {
	/** Of the round's workflow. */
	id: number;
	game: string;
	/** Minor units, without returned stakes. */
	stake: AnyMinor;
	sinceMs: number;
}

/** The player's undecided rounds, oldest first: of our own games and of providers. */
export async function openRounds(db: Pick<pg.Pool, 'query'>, playerId: PlayerId): Promise<HeldRound[]> {
	const { rows } = await db.query<HeldRound>({
		name: 'open-rounds-of',
		text: `select id, data ->> 'game' as game, (data ->> 'stake')::bigint as stake,
		   opened_at as "sinceMs" from workflow
		 where kind = 'CASINO' and is_open and wallet_id = $1 order by id`,
		values: [playerId],
	});
	return rows;
}
