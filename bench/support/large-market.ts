/**
 * A market with very many matched bets, written into the tables of an exchange that is stopped: placing a million would take
 * minutes. The exchange reads them when it opens. Their digest is not compared and their seals are missing, so such a ledger
 * is good for a bench alone.
 */
import type pg from 'pg';

interface LargeMarket {
	marketId: number;
	/** PLAY by default. */
	pool?: string;
	/** Half of them backs, half lays, all of runner 0 and of one minor unit's multiple, so that nothing is rounded. */
	bets: number;
	/** The wallets of the bets: `wallets` consecutive ids, each with as many bets. */
	firstWallet: number;
	wallets: number;
	/** Minor units. */
	stake: number;
	/** Hundredths, in turn. */
	prices: readonly number[];
}

export async function writeLargeMarket(db: pg.Pool, market: LargeMarket): Promise<void> {
	const { marketId, pool = 'PLAY', bets, firstWallet, wallets, stake, prices } = market;
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched_at,
		   matched, matched_value, remaining, cancelled, lapsed, voided)
		 select last_bet_id + 2 * pair + 1 + side, $3::bigint + (case side when 0 then pair else pair * 7 + 3 end) % $4::bigint, $1::bigint, $7, 0, side,
		   price, $5::bigint, false, now_ms, now_ms, $5::bigint, $5::bigint * price, 0, 0, 0, 0
		 from lease, (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) as clock,
		   generate_series(0, $2::bigint - 1) as pair, generate_series(0, 1) as side,
		   lateral (select ($6::int[])[1 + pair % array_length($6::int[], 1)] as price) as asked`,
		[marketId, bets / 2, firstWallet, wallets, stake, prices, pool],
	);
	// What a wallet can lose: by the win of runner 0, or by its loss.
	await db.query(
		`with position as (
		   select wallet_id, greatest(0,
		     -sum(case side when 0 then matched_value / 100 - matched else matched - matched_value / 100 end),
		     -sum(case side when 0 then -matched else matched end))::bigint as held
		   from bet where market_id = $1::bigint group by wallet_id
		 ), moved as (
		   update wallet set cash = cash - held, exposure = exposure + held, version = version + 1
		   from position where position.wallet_id = wallet.wallet_id and held > 0 returning wallet.wallet_id, held, cash
		 ), numbered as (select *, row_number() over (order by wallet_id) as at from moved)
		 insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
		   wallet_id, cash_after, market_id)
		 select lease.batch, ($1::bigint * 1000000 + numbered.at)::int, lease.at, 'BET_RESERVED', last_reservation + numbered.at, 0, $2,
		   'cash', wallet_id, 'exposure', wallet_id, held, wallet_id, cash, $1::bigint from numbered, lease`,
		[marketId, pool],
	);
	await db.query(
		`update lease set last_bet_id = (select max(bet_id) from bet), digest_format = 0,
		   last_reservation = (select max(ref) from posting where kind = 'BET_RESERVED')`,
	);
}
