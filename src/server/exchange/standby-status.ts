/** How the standbys of the exchange follow, as they report it to the database. */
import type pg from 'pg';

export interface StandbyStatus {
	name: string;
	state: 'joins' | 'follows' | 'differs';
	/** The batch that it has applied; null while it joins. */
	batch: number | null;
	/** Written batches that it has not applied, as far as their commands are still kept. */
	batchesBehind: number;
	seenSecondsAgo: number;
	/** What it found to differ; null as long as nothing does. */
	difference: string | null;
}

export async function standbyStatus(db: pg.Pool): Promise<StandbyStatus[]> {
	const { rows } = await db.query<StandbyStatus>(
		`select name, case when epoch is null then 'joins' when difference is not null then 'differs' else 'follows' end as state,
		   follower.batch, (select count(distinct later.batch)::int from batch_command as later
		     where later.batch > follower.batch) as "batchesBehind",
		   round(extract(epoch from clock_timestamp() - seen_at)::numeric, 1)::float8 as "seenSecondsAgo", difference
		 from follower order by name`,
	);
	return rows;
}
