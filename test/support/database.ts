/** A database of one's own in the test run's PostgreSQL, migrated and empty. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connect } from '../../src/server/platform/postgres/connect.ts';

export interface FreshDatabase {
	url: string;
	db: pg.Pool;
	drop(): Promise<void>;
}

const named = (url: string, database: string): string => url.replace('/backlay?', `/${database}?`);

async function administer(sql: string): Promise<void> {
	const client = new pg.Client({ connectionString: named(inject('templateUrl'), 'postgres') });
	await client.connect();
	try {
		await client.query(sql);
	} finally {
		await client.end();
	}
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
