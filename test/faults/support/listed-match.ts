/** A match that no feed plays. It is there before the server starts, and operators open its markets. */
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { DAY_MS } from '#values/time.ts';

export const EVENT_ID = 1;

export async function listMatch(db: Pick<pg.Pool, 'query'>): Promise<void> {
	await db.query(
		`insert into fixture (id, sport_id, title, competition, starts_at, status, source, source_ref, has_tv)
		 values ($1, 3, 'Reds v Blues', 'Cup', $2, 'UPCOMING', 'test', 'faults', false)`,
		[EVENT_ID, Date.now() + DAY_MS],
	);
}

/** The same in the database of a data folder that no server uses. */
export async function listMatchIn(dataDir: string): Promise<void> {
	const cluster = await startEmbeddedPostgres({ dataDir });
	const db = connect(cluster.url('backlay'), { max: 1 });
	await listMatch(db);
	await db.end();
	await cluster.stop();
}
