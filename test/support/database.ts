/** A database of one's own in the test run's PostgreSQL, migrated and empty. */
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';
import { keptTokenKey } from '../../src/server/platform/keys/kept-token-key.ts';
import { connect } from '../../src/server/platform/postgres/connect.ts';
import { clusterFolder } from '../../src/server/platform/postgres/embedded-postgres.ts';

export interface FreshDatabase {
	url: string;
	db: pg.Pool;
	drop(): Promise<void>;
}

const named = (url: string, database: string): string => url.replace('/backlay?', `/${database}?`);

const ADMINISTRATOR = Symbol.for('backlay.tests.administrator');
/** One connection of a worker: PostgreSQL begins a process for each. */
const worker = globalThis as { [ADMINISTRATOR]?: pg.Pool };

async function administer(sql: string): Promise<void> {
	worker[ADMINISTRATOR] ??= connect(named(inject('templateUrl'), 'postgres'), {
		max: 2,
		idleTimeoutMillis: 0,
		allowExitOnIdle: true,
	});
	await worker[ADMINISTRATOR].query(sql);
}

export async function freshDatabase(): Promise<FreshDatabase> {
	const name = `test_${randomBytes(6).toString('hex')}`;
	await administer(`create database ${name} template backlay strategy file_copy`);
	const url = named(inject('templateUrl'), name);
	const db = connect(url);
	return {
		url,
		db,
		drop: async () => {
			await db.end();
			await administer(`drop database ${name} with (force)`);
		},
	};
}

/**
 * Puts a migrated cluster into a data folder, where the first start finds it: to make one there takes more CPU than the
 * rest of a server's start.
 */
export function placeCluster(dataDir: string): void {
	// Beside a database no key is made.
	keptTokenKey(dataDir);
	const cluster = clusterFolder(dataDir);
	cpSync(inject('stoppedCluster'), cluster, { recursive: true });
	// PostgreSQL starts on no folder that others may read, and a copied folder has the modes of a new one.
	chmodSync(cluster, 0o700);
}
