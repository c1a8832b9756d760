/**
 * What PostgreSQL and the disk can do at a pace: transactions that carry as many bytes of the write-ahead log as bets do
 * and write nothing else. What became due during a commit makes up the next one, as with bets.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/**
 * @param bytes of the log, for each that is due
 * @returns the milliseconds of each from when it was due until it is durable
 */
export async function bareCommits(
	db: pg.Pool,
	bytes: number,
	{ perSecond, forMs }: { perSecond: number; forMs: number },
): Promise<number[]> {
	const took: number[] = [];
	const start = performance.now();
	const total = Math.round((perSecond * forMs) / 1000);
	const dueAtMs = (count: number) => start + (count * 1000) / perSecond;
	while (took.length < total) {
		const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
		const begun = took.length;
		if (due === begun) {
			await delay(1);
			continue;
		}
		await db.query("select pg_logical_emit_message(true, 'bench', repeat('x', $1))", [(due - begun) * bytes]);
		const now = performance.now();
		for (let count = begun; count < due; count++) took.push(now - dueAtMs(count));
	}
	return took;
}
