/** Players of many brands with settled bets and their postings, one of whom made a tenth of all bets. */
import type pg from 'pg';
import { DAY_MS } from '#values/time.ts';

interface Size {
	players: number;
	bets: number;
	brands: number;
}

const FIRST_PLAYER = 5_000_000;
const FIRST_MARKET = 7_000_000;
const FIRST_BET = 9_000_000;
/** Of a market and player. */
const BETS_OF_MARKET = 5;
const BUSY_SHARE = 10;

/** Each bet is reserved, and each market of a player is settled, half of them with a loss. @returns the player with a tenth of the bets, and one with ten */
export async function fillPlayers(
	db: pg.Pool,
	{ players, bets, brands }: Size,
): Promise<{ busy: number; quiet: number }> {
	const now = Date.now();
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
		 select ${FIRST_PLAYER} + n, case n % $2::int when 0 then 'localhost' else 'brand-' || n % $2::int end,
		   'filled ' || n, 'filled ' || n, false, 'PLAY', $3::bigint from generate_series(0, $1::int - 1) as n`,
		[players, brands, now],
	);
	await db.query(
		`create temporary table filled as
		 select n, case when n % ${BUSY_SHARE} = 0 then ${FIRST_PLAYER} else ${FIRST_PLAYER} + 1 + n % ($2::int - 1) end as wallet,
		   ${FIRST_MARKET} + n / ${BETS_OF_MARKET * BUSY_SHARE} as market,
		   $3::bigint - ($1::bigint - n) * 300 * ${DAY_MS} / $1::bigint as at
		 from generate_series(0, $1::int - 1) as n`,
		[bets, players, now],
	);
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched,
		   matched_value, remaining, cancelled, lapsed, voided, result, profit_exact, ended_at)
		 select ${FIRST_BET} + n, wallet, market, 'PLAY', 0, n % 2, 200, 1000, false, at, 1000, 200000, 0, 0, 0, 0,
		   case market % 2 when 0 then 'WON' else 'LOST' end, case market % 2 when 0 then 100000 else -100000 end, at + 1000
		 from filled`,
	);
	await db.query(
		`insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
		   wallet_id, cash_after, market_id)
		 select 2 * n - 2 * $1::bigint, 0, at, 'BET_RESERVED', ${FIRST_BET} + n, 0, 'PLAY', 'cash', wallet, 'exposure', wallet, 1000,
		   wallet, 0, market from filled`,
		[bets],
	);
	await db.query(
		`insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
		   wallet_id, cash_after, market_id)
		 select 2 * max(n) + 1 - 2 * $1::bigint, 0, max(at) + 1000, 'MARKET_SETTLED', market, row_number() over (partition by market order by wallet), 'PLAY',
		   case market % 2 when 0 then 'pot' else 'exposure' end, wallet, case market % 2 when 0 then 'cash' else 'pot' end, wallet,
		   1000 * count(*), wallet, 0, market
		 from filled group by market, wallet`,
		[bets],
	);
	await db.query(
		`insert into player_settlement (market_id, wallet_id, net, commission, profit, at)
		 select market, wallet, case market % 2 when 0 then 1000 else -1000 end * count(*), 0, 0, max(at) + 1000
		 from filled group by market, wallet`,
	);
	await db.query('analyze player, player_settlement, bet, posting');
	return { busy: FIRST_PLAYER, quiet: FIRST_PLAYER + 1 };
}
