/**
 * `npm run bench -- liabilities`: seconds to make and store the tree of what the house owes to `--players` players
 * (a million), while the server goes on. `ratio` is to reading the same wallets and doing nothing with them; `longestWaitMs`
 * is how long the process of the engine would have waited. A player's proof from the stored nodes is to compare with the
 * seconds of the tree, which each proof would take if nothing were stored, and `storedMb` with twice as much if all
 * levels were.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { pino } from 'pino';
import { dayEndOf, walletsThen } from '#server/money/liabilities/day-end.ts';
import { proofOf } from '#server/money/liabilities/tree-rows.ts';
import { SumTrees } from '#server/money/liabilities/trees.ts';
import { MACHINE } from '#server/platform/machine/machine.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import { percentile, print, round } from './support/figures.ts';
import { withCluster, withLedger } from './support/scratch.ts';

const { values } = parseArgs({ options: { players: { type: 'string', default: '1000000' } } });
const PLAYERS = Number(values.players);
const DAY = 20_000;
const ENDS_MS = dayStart(DAY + 1, HOME_ZONE);
/** Seconds. */
const MUST = 60;
const AIM = 30;
const PROOFS = 100;
const LOOK_EVERY_MS = 20;

/** Every second player has moved something since the day ended. */
async function fill(db: pg.Pool): Promise<void> {
	const players = `generate_series(${FIRST_PLAYER_ID}, ${FIRST_PLAYER_ID + PLAYERS - 1}) as player (n)`;
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
		select n, 'brand.example', 'player-' || n, 'player-' || n, false, 'REAL', ${ENDS_MS - DAY_MS} from ${players}`,
	);
	await db.query(
		`insert into wallet (wallet_id, pool, currency, cash, exposure, hold, bonus, version)
		select n, 'REAL', 'INR', n * 7919::bigint % 10000000, 100 + n % 3 * 5000, n % 5 * 1000, n % 7 * 100, 1 from ${players}`,
	);
	await db.query(
		`insert into posting
		select 2, n, ${ENDS_MS + 1}, 'BET_RESERVED', n, 0, 'REAL', 'cash', n, 'exposure', n, 100, n, 0, 1 from ${players} where n % 2 = 0`,
	);
	await db.query(
		`insert into house_account (kind, pool, owner, balance)
		select 'bank', 'REAL', 0, -sum(cash + exposure + hold + bonus) from wallet`,
	);
	await db.query('update lease set batch = 2, at = $1', [ENDS_MS + HOUR_MS]);
	await db.query('vacuum analyze');
}

/** @returns how long the work took, seconds */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
	const begunMs = performance.now();
	await work();
	return (performance.now() - begunMs) / 1000;
}

async function readSeconds(db: pg.Pool): Promise<number> {
	const client = await db.connect();
	await client.query('begin transaction isolation level repeatable read read only');
	const end = await dayEndOf(client, 'REAL', { day: DAY, untilMs: ENDS_MS });
	const seconds = await secondsOf(async () => {
		for await (const some of walletsThen(client, end)) void some;
	});
	client.release(true);
	return seconds;
}

/** The bytes of the tables of the trees. */
async function storedBytes(db: pg.Pool): Promise<number> {
	const { rows } = await db.query<{ bytes: number }>(
		`select sum(pg_total_relation_size(name::regclass))::bigint as bytes
		from unnest(array['sum_tree', 'sum_tree_tile', 'sum_tree_place']) as name`,
	);
	return rows[0]?.bytes ?? 0;
}

/** The process that makes trees sends no leaf to the log, without which there is no proof. */
async function logTree(db: pg.Pool): Promise<void> {
	await db.query(
		`insert into public_log_entry (log, entry, type, ref, leaf)
		select 1, 0, 'liabilities', 'REAL ' || to_char(date '1970-01-01' + day, 'YYYY-MM-DD'), '{}' from sum_tree`,
	);
}

await withCluster((cluster) =>
	withLedger(cluster, 'liabilities', async (db) => {
		await fill(db);
		const reading = await readSeconds(db);
		const log = pino({ level: 'silent' });
		const trees = new SumTrees({ db, databaseUrl: cluster.url('liabilities'), pools: ['REAL'], zone: HOME_ZONE, log });
		const delay = monitorEventLoopDelay({ resolution: 5 });
		let peakBytes = 0;
		const look = setInterval(() => {
			peakBytes = Math.max(peakBytes, trees.pid === null ? 0 : MACHINE.residentBytes(trees.pid));
		}, LOOK_EVERY_MS);
		delay.enable();
		const seconds = await secondsOf(() => trees.makeDue(ENDS_MS + 2 * HOUR_MS));
		delay.disable();
		clearInterval(look);
		await logTree(db);
		const proofsMs: number[] = [];
		for (let asked = 0; asked < PROOFS; asked++) {
			const walletId = FIRST_PLAYER_ID + Math.floor((asked * PLAYERS) / PROOFS);
			proofsMs.push(1000 * (await secondsOf(() => proofOf(db, 'REAL', walletId))));
		}
		print({
			players: PLAYERS,
			seconds: round(seconds, 1),
			must: MUST,
			aim: AIM,
			readSeconds: round(reading, 1),
			ratio: round(seconds / reading, 2),
			longestWaitMs: round(delay.max / 1e6, 1),
			peakMb: Math.round(peakBytes / 2 ** 20),
			storedMb: Math.round((await storedBytes(db)) / 2 ** 20),
			proofMs: round(percentile(proofsMs, 0.5), 1),
		});
	}),
);
