import { connect } from '#server/platform/postgres/connect.ts';

/** As many as the launcher's `min_wal_size` keeps. */
const SEGMENTS = 128;

/**
 * Gives a running cluster what it has after a day: segments of the write-ahead log to reuse, and no pages to write that are
 * older than the measurement. A new cluster creates and zeroes each segment, which stalls commits.
 */
export async function recycleWal(url: string): Promise<void> {
	const db = connect(url, { max: 1 });
	for (let segment = 0; segment < SEGMENTS; segment++) {
		await db.query("select pg_logical_emit_message(false, 'bench', 'a segment')");
		await db.query('select pg_switch_wal()');
	}
	await db.query('checkpoint');
	await db.end();
}
