/** Connections that break in the middle of a transaction, as when PostgreSQL is killed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

it('refuses the transaction whose connection breaks between two statements, and goes on', async () => {
	const db = connect(database.url, { max: 1 });
	try {
		const broken = inTransaction(db, async (client) => {
			const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
			const ended = new Promise((resolve) => client.once('end', resolve));
			await database.db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
			await ended;
			await client.query('select 1');
		});
		await expect(broken).rejects.toThrow(/not queryable|terminated|closed/i);
		expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
	} finally {
		await db.end();
	}
});
