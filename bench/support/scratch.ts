/** Temporary folders and databases of a bench run, removed at its end in any case. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import {
	clusterFolder,
	type EmbeddedPostgres,
	startEmbeddedPostgres,
	stopCluster,
} from '#server/platform/postgres/embedded-postgres.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { endChildrenOn } from './bench-children.ts';

/** What a bench that fails leaves running on the folder ends with it, its database last. */
export async function withDataDir<Result>(work: (dataDir: string) => Promise<Result>): Promise<Result> {
	const dataDir = await mkdtemp(join(tmpdir(), 'backlay-bench-'));
	try {
		return await work(dataDir);
	} finally {
		await endChildrenOn(dataDir);
		await stopCluster(clusterFolder(dataDir));
		await rm(dataDir, { recursive: true, force: true });
	}
}

/** The same PostgreSQL the server embeds, in a folder of its own. */
export async function withCluster<Result>(work: (cluster: EmbeddedPostgres) => Promise<Result>): Promise<Result> {
	return await withDataDir(async (dataDir) => {
		const cluster = await startEmbeddedPostgres({ dataDir });
		try {
			return await work(cluster);
		} finally {
			await cluster.stop();
		}
	});
}

/** A new, migrated, empty database of that name in the cluster. */
export async function withLedger<Result>(
	cluster: Pick<EmbeddedPostgres, 'url'>,
	name: string,
	work: (db: pg.Pool) => Promise<Result>,
): Promise<Result> {
	const administrator = connect(cluster.url('postgres'), { max: 1 });
	await administrator.query(`create database ${name}`);
	await administrator.end();
	const db = connect(cluster.url(name));
	try {
		await migrate(db);
		return await work(db);
	} finally {
		await db.end();
	}
}
