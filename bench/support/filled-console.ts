/** A database of the size after a year, for the console's reads: players of a brand, their results and their bets. */
import type pg from 'pg';
import { DAY_MS } from '#values/time.ts';

/** Ten a day; all players of a market have their results at one time. */
const MARKETS = 3_650;
const FIRST_MARKET = 7_000_000;
/** One of the settled markets that the bets are on. */
export const FILLED_MARKET = FIRST_MARKET + 1;

/** @param rows players, each with one result and one posting within the year, and one settled bet; "generated N" is player 5000000 + N */
export async function fillConsole(db: pg.Pool, rows: number): Promise<void> {
	const values = [rows, Date.now()];
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at, mobile)
		 select 5000000 + n, 'localhost', 'generated ' || n, 'generated ' || n, false, 'PLAY', $2::bigint,
		   '+9170' || lpad(n::text, 8, '0')
		 from generate_series(1, $1::int) as n`,
		values,
	);
	await db.query(
		`insert into player_settlement (market_id, wallet_id, net, commission, profit, at)
		 select ${FIRST_MARKET} + market, 5000000 + n, 100, 2, 98, $2::bigint - market * 365 * ${DAY_MS} / ${MARKETS}
		 from generate_series(1, $1::int) as n, lateral (select n::bigint * ${MARKETS} / ($1::int + 1) as market) as of`,
		values,
	);
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched,
		   matched_value, remaining, cancelled, lapsed, voided, result, profit_exact, ended_at)
		 select 9000000 + n, 5000000 + n, ${FIRST_MARKET} + n::bigint * ${MARKETS} / ($1::int + 1), 'PLAY', 0, n % 2, 200, 1000, false,
		   $2::bigint - n, 1000, 200000, 0, 0, 0, 0, case n % 2 when 0 then 'WON' else 'LOST' end, 0, $2::bigint
		 from generate_series(1, $1::int) as n`,
		values,
	);
	await db.query(
		`insert into money_at_risk (wallet_id, what, ref, at, since, amount, long_amount)
		 select wallet_id, 'market', market_id, at, at, 1000, 1000 from player_settlement where wallet_id > 5000000`,
	);
	await db.query(
		`insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
		   wallet_id, cash_after, market_id)
		 select -1 - $1::bigint + n, 0, $2::bigint - ($1::bigint - n) * 365 * ${DAY_MS} / $1::bigint, 'FILLED', n, 0, 'PLAY', 'mint', 0,
		   'commission', 0, 100, 5000000 + n, 0, 0
		 from generate_series(1, $1::int) as n`,
		values,
	);
	await db.query('analyze player, player_settlement, money_at_risk, bet, posting');
}
