/**
 * `npm run bench -- simulated-day`: the growth of the database in a day of simulated sports without a player; `--hours` of
 * it are played at `--speed`, after `--warm-up` seconds. Prints one JSON line: fixtures played and those still in memory,
 * bets placed and the rows written for them, the growth of the tables, the write-ahead log and the rows written, also for
 * a whole day, and the heap after a collection. Only speed 1 gives the true figures of a day, because the house reads the
 * state of play once or twice a second at every speed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { readConfig } from '#server/process/config.ts';
import { startServer } from '#server/process/start.ts';
import { print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';

const { values } = parseArgs({
	options: {
		hours: { type: 'string', default: '24' },
		speed: { type: 'string', default: '600' },
		// The first announced fixtures, and play before the measurement, are not part of a day.
		'warm-up': { type: 'string', default: '20' },
	},
});
const [hours, speed, warmUpMs] = [Number(values.hours), Number(values.speed), Number(values['warm-up']) * 1000];

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

interface TableSize {
	/** Kilobytes of the table with its indexes, and with the room that rewritten rows leave until it is used again. */
	kb: number;
	/** Kilobytes of the rows alone. */
	liveKb: number;
	/** Rows written to it. */
	rows: number;
}

async function tables(db: pg.Pool): Promise<Map<string, TableSize>> {
	const { rows } = await db.query<Omit<TableSize, 'liveKb'> & { name: string }>(
		`select relname as name, pg_total_relation_size(relid)::float8 / 1e3 as kb,
		   (n_tup_ins + n_tup_upd)::int as rows from pg_stat_user_tables`,
	);
	const sizes = new Map<string, TableSize>();
	for (const { name, kb, rows: count } of rows) {
		const { rows: live } = await db.query<{ kb: number }>(
			`select coalesce(sum(pg_column_size(each.*)), 0)::float8 / 1e3 as kb from ${name} as each`,
		);
		sizes.set(name, { kb, liveKb: live[0]?.kb ?? 0, rows: count });
	}
	return sizes;
}

await withDataDir(async (dataDir) => {
	const args = ['--port', '0', '--log-level', 'warn', '--sim-speed', String(speed)];
	const server = await startServer(readConfig(args, {}, dataDir), (error) => {
		throw error;
	});
	await delay(warmUpMs);
	const heapAtStartMb = heapMb();
	const tablesBefore = await tables(server.db);
	const before = await written(server.db);
	await delay((hours * 3_600_000) / speed);
	const after = await written(server.db);
	const grownTables = [...(await tables(server.db))].flatMap(([name, { kb, liveKb, rows }]) => {
		const first = tablesBefore.get(name);
		const by = {
			kb: round(kb - (first?.kb ?? 0), 1),
			liveKb: round(liveKb - (first?.liveKb ?? 0), 1),
			rows: rows - (first?.rows ?? 0),
		};
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
		aDay: {
			...Object.fromEntries(grew.map(([key, by]) => [key, round((by * 24) / hours, 1)])),
			liveMb: round((grownTables.reduce((sum, [, { liveKb }]) => sum + liveKb, 0) * 24) / hours / 1e3, 1),
		},
		tables: Object.fromEntries(grownTables),
		heapAtStartMb,
		heapMb: heapMb(),
	});
	await server.stop();
});
