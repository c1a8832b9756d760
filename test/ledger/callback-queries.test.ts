/** Statements are answered through callbacks: what led to one is young garbage once it is answered, and its limit holds. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { within } from '#server/platform/postgres/limited-queries.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

function open(options: pg.PoolConfig = {}): pg.Pool {
	const db = connect(database.url, { max: 1, ...options });
	onTestFinished(() => db.end());
	return db;
}

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');
const oldBytes = (): number =>
	getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN;

const STATEMENTS = 300;
const OBJECTS = 500;
/** Each with its numbers. */
const BYTES_OF_AN_OBJECT = 40;

describe('a statement', () => {
	it('leaves nothing of what it was sent among the old objects', async () => {
		const db = open({ query_timeout: 60_000 });
		const client = await db.connect();
		onTestFinished(() => client.release());
		const ask = async (): Promise<void> => {
			const sent = Array.from({ length: OBJECTS }, (_, at) => ({ at, half: at + 0.5 }));
			const text = 'select jsonb_array_length($1) as length';
			expect((await client.query({ text, values: [{ toPostgres: () => JSON.stringify(sent) }] })).rows).toEqual([
				{ length: OBJECTS },
			]);
		};
		await ask();
		collect();
		const before = oldBytes();
		for (let at = 0; at < STATEMENTS; at++) {
			await ask();
			if (at % 10 === 0) collect({ type: 'minor' });
		}
		// The driver's own promises leave all of it.
		expect(oldBytes() - before).toBeLessThan((STATEMENTS * OBJECTS * BYTES_OF_AN_OBJECT) / 10);
	});

	it('fails at its own limit, or at that of its pool, with its connection and with those behind it', async () => {
		const db = open({ query_timeout: 60_000 });
		const client = await db.connect();
		const late = within(client, 50).query('select pg_sleep(30)');
		const behind = client.query('select 1');
		await expect(late).rejects.toThrow('Query read timeout');
		await expect(behind).rejects.toThrow(/terminated|ended/i);
		client.release(true);
		db.options.query_timeout = 50;
		await expect(db.query('select pg_sleep(30)')).rejects.toThrow('Query read timeout');
		expect((await within(db, 60_000).query('select pg_sleep(0.1), 1 as one')).rows).toMatchObject([{ one: 1 }]);
	});

	it('that PostgreSQL refuses names who asked, and its connection stays', async () => {
		const client = await open().connect();
		const asked = async function whoAsks(): Promise<unknown> {
			return await client.query('select nothing');
		};
		await expect(asked()).rejects.toMatchObject({ code: '42703', stack: expect.stringContaining('whoAsks') });
		expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
		client.release();
	});
});
