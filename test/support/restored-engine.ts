import type pg from 'pg';
import type { Engine } from '#engine/engine.ts';
import { type LeaseRow, restore } from '#server/exchange/recovery/recovery.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

/**
 * The engine of a process that started now: it has the digest of the last batch, or its reading fails, and no market that
 * ended. It is read in one snapshot, because the exchange may write batches meanwhile.
 */
export const restoredEngine = async (db: pg.Pool): Promise<Engine> =>
	await inTransaction(db, async (client) => {
		await client.query('set transaction isolation level repeatable read read only');
		const { rows } = await client.query<LeaseRow>('select * from lease');
		return (await restore(client, rows[0] as LeaseRow)).engine;
	});
