/**
 * Deletes rows whose time is over, which are read no more. No start waits for it, least of all a takeover; what stays is
 * deleted by the next one.
 */
import type pg from 'pg';

export function deleteEnded(db: pg.Pool, sql: string, values: readonly number[]): void {
	db.query(sql, [...values]).catch(() => undefined);
}
