import type pg from 'pg';
import { isUnanswered } from '#server/platform/postgres/database-fault.ts';

/** Runs the work in a transaction, and rolls back when it throws. */
export async function inTransaction<T>(db: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
	const client = await db.connect();
	try {
		await client.query('begin');
		const result = await work(client);
		await client.query('commit');
		client.release();
		return result;
	} catch (error) {
		// A connection that cannot roll back is discarded, which rolls back too.
		if (isUnanswered(error)) client.release(true);
		else
			await client.query('rollback').then(
				() => client.release(),
				() => client.release(true),
			);
		throw error;
	}
}
