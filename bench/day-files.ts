/**
 * `npm run bench -- day-files`: seconds to write the Parquet files of a day with `--bets` bets, of which each is matched
 * and settled, and to prove the day from them; the limit is reading the same rows and writing nothing.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { DAY_MS } from '#values/time.ts';
import { dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import { auditDays } from '../tools/day-files/audit-days.ts';
import { DAY_TABLES } from '../tools/day-files/day-tables.ts';
import { ROWS_AT_ONCE } from '../tools/day-files/parquet-table.ts';
import { writeDays } from '../tools/day-files/write-days.ts';
import { print, round } from './support/figures.ts';
import { withCluster, withDataDir, withLedger } from './support/scratch.ts';

const { values } = parseArgs({ options: { bets: { type: 'string', default: '1000000' } } });
const BETS = Number(values.bets);
const DAY = 20_000;
const FROM_MS = dayStart(DAY, HOME_ZONE);
const PLAYERS = 50_000;
/** Rows of a batch that the seal of a bet covers: itself, its match, its postings, its settlement. */
const BETS_A_BATCH = 40;
const ENTRIES_A_BET = 6;
const STAKE = 100_00;
/** Checks that the files fail: none. */
const MUST = { writeSeconds: 60, failed: [] };

/** Bets by turns lost and won, at evens; each is its player's only bet in its market. */
async function fill(db: pg.Pool): Promise<void> {
	const bets = `generate_series(0, ${BETS - 1}) as bet (n)`;
	const wallet = `1000 + n % ${PLAYERS}`;
	const market = `1 + n / ${PLAYERS}`;
	const at = `${FROM_MS} + n::bigint * ${DAY_MS - 1000} / ${BETS}`;
	const batch = `1 + n / ${BETS_A_BATCH}`;
	await db.query(
		`insert into posting select 0, n, ${FROM_MS - 1}, 'GRANT', n, 0, 'PLAY', 'mint', 0, 'cash', 1000 + n, ${STAKE * BETS}, 1000 + n, ${STAKE * BETS}, 0
		 from generate_series(0, ${PLAYERS - 1}) as player (n)`,
	);
	// Two moves of a bet: it is held, and it is lost to the pot or comes back with what was won.
	const moves = `(
		select n, 0 as step, 'BET_RESERVED' as kind, 'cash' as debit, 'exposure' as credit, -${STAKE} as cash from ${bets}
		union all select n, 1, 'MARKET_SETTLED', 'exposure', 'pot', 0 from ${bets} where n % 2 = 0
		union all select n, 1, 'MARKET_SETTLED', 'exposure', 'cash', ${STAKE} from ${bets} where n % 2 = 1
		union all select n, 2, 'MARKET_SETTLED', 'pot', 'cash', ${STAKE} from ${bets} where n % 2 = 1)`;
	await db.query(
		`insert into posting
		 select ${batch}, (n % ${BETS_A_BATCH}) * 3 + step, ${at}, kind, n, step, 'PLAY',
		   debit, case debit when 'pot' then ${market} else ${wallet} end,
		   credit, case credit when 'pot' then ${market} else ${wallet} end, ${STAKE}, ${wallet},
		   ${STAKE * BETS} + sum(cash) over (partition by ${wallet} order by n, step), ${market}
		 from ${moves} as move`,
	);
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched, matched_value,
		   remaining, cancelled, lapsed, voided, result, profit_exact, ended_at)
		 select n, ${wallet}, ${market}, 'PLAY', 0, n % 2, 200, ${STAKE}, false, ${at}, ${STAKE}, ${STAKE * 200}, 0, 0, 0, 0,
		   case n % 2 when 0 then 'LOST' else 'WON' end, case n % 2 when 0 then -1 else 1 end * ${STAKE} * 100, ${at} from ${bets}`,
	);
	await db.query(
		`insert into bet_match select ${batch}, n % ${BETS_A_BATCH}, n, n - 1, ${market}, 0, 200, ${STAKE}, 1, ${at} from ${bets} where n % 2 = 1`,
	);
	const profit = `case n % 2 when 0 then -${STAKE} else ${STAKE} end`;
	await db.query(
		`insert into player_settlement select ${market}, ${wallet}, ${profit}, 0, ${profit}, ${at} from ${bets}`,
	);
	await db.query(
		`insert into batch_seal select n, 0, 'bench', decode(repeat(md5(n::text), ${Math.ceil((BETS_A_BATCH * ENTRIES_A_BET * 17) / 16)}), 'hex'),
		   sha256(n::text::bytea) from generate_series(1, ${Math.ceil(BETS / BETS_A_BATCH)}) as batch (n)`,
	);
	await db.query(`update lease set at = ${FROM_MS + DAY_MS + 1}, sealed_chain = ''`);
	await db.query('vacuum analyze');
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
	const begunMs = performance.now();
	await work();
	return (performance.now() - begunMs) / 1000;
}

/** @returns how long the work took, seconds */
async function withClient(db: pg.Pool, work: (client: pg.ClientBase) => Promise<unknown>): Promise<number> {
	const client = await db.connect();
	try {
		return await secondsOf(() => work(client));
	} finally {
		client.release(true);
	}
}

/** The rows as the writer reads them. */
async function readAll(client: pg.ClientBase): Promise<void> {
	await client.query('begin transaction isolation level repeatable read read only');
	const tables = { bet: 'bet', bet_match: 'bet_match' };
	const bounds = { fromMs: FROM_MS, toMs: FROM_MS + DAY_MS, after: 0, last: BETS, tables };
	for (const { query } of DAY_TABLES) {
		await client.query(`declare rows no scroll cursor for ${query(bounds)}`);
		while (((await client.query(`fetch ${ROWS_AT_ONCE} from rows`)).rowCount ?? 0) > 0);
		await client.query('close rows');
	}
	await client.query('rollback');
}

await withCluster((cluster) =>
	withLedger(cluster, 'day_files', async (db) => {
		await fill(db);
		await withDataDir(async (folder) => {
			const into = join(folder, 'days');
			await mkdir(into);
			const asked = { from: DAY, nowMs: FROM_MS + DAY_MS, zone: HOME_ZONE };
			const readSeconds = await withClient(db, readAll);
			const writeSeconds = await withClient(db, (client) => Array.fromAsync(writeDays(client, into, asked)));
			const failed: string[] = [];
			const auditSeconds = await secondsOf(async () => {
				for await (const { check, wrong } of auditDays(into, null)) if (wrong) failed.push(check);
			});
			print({
				bets: BETS,
				writeSeconds: round(writeSeconds, 1),
				readSeconds: round(readSeconds, 1),
				ratio: round(writeSeconds / readSeconds, 2),
				auditSeconds: round(auditSeconds, 1),
				failed,
				peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
				must: MUST,
			});
		});
	}),
);
