/** Stores the progress of a feed in the database, from which a restarted server continues. */
import type pg from 'pg';

export async function readProgress<P>(db: pg.Pool, source: string, sourceRef: string): Promise<P | null> {
	const { rows } = await db.query<{ progress: P }>(
		'select progress from feed_progress where source = $1 and source_ref = $2',
		[source, sourceRef],
	);
	return rows[0]?.progress ?? null;
}

export async function writeProgress(db: pg.Pool, source: string, sourceRef: string, progress: object): Promise<void> {
	await db.query(
		`insert into feed_progress (source, source_ref, progress) values ($1, $2, $3)
		 on conflict (source, source_ref) do update set progress = excluded.progress`,
		[source, sourceRef, JSON.stringify(progress)],
	);
}
