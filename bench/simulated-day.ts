/**
 * `npm run bench:simulated-day`: the growth of the database in a day of simulated sports without a player; `--hours` of
 * it are played at `--speed`. Prints one JSON line: fixtures played and those still in memory, bets placed and the rows
 * written for them, the growth of the tables, the write-ahead log and the rows written, also for a whole day, and the
 * heap after a collection. Only speed 1 gives the true figures of a day, because the house reads the state of play once
 * or twice a second at every speed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/start.ts';
import { print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';

const { values } = parseArgs({
	options: { hours: { type: 'string', default: '24' }, speed: { type: 'string', default: '600' } },
});
const [hours, speed] = [Number(values.hours), Number(values.speed)];
/** The first announced fixtures, and play before the measurement, are not part of a day. */
const WARM_UP_MS = 20_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMb = (): number => {
	collect();
	return round(process.memoryUsage().heapUsed / 1e6, 1);
};

interface Written {
	postings: number;
	betsPlaced: number;
	betRows: number;
	rowsWritten: number;
	tablesMb: number;
	walMb: number;
}

async function written(db: pg.Pool): Promise<Written> {
	await db.query('select pg_stat_force_next_flush()');
	const { rows } = await db.query<Written>(
		`select (select count(*)::int from posting) as postings, (select last_bet_id::int from lease) as "betsPlaced",
		   (select count(*)::int from bet) as "betRows",
		   (select sum(n_tup_ins + n_tup_upd)::int from pg_stat_user_tables) as "rowsWritten",
		   (select sum(pg_total_relation_size(relid))::float8 / 1e6 from pg_stat_user_tables) as "tablesMb",
		   (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 / 1e6 as "walMb"`,
	);
	return rows[0] as Written;
}

/** Kilobytes of each table with its indexes, and the rows written to it. */
async function tables(db: pg.Pool): Promise<Map<string, { kb: number; rows: number }>> {
	const { rows } = await db.query<{ name: string; kb: number; rows: number }>(
		`select relname as name, pg_total_relation_size(relid)::float8 / 1e3 as kb,
		   (n_tup_ins + n_tup_upd)::int as rows from pg_stat_user_tables`,
	);
	return new Map(rows.map(({ name, kb, rows: count }) => [name, { kb, rows: count }]));
}

await withDataDir(async (dataDir) => {
	const args = ['--port', '0', '--log-level', 'warn', '--sim-speed', String(speed)];
	const server = await startServer(readConfig(args, {}, dataDir), (error) => {
		throw error;
	});
	await delay(WARM_UP_MS);
	const heapAtStartMb = heapMb();
	const tablesBefore = await tables(server.db);
	const before = await written(server.db);
	await delay((hours * 3_600_000) / speed);
	const after = await written(server.db);
	const grownTables = [...(await tables(server.db))].flatMap(([name, { kb, rows }]) => {
		const first = tablesBefore.get(name);
		const by = { kb: round(kb - (first?.kb ?? 0), 1), rows: rows - (first?.rows ?? 0) };
		return by.rows > 0 ? [[name, by] as const] : [];
	});
	const grew = (Object.keys(before) as (keyof Written)[]).map((key) => [key, after[key] - before[key]] as const);
	const markets = await server.db.query<{ count: number }>('select count(*)::int as count from market_state');
	print({
		simulatedHours: hours,
		speed,
		fixturesInMemory: server.fixtures.all().length,
		markets: markets.rows[0]?.count,
		grew: Object.fromEntries(grew.map(([key, by]) => [key, round(by, 2)])),
		aDay: Object.fromEntries(grew.map(([key, by]) => [key, round((by * 24) / hours, 1)])),
		tables: Object.fromEntries(grownTables),
		heapAtStartMb,
		heapMb: heapMb(),
	});
	await server.stop();
});
