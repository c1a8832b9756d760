/** A match that no feed plays; operators open its markets. */
import type pg from 'pg';
import { DAY_MS } from '#values/time.ts';

export const EVENT_ID = 1;

/** Before the server starts. */
export async function listMatch(db: Pick<pg.Pool, 'query'>): Promise<void> {
	await db.query(
		`insert into fixture (id, sport_id, title, competition, starts_at, status, source, source_ref, has_tv)
		 values ($1, 3, 'Reds v Blues', 'Cup', $2, 'UPCOMING', 'test', 'faults', false)`,
		[EVENT_ID, Date.now() + DAY_MS],
	);
}

/** The same as operators add it to a server that runs. */
export const matchByHand = () => ({
	sport: 'cricket',
	competition: 'Cup',
	firstSide: 'Reds',
	secondSide: 'Blues',
	startsAt: new Date(Date.now() + DAY_MS).toISOString(),
});
