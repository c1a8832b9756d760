/** How the standbys of the exchange follow, as they report it to the database. */
import type pg from 'pg';

export const STANDBY_STATES = ['joins', 'follows', 'differs', 'silent'] as const;
export type StandbyState = (typeof STANDBY_STATES)[number];

interface StandbyStatus {
	name: string;
	/** One that was not seen for a while is silent: it was stopped or killed, or cannot reach the database. */
	state: StandbyState;
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
		`select name, case when difference is not null then 'differs' when seen_at < clock_timestamp() - interval '10 s' then 'silent'
		     when epoch is null then 'joins' else 'follows' end as state,
		   follower.batch, (select count(distinct later.batch)::int from batch_command as later
		     where later.batch > follower.batch) as "batchesBehind",
		   round(extract(epoch from clock_timestamp() - seen_at)::numeric, 1)::float8 as "seenSecondsAgo", difference
		 from follower order by name`,
	);
	return rows;
}
