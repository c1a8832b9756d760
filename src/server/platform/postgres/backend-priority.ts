/** Which backends of the embedded PostgreSQL the operating system runs first. */
import type pg from 'pg';
import { putBehind } from '#server/platform/machine/priority.ts';

/** Beside the backend that commits bets, one that is five steps behind it has a quarter of a busy processor. */
const BEHIND_COMMITS = 5;

/**
 * The backends of this pool go behind the one that commits bets. A read may work for tens of milliseconds; with the same
 * priority, the commit that it shares a processor with takes its turn behind it, and so does each bet of its batch.
 * @param db a pool of a PostgreSQL on this machine: elsewhere its numbers are those of other processes
 */
export function putBehindCommits(db: pg.Pool): void {
	db.on('connect', (client) => {
		const { processID } = client as pg.PoolClient & { processID: number | null };
		if (processID) putBehind(processID, BEHIND_COMMITS);
	});
}
