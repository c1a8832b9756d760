import { inTime } from '#server/platform/pacing/in-time.ts';

/** A scrape does not wait longer for the database. */
const LONGEST_READ_MS = 1_000;

/**
 * A query for the figures of scrapes: one at a time, so that queries do not accumulate while the database is
 * unavailable. The returned function rejects if the database does not answer in time; the next scrape asks again.
 * @param holdsMs for how long an answer serves other scrapes
 */
export function sharedReading<Value>(ask: () => Promise<Value>, holdsMs: number): () => Promise<Value> {
	let asked: Promise<Value> | null = null;
	let askedAtMs = 0;
	let isAnswered = false;
	return () => {
		if (!asked || (isAnswered && performance.now() - askedAtMs >= holdsMs)) {
			askedAtMs = performance.now();
			isAnswered = false;
			asked = ask().finally(() => {
				isAnswered = true;
			});
			asked.catch(() => {
				asked = null;
			});
		}
		return inTime(asked, LONGEST_READ_MS, 'The database did not answer in time.');
	};
}
