/** Starts work at a steady pace, even if earlier work is not done, so that slow answers do not slow the requests. */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts `work` that often a second for that long; resolves when all of it is done.
 * @param work gets the time at which it was due, by `performance.now`, so that a late start counts as waiting
 */
export async function steadily(
	perSecond: number,
	forMs: number,
	work: (dueAtMs: number) => Promise<void>,
): Promise<void> {
	const start = performance.now();
	const begun: Promise<void>[] = [];
	const total = Math.round((perSecond * forMs) / 1000);
	while (begun.length < total) {
		const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
		while (begun.length < due) begun.push(work(start + (begun.length * 1000) / perSecond));
		await delay(1);
	}
	await Promise.all(begun);
}
