/**
 * One PostgreSQL for the whole test run, in a folder that goes away with it; tests make databases of their own in it.
 * Beside it lies the program that tests start as processes, with its compiled code.
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '../../src/server/platform/postgres/connect.ts';
import { clusterFolder, startEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { migrate } from '../../src/server/platform/postgres/migrate.ts';
import { bundleServer } from './bundle-server.ts';
import { scratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** URL of the migrated database that fresh ones are copied from; `postgres` in its place is the administrators'. */
		templateUrl: string;
		/** A stopped cluster with the migrated database, for PostgreSQL servers of a test's own. */
		stoppedCluster: string;
	}
}

const SETTINGS = {
	// It goes away with the run, so it need not outlive the machine; a crash of a server or of PostgreSQL loses nothing.
	fsync: 'off',
	synchronous_commit: 'off',
	// The servers and the tests of all workers at once; two servers in one file are not rare.
	max_connections: '200',
	// Databases are copied file by file, and their WAL is worth nothing.
	wal_level: 'minimal',
	max_wal_senders: '0',
	max_wal_size: '512MB',
	min_wal_size: '256MB',
	autovacuum: 'off',
	// Each database that is made or dropped is a checkpoint, after which every page would be written to the WAL whole again.
	full_page_writes: 'off',
	// Three more processes, which pass pages on that are in memory anyway.
	io_method: 'sync',
	max_logical_replication_workers: '0',
	// The tables are small: a plan for several processes is looked for in vain.
	max_parallel_workers_per_gather: '0',
	// Each statement would write its name where the system lists processes.
	update_process_title: 'off',
};

/** Tests copy the cluster, back it up and restore it, file by file; what they make databases from is `backlay`. */
async function dropTemplates(url: string): Promise<void> {
	const db = connect(url, { max: 1 });
	for (const name of ['template0', 'template1']) {
		await db.query(`alter database ${name} with is_template false`);
		await db.query(`drop database ${name}`);
	}
	await db.end();
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
	const folder = await mkdtemp(join(scratchFolder(), 'backlay-run-'));
	// Data folders of servers and profiles of browsers, too.
	process.env['TMPDIR'] = folder;
	const dataDir = join(folder, 'pg');
	// A program is compiled once, not at each of its hundreds of starts.
	process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
	await symlink(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));
	project.provide('serverProgram', await bundleServer(join(folder, 'server')));
	const migrated = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
	const db = connect(migrated.url('backlay'), { max: 1 });
	await migrate(db);
	await db.end();
	await dropTemplates(migrated.url('postgres'));
	await migrated.stop();
	const stoppedCluster = join(folder, 'stopped-cluster');
	await cp(clusterFolder(dataDir), stoppedCluster, { recursive: true });
	const cluster = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
	// The first connection to a database writes what each later one reads of its catalogue, and databases copied from this
	// one have it, too; a cluster that starts removes it.
	const first = connect(cluster.url('backlay'), { max: 1 });
	await first.query('select');
	await first.end();
	project.provide('templateUrl', cluster.url('backlay'));
	project.provide('stoppedCluster', stoppedCluster);
	return async () => {
		await cluster.stop();
		// The workers may still be writing what they compiled.
		await rm(folder, { recursive: true, force: true, maxRetries: 20 });
	};
}
