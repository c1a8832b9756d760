/**
 * Moves the embedded database to the major version of PostgreSQL that this version of Backlay brings. The old cluster runs
 * on its own binaries and is only read; a new one beside it gets the same schema and every row, is audited, and takes the
 * old one's place, which is kept. Until the new one is whole the old one stays where it is.
 *
 *     postgres (old) ──rows──► upgrade/postgres ──audit──► postgres.upgraded ─► postgres
 *          └──────────────────────── postgres.17 ◄── kept
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import {
	clusterFolder,
	startEmbeddedPostgres,
	stopCluster,
	upgradedFolder,
} from '#server/platform/postgres/embedded-postgres.ts';
import { lockFolder } from '#server/platform/postgres/folder-lock.ts';
import { appliedFiles, migrate } from '#server/platform/postgres/migrate.ts';

interface UpgradeOptions {
	dataDir: string;
	/** The folder `native` of the package with the old version's binaries. */
	oldBinaries: string;
	/** Throws if the ledger at that URL fails the audit. */
	audit: (url: string) => Promise<void>;
	/** Called when a step is done. */
	onStep?: (step: string) => void;
}

/**
 * @returns the folder of the old cluster
 * @throws Error on any failure: the old cluster is where it was
 */
export async function upgradeCluster({ dataDir, oldBinaries, audit, onStep }: UpgradeOptions): Promise<string> {
	await using held = new AsyncDisposableStack();
	const lock = await lockFolder(dataDir);
	held.defer(() => lock.release());
	const cluster = clusterFolder(dataDir);
	const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
	const scratch = join(dataDir, 'upgrade');
	// Of an upgrade that was killed.
	await stopCluster(clusterFolder(scratch));
	for (const left of [scratch, upgradedFolder(dataDir)]) rmSync(left, { recursive: true, force: true });
	const old = await startEmbeddedPostgres({ dataDir, binaries: oldBinaries });
	held.defer(() => old.stop());
	onStep?.('started the old one');
	const fresh = await startEmbeddedPostgres({ dataDir: scratch });
	held.defer(() => fresh.stop());
	onStep?.('made the new one');
	await copyDatabase(old.url('backlay'), fresh.url('backlay'));
	onStep?.('copied every row');
	await audit(fresh.url('backlay'));
	onStep?.('audited');
	await fresh.stop();
	await old.stop();
	const kept = `${cluster}.${made}`;
	if (existsSync(kept)) throw new Error(`${kept} exists: move it away, and begin again.`);
	renameSync(clusterFolder(scratch), upgradedFolder(dataDir));
	onStep?.('put the new one beside the old one');
	// A start that finds no cluster here takes the upgraded one.
	renameSync(cluster, kept);
	onStep?.('moved the old one away');
	renameSync(upgradedFolder(dataDir), cluster);
	rmSync(scratch, { recursive: true, force: true });
	return kept;
}

/** The new database reads the old one through a foreign server, in one transaction. */
async function copyDatabase(from: string, to: string): Promise<void> {
	const [before, after] = [connect(from, { max: 1 }), connect(to, { max: 2 })];
	try {
		const { rowCount } = await before.query(`select 1 from information_schema.tables where table_schema = 'archive'`);
		if (rowCount) throw new Error('There are detached months: dump and drop the tables of the schema archive first.');
		await migrate(after, await appliedFiles(before));
		const client = await after.connect();
		try {
			await copyTables(client, from);
		} finally {
			client.release(true);
		}
		await migrate(after);
		await after.query('analyze');
	} finally {
		await before.end();
		await after.end();
	}
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function copyTables(client: pg.PoolClient, from: string): Promise<void> {
	const socket = new URL(from).searchParams.get('host') ?? '';
	await client.query('begin isolation level repeatable read');
	await client.query(
		`create extension postgres_fdw;
		 create server before foreign data wrapper postgres_fdw
		   options (host '${socket.replaceAll("'", "''")}', dbname 'backlay', fetch_size '10000');
		 create user mapping for current_user server before options (user 'backlay', password_required 'false');
		 create schema before;
		 import foreign schema public from server before into before;
		 set local session_replication_role = replica`,
	);
	const { rows: tables } = await client.query<{ name: string; columns: string[]; counted: string[] | null }>(
		`select relname as name, array_agg(attname::text order by attnum) as columns,
		   array_agg(attname::text) filter (where attidentity <> '') as counted
		 from pg_class join pg_attribute on attrelid = pg_class.oid
		 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
		   and attnum > 0 and not attisdropped and attgenerated = ''
		 group by relname order by relname`,
	);
	for (const { name, columns, counted } of tables) {
		const [table, list] = [quoted(name), columns.map(quoted).join(', ')];
		await client.query(`delete from public.${table}`);
		const { rowCount } = await client.query(
			`insert into public.${table} (${list}) overriding system value select ${list} from before.${table}`,
		);
		const { rows } = await client.query<{ count: number }>(`select count(*)::float8 as count from before.${table}`);
		if (rows[0]?.count !== rowCount) throw new Error(`${rowCount} of ${rows[0]?.count} rows of ${name} were copied.`);
		for (const column of counted ?? [])
			await client.query(
				`select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column)}), 0) + 1, false) from public.${table}`,
				[`public.${table}`, column],
			);
	}
	await client.query('drop schema before cascade; drop server before cascade; drop extension postgres_fdw; commit');
}
