/** A PostgreSQL of a test's own with a migrated database, which can be killed and frozen under the processes that use it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { type FreshDatabase, placeCluster } from '../../support/database.ts';
import { PostgresProcesses } from './postgres-processes.ts';

export interface BreakableDatabase extends FreshDatabase {
	processes: PostgresProcesses;
}

export async function breakableDatabase(): Promise<BreakableDatabase> {
	const dataDir = await mkdtemp(join(tmpdir(), 'backlay-breakable-'));
	placeCluster(dataDir);
	const cluster = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '200' } });
	const url = cluster.url('backlay');
	const db = connect(url);
	return {
		url,
		db,
		processes: new PostgresProcesses(dataDir),
		drop: async () => {
			await db.end();
			await cluster.stop();
			await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
		},
	};
}
