/**
 * One server for the files of a worker that want the same one: a start costs more than the tests of most files. They
 * play with matches, players and brands of their own, and read their own rows alone. A file keeps a server of its own if
 * it changes a setting that others rely on, moves the clock, audits the ledger, which grows with each file, or counts rows,
 * events or money of all.
 */
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Config } from '#server/process/config.ts';
import { type HeldServer, heldServer, holdServer, releaseServer } from './held-server.ts';
import { STREAM, TestServer } from './server.ts';

/** What some files ask and none is troubled by, so that fewer want a server of their own. */
const COMMON: Partial<Config> = {
	stream: STREAM,
	payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 100, webhookKeys: {} },
};
/** Rows that a file may neither change nor remove; it may add others, such as a member of staff. */
const KEPT = ['served_pools', 'staff', 'staff_role'];
/** Rules that bind players and markets of all files: it may not add any either. */
const WHOLE = ['brand_schedule', 'game_rule', 'limit_rule', 'webhook_endpoint'];
/** A commit in progress, or a statement whose client did not wait for it, ends within that time. */
const GRACE_MS = 2_000;
const LOOK_EVERY_MS = 20;

interface SharedServer extends HeldServer {
	server: TestServer;
	/** What it was started with. */
	changes: Partial<Config>;
	/** What it had when its first process started. */
	before: Settings;
}

/** Rows by table, as text. */
type Settings = Record<string, string[]>;

const SETTINGS = [...KEPT, ...WHOLE]
	.map((table) => `select '${table}' as "table", array(select t::text from ${table} t order by 1) as rows`)
	.join(' union all ');

/** In place of the rows of brands: a file that gives back what it changed leaves a later version of the same setting. */
const BRANDS = 'brand';

async function settingsOf({ running, database: { db } }: TestServer): Promise<Settings> {
	const { rows } = await db.query<{ table: string; rows: string[] }>(SETTINGS);
	const brands = running.brands.all().map(({ setting }) => JSON.stringify({ ...setting, version: 0 }));
	return { ...Object.fromEntries(rows.map(({ table, rows }) => [table, rows])), [BRANDS]: brands };
}

/** The tables whose rows are not what they were. */
const changedTables = (before: Settings, now: Settings): string[] => [
	...[BRANDS, ...KEPT].filter((table) => !before[table]?.every((row) => now[table]?.includes(row))),
	...WHOLE.filter((table) => !isDeepStrictEqual(before[table], now[table])),
];

/** Transactions in which no statement runs, by what tells them from others. */
async function idleTransactions(db: pg.Pool): Promise<Map<string, string>> {
	const { rows } = await db.query<{ id: string; query: string }>(
		`select concat_ws(' ', pid, xact_start) as id, query from pg_stat_activity
		 where datname = current_database() and state in ('idle in transaction', 'idle in transaction (aborted)')`,
	);
	return new Map(rows.map(({ id, query }) => [id, query]));
}

/** Resolves with the transactions that are open now and still after a while; the server begins and ends others meanwhile. */
async function leftOpen(db: pg.Pool): Promise<string[]> {
	const left = await idleTransactions(db);
	for (const until = performance.now() + GRACE_MS; left.size > 0 && performance.now() < until; ) {
		await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
		const open = await idleTransactions(db);
		for (const id of left.keys()) if (!open.has(id)) left.delete(id);
	}
	return [...left.values()];
}

/** What is otherwise than before, in words. */
async function changedSince(before: Settings, server: TestServer): Promise<string[]> {
	if (!server.running.exchange.isOpen()) return ['It takes no more bets.'];
	const changed = changedTables(before, await settingsOf(server));
	const open = await leftOpen(server.database.db);
	return [
		...changed.map((table) => `It changed what other files rely on: ${table}.`),
		...open.map((statement) => `It left a transaction open: ${statement}`),
	];
}

/**
 * Compares the server with what it is now, whenever the answer is called: it is left as other files expect it.
 * @returns a function that resolves with what is otherwise, in words
 */
export async function watchShared(server: TestServer): Promise<() => Promise<string[]>> {
	const before = await settingsOf(server);
	return () => changedSince(before, server);
}

function hold(server: TestServer, changes: Partial<Config>, before: Settings): TestServer {
	const shared: SharedServer = {
		key: JSON.stringify(changes),
		server,
		changes,
		before,
		ports: [Number(new URL(server.url).port), server.running.streamPort ?? 0],
		faults: () => changedSince(before, server),
		dispose: () => server.dispose(),
	};
	holdServer(shared);
	return server;
}

/**
 * The server of this worker, started by the first file that asks. No file stops or disposes of it.
 * @param changes what is configured otherwise; a worker holds one server at a time
 */
export async function sharedServer(changes: Partial<Config> = {}): Promise<TestServer> {
	const held = heldServer();
	if (held?.key === JSON.stringify(changes)) return (held as SharedServer).server;
	await releaseServer();
	const server = await TestServer.start(undefined, { ...COMMON, ...changes });
	// What `signUp` and `signUpElsewhere` need, so that no file has to change it.
	await server.act('brand-set', { host: 'localhost', field: 'allowSignUp', value: 'true' });
	for (const field of ['allowSignUp', 'skipVerification'])
		await server.act('brand-set', { host: '127.0.0.1', field, value: 'true' });
	return hold(server, changes, await settingsOf(server));
}

/**
 * Ends the process of the shared server and starts the next one on what it left behind, for what outlives a process.
 * Costs half of what a server of one's own does that starts again.
 * @param meanwhile what happens while none runs
 */
export async function restartShared(meanwhile: () => Promise<unknown> = async () => {}): Promise<TestServer> {
	const { server, changes, before } = heldServer() as SharedServer;
	await server.stop();
	await meanwhile();
	return hold(await TestServer.start(server.database, { ...COMMON, ...changes }), changes, before);
}
