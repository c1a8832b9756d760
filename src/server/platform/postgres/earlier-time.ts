/** The time by which something is over for good: a clock that is ahead must end nothing early. */
import type pg from 'pg';

/** The database's time, milliseconds since 1970. @throws Error of the database */
export async function databaseTime(db: Pick<pg.ClientBase, 'query'>): Promise<number> {
	const { rows } = await db.query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
	return rows[0]?.ms ?? 0;
}

/** The earlier one of this process's time and the database's. @throws Error of the database */
export const earlierTime = async (db: Pick<pg.ClientBase, 'query'>): Promise<number> =>
	Math.floor(Math.min(await databaseTime(db), Date.now()));
