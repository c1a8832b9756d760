/**
 * A start reads only open bets and markets, however long the ledger is.
 *
 * @module-tag thorough
 */
import { expect, it } from 'vitest';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { recover } from '#server/exchange/recovery/recovery.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { betOn, openMarketOf, openTestMatch } from '../support/match.ts';
import { LEDGER_KEY, TestServer } from '../support/server.ts';

const OVER = 20_000;

/** Rows that were read of a table one after the other since its statistics began. */
const READ_IN_FULL = `select relname, seq_tup_read::int as read from pg_stat_user_tables
	where relname in ('posting', 'market_state', 'house_account', 'bet') or relname like 'request_key%'`;

it('reads neither the postings of other markets, nor ended markets, nor earlier requests', async () => {
	const server = await TestServer.start();
	const match = await openTestMatch(server);
	const race = await openMarketOf(server, match, {
		name: 'Win',
		type: 'WIN',
		runners: ['A', 'B', 'C'].map((id) => ({ id, name: `Horse ${id}` })),
		betDelaySeconds: 0,
		rules: '',
	});
	const player = await server.demoPlayer();
	const bet = { marketId: String(race.listing.id), runnerId: 'A', price: 3, stake: 100 };
	await server.result('placeBetV2', betOn(match, bet), player.token);
	await race.removeRunner(2, 1000);
	await server.stop();
	const { db } = server.database;
	await db.query(
		`insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
		   wallet_id, cash_after, market_id)
		 select 1, n, 0, 'OF_ANOTHER_MARKET', n, 0, 'DEMO', 'cash', 1, 'exposure', 1, 1, 1, 0, 1000000 + n % 100
		 from generate_series(1, ${OVER}) as n`,
	);
	await db.query(
		`insert into market_state (market_id, pools, runners, number_of_winners, commission_bp, min_stake, max_stake,
		   profit_ratio_rule, self_match, status, in_play, version, results, traded, terms, removed)
		 select 1000000 + n, pools, runners, number_of_winners, commission_bp, min_stake, max_stake, profit_ratio_rule,
		   self_match, 'SETTLED', in_play, version, '{WIN,LOSE}', traded, terms, '[[1,500]]'
		 from market_state, generate_series(1, ${OVER}) as n where market_id = $1`,
		[match.marketId],
	);
	await db.query(
		`insert into house_account select 'pot', 'DEMO', 1000000 + n, 0 from generate_series(1, ${OVER}) as n`,
	);
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched,
		   matched_value, remaining, cancelled, lapsed, voided, ended_at)
		 select 1000000 + n, 1, 1000000, 'DEMO', 0, 0, 200, 1, false, 0, 0, 0, 0, 1, 0, 0, 1
		 from generate_series(1, ${OVER}) as n`,
	);
	await db.query(
		`insert into request_key (slot, wallet_id, client_request_id, body_hash, answer, at)
		 select n % 5, 1, n, '', '{}', 0 from generate_series(1, ${OVER}) as n`,
	);
	await db.query('vacuum analyze');

	const one = connect(server.database.url, { max: 1 });
	const readBefore = await readInFull(one);
	const { engine, views } = await recover(one, new LedgerSealer(LEDGER_KEY));
	expect(await readInFull(one)).toEqual(readBefore);
	expect(engine.market(race.listing.id)?.removed).toHaveLength(1);
	expect(engine.marketExposure(player.userId, race.listing.id)).toBe(10_000);
	expect([engine.market(1_000_001), views.market(1_000_001)]).toEqual([null, null]);
	await one.end();
	await server.database.drop();
});

async function readInFull(db: ReturnType<typeof connect>): Promise<unknown> {
	await db.query('select pg_stat_force_next_flush()');
	await db.query('select 1');
	const { rows } = await db.query<{ relname: string; read: number }>(READ_IN_FULL);
	return new Map(rows.map(({ relname, read }) => [relname, read]));
}
