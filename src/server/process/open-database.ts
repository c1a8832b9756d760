/** The database of a process: its connections, by purpose, migrated and with the brands of the demonstration. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { claimPools } from '#server/exchange/recovery/served-pools.ts';
import { putBehindCommits } from '#server/platform/postgres/backend-priority.ts';
import { connect, limitStatements, SERVING_LIMITS, type TimeLimits } from '#server/platform/postgres/connect.ts';
import { archiving, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { lockFolder } from '#server/platform/postgres/folder-lock.ts';
import { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import { within } from '#server/platform/postgres/limited-queries.ts';
import { isMigrated, migrate } from '#server/platform/postgres/migrate.ts';
import { openMonths } from '#server/platform/postgres/months.ts';
import type { Config } from '#server/process/config.ts';
import { seedDemoBrands } from '#server/world/brands/open-brands.ts';

/** The connections to one database, by purpose: a statement waiting for one of them delays no other purpose. */
export interface Database {
	/** Calls, players, feeds. */
	db: pg.Pool;
	/** Only commits and recovery. */
	ledger: pg.Pool;
	/** Pages of histories and statements, which are refused after some seconds. */
	reads: HeavyReads;
	/** What reads all that an account or a brand ever did, such as taxes, losses and exports: for minutes if it has to. */
	throughHistory: Pick<pg.Pool, 'query'>;
	/** A start may read for long: how long grows with the book and its history. Called before its first read. */
	unhurriedToStart: () => void;
	/** From here on others wait for each statement. Called before the first caller is answered. */
	limitedToServe: () => void;
	databaseUrl: string;
}

/** The committer writes batch after batch over one, the next behind the one before; the second connection replaces a broken one. */
const LEDGER_CONNECTIONS = 2;
/** Long reads wait for each other, and take none of the connections of bets. */
const HISTORY_CONNECTIONS = 4;
/** For a start, and for reads of whole histories. */
const UNHURRIED_LIMITS: TimeLimits = { connectionTimeoutMillis: 600_000, query_timeout: 600_000 };
/** How long the end of the process waits for a read of a history. */
const LEFT_AFTER_MS = 1_000;
/** Connections that a standby keeps open, so that a start on them does not wait for a connection. */
const READY_CONNECTIONS = 6;
/** Shorter than the pool's idle timeout. */
const USE_EVERY_MS = 5_000;
/** One that is not answered by then is closed, and another one opened. */
const KEPT_WITHIN_MS = 2_000;

/**
 * The migrated database: the configured one, or the embedded one.
 * @throws Error if the database has other pools than POOLS
 */
export async function openDatabase(config: Config, started: AsyncDisposableStack): Promise<Database> {
	const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, started));
	const isEmbedded = config.databaseUrl === null;
	const database = openConnections({ databaseUrl, most: config.databaseConnections, isEmbedded }, started);
	const { db } = database;
	const { pools, production } = config;
	database.unhurriedToStart();
	if (await isMigrated(db)) await openMonths(db, Date.now());
	else await migrateUnhurried(databaseUrl);
	database.limitedToServe();
	await claimPools(db, pools);
	if (!production) await seedDemoBrands({ db, pools, production });
	return database;
}

/** A migration may take as long as it needs. */
async function migrateUnhurried(databaseUrl: string): Promise<void> {
	const db = connect(databaseUrl, { max: 1 });
	try {
		await migrate(db);
	} finally {
		await db.end();
	}
}

interface Reach {
	databaseUrl: string;
	/** Connections of `db` at most. */
	most: number;
	/** Whether this process started PostgreSQL, on this machine. */
	isEmbedded?: boolean;
}

/** Each connection is opened on first use. */
function openConnections(
	{ databaseUrl, most, isEmbedded = false }: Reach,
	started: AsyncDisposableStack,
	onConnect?: (client: pg.ClientBase) => Promise<void>,
): Database {
	const limits = { ...SERVING_LIMITS, ...(onConnect ? { onConnect } : {}) };
	const open = (options: pg.PoolConfig): pg.Pool => {
		const pool = connect(databaseUrl, options);
		if (isEmbedded) putBehindCommits(pool);
		return pool;
	};
	const db = open({ max: most, ...limits });
	started.defer(() => db.end());
	const ledger = connect(databaseUrl, { max: LEDGER_CONNECTIONS, ...limits });
	started.defer(() => ledger.end());
	const reads = new HeavyReads(open);
	started.defer(() => reads.end());
	const throughHistory = open({ max: HISTORY_CONNECTIONS, ...UNHURRIED_LIMITS });
	started.defer(() => Promise.race([throughHistory.end(), delay(LEFT_AFTER_MS, undefined, { ref: false })]));
	const limitTo = (most: TimeLimits) => () => {
		for (const pool of [db, ledger]) limitStatements(pool, most);
	};
	return {
		db,
		ledger,
		reads,
		throughHistory,
		unhurriedToStart: limitTo(UNHURRIED_LIMITS),
		limitedToServe: limitTo(SERVING_LIMITS),
		databaseUrl,
	};
}

/**
 * Connections that can only read until writes are allowed: a rehearsal on them can change nothing, and the start finds
 * them open, with the catalogue of tables cached.
 */
export function openReadOnly(
	reach: Reach,
	started: AsyncDisposableStack,
): { database: Database; allowWrites: () => void } {
	const stage = new ReadOnlyStage();
	const database = openConnections(reach, started, (client) => stage.opened(client));
	for (const pool of [database.db, database.ledger]) pool.on('acquire', (client) => stage.taken(client));
	return { database, allowWrites: () => stage.allowWrites() };
}

/**
 * A connection is allowed to write when it is taken next, whatever it did when writes were allowed: one that was in use, or
 * that was being opened, comes back later. What is sent over it waits behind this.
 */
class ReadOnlyStage {
	readonly #readOnly = new WeakSet<pg.ClientBase>();
	#mayWrite = false;

	allowWrites(): void {
		this.#mayWrite = true;
	}

	async opened(client: pg.ClientBase): Promise<void> {
		if (this.#mayWrite) return;
		this.#readOnly.add(client);
		await client.query('set default_transaction_read_only = on');
	}

	taken(client: pg.ClientBase): void {
		if (!this.#mayWrite || !this.#readOnly.delete(client)) return;
		// Over a connection that is broken, the statement behind it fails as well.
		client.query('set default_transaction_read_only = off').catch(() => undefined);
	}
}

async function startOwnDatabase({ dataDir, walArchive }: Config, started: AsyncDisposableStack): Promise<string> {
	const lock = await lockFolder(dataDir);
	started.defer(() => lock.release());
	const settings = walArchive === null ? {} : archiving(walArchive);
	const embedded = await startEmbeddedPostgres({ dataDir, settings });
	started.defer(() => embedded.stop());
	return embedded.url('backlay');
}

/** Opens connections ahead and keeps them open. @returns a function that ends that */
export function keepConnected({ db, ledger }: Database): () => void {
	const use = (): void => {
		for (const pool of [...Array.from({ length: READY_CONNECTIONS }, () => db), ledger])
			void within(pool, KEPT_WITHIN_MS)
				.query('select 1')
				.catch(() => undefined);
	};
	use();
	const timer = setInterval(use, USE_EVERY_MS).unref();
	return () => clearInterval(timer);
}
