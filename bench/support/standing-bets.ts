/**
 * Very many matched bets of a bench's demo players in its market, with the requests that placed them, written into the tables of a
 * server that is stopped.
 */
import type pg from 'pg';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';
import { STAKE_MINOR } from './bet-mix.ts';
import { writeLargeMarket } from './large-market.ts';

const PRICES = [198, 204, 210];

/** @param bets of all players together */
export async function writeStandingBets(db: pg.Pool, marketId: number, bets: number): Promise<void> {
	const { rows } = await db.query<{ first: number; last: number; count: number }>(
		`select min(wallet_id) as first, max(wallet_id) as last, count(*) as count from wallet where pool = 'DEMO' and wallet_id >= ${FIRST_PLAYER_ID}`,
	);
	const { first = 0, last = 0, count = 0 } = rows[0] ?? {};
	if (Number(last) - Number(first) + 1 !== Number(count))
		throw new Error('The wallets of the demo players are not consecutive.');
	const of = { marketId, pool: 'DEMO', firstWallet: Number(first), wallets: Number(count) };
	await writeLargeMarket(db, { ...of, bets, stake: STAKE_MINOR, prices: PRICES });
	await db.query(
		`insert into request_key (slot, wallet_id, client_request_id, body_hash, answer, at)
		 select placed_at / ${DAY_MS} % 5, wallet_id, 'standing-' || bet_id, repeat('x', 43),
		   jsonb_build_object('betId', bet_id, 'atMs', placed_at, 'stake', stake, 'price', price), placed_at
		 from bet where market_id = $1`,
		[marketId],
	);
	await db.query('vacuum (analyze) bet, request_key, wallet');
}

/** Lets each player have as many open bets as a brand can allow: nothing is settled while a bench goes on. */
export async function allowMostOpenBets(db: pg.Pool): Promise<void> {
	await db.query(`update brand set setting = setting || '{"maxOpenBets": 20000}', from_seed = false`);
}
