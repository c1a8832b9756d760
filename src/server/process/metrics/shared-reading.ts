import { heldAnswer } from '#server/platform/memory/held-answer.ts';
import { inTime } from '#server/platform/pacing/in-time.ts';

/** A scrape does not wait longer for the database. */
const LONGEST_READ_MS = 1_000;

/**
 * A query for the figures of scrapes. The returned function rejects if the database does not answer in time; the next
 * scrape joins the query, or asks again after a fault.
 * @param holdsMs for how long an answer serves other scrapes
 */
export function sharedReading<Value>(ask: () => Promise<Value>, holdsMs: number): () => Promise<Value> {
	const answer = heldAnswer(ask, holdsMs);
	return () => inTime(answer(), LONGEST_READ_MS, 'The database did not answer in time.');
}
