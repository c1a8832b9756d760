import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';

/** As many as the launcher's `min_wal_size` keeps. */
const SEGMENTS = 128;

/**
 * A cluster that has run for a day reuses the segments of its write-ahead log; a new cluster creates and zeroes each, which
 * stalls commits for up to 150 ms. Fills the log and ends with a checkpoint, after which the running cluster has them to reuse.
 */
export async function recycleWal(dataDir: string): Promise<void> {
	const cluster = await startEmbeddedPostgres({ dataDir });
	const db = connect(cluster.url('postgres'), { max: 1 });
	for (let segment = 0; segment < SEGMENTS; segment++) {
		await db.query("select pg_logical_emit_message(false, 'bench', 'a segment')");
		await db.query('select pg_switch_wal()');
	}
	await db.query('checkpoint');
	await db.end();
}
