/**
 * Deletes expired rows, which are no longer read. No start waits for it, least of all a takeover; remaining rows are
 * deleted by the next start.
 */
import type pg from 'pg';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';

export function deleteEnded(db: pg.Pool, sql: string, values: readonly number[]): void {
	unhurried(db)
		.query(sql, [...values])
		.catch(() => undefined);
}
