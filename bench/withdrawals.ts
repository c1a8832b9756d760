/**
 * `npm run bench -- withdrawals`: the database queries of the withdrawals page for a player with a history, alone and
 * in an invitation tree of 10,000 accounts with the same history each. All accounts of a tree count as one interest, so
 * the page of one of them must not read the history of all. The figures are the 99th percentiles of the calls. Prints
 * one JSON line.
 */
import type pg from 'pg';
import { moneyAtRisk } from '#server/money/funds/money-at-risk.ts';
import { turnoverOf } from '#server/money/funds/withdrawals/withdrawable.ts';
import { percentile, print, round } from './support/figures.ts';
import { withCluster, withLedger } from './support/scratch.ts';

const ACCOUNTS = 10_000;
const ROWS_EACH = 100;
const CALLS = 40;
const FIRST = 5_000_000;
const LONER = 4_999_999;
const FIRST_MARKET = 7_000_000;
/** Events that the accounts bet on; each has two markets on its winner. */
const EVENTS = 5_000;
const MUST = { inTreeMs: 10 };
const NO_BETS = { openBets: () => [] };

await withCluster(
	async (cluster) =>
		await withLedger(cluster, 'withdrawals', async (db) => {
			await fill(db);
			const ask = (playerId: number) => turnoverOf(db, NO_BETS, playerId, Date.now());
			const alone = await took(() => ask(LONER));
			const inTree = await took((call) => ask(FIRST + 1 + call));
			const { length } = await moneyAtRisk(db, NO_BETS, FIRST + 1);
			print({
				accounts: ACCOUNTS,
				rows: ACCOUNTS * ROWS_EACH,
				events: length,
				aloneMs: alone,
				inTreeMs: inTree,
				must: MUST,
			});
		}),
);

async function took(ask: (call: number) => Promise<unknown>): Promise<{ p50: number; p99: number }> {
	const times: number[] = [];
	await ask(0);
	for (let call = 0; call < CALLS; call++) {
		const from = performance.now();
		await ask(call);
		times.push(performance.now() - from);
	}
	return { p50: round(percentile(times, 0.5), 1), p99: round(percentile(times, 0.99), 1) };
}

/** A loner, and a tree in which each account invited ten others. */
async function fill(db: pg.Pool): Promise<void> {
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at, mobile, mobile_verified_at,
		   invited_by, invitation_root)
		 select ${FIRST} + n, 'localhost', 'generated ' || n, 'generated ' || n, false, 'PLAY', 0, '+9170' || lpad((n + 1)::text, 8, '0'), 0,
		   case when n > 0 then ${FIRST} + (n - 1) / 10 end, case when n > 0 then ${FIRST} end
		 from generate_series(-1, ${ACCOUNTS - 1}) as n`,
	);
	await db.query(
		`insert into fixture (id, sport_id, title, competition, starts_at, status, source, source_ref, has_tv)
		 select n, 4, 'Event ' || n, 'Bench Cup', n, 'FINISHED', 'bench', n::text, false from generate_series(0, ${EVENTS - 1}) as n`,
	);
	const runners = JSON.stringify(['India', 'Nepal'].map((name) => ({ name })));
	await db.query(
		`insert into market_listing (id, fixture_id, sort_order, listing)
		 select ${FIRST_MARKET} + n, n / 2, n % 2, jsonb_build_object('type', case n % 2 when 0 then 'MATCH_ODDS' else 'BOOKMAKER' end,
		   'name', 'Winner', 'runners', $1::jsonb)
		 from generate_series(0, ${2 * EVENTS - 1}) as n`,
		[runners],
	);
	await db.query(
		`insert into money_at_risk (wallet_id, what, ref, at, since, amount, long_amount, worths)
		 select ${FIRST} + n, 'market', ${FIRST_MARKET} + (n * 37 + m * 97) % ${2 * EVENTS}, m, m, 1000, 1000,
		   case (n + m) % 2 when 0 then '{100000,-100000}'::bigint[] else '{-100000,100000}' end
		 from generate_series(-1, ${ACCOUNTS - 1}) as n, generate_series(0, ${ROWS_EACH - 1}) as m
		 on conflict do nothing`,
	);
	await db.query('analyze player, market_listing, money_at_risk');
}
