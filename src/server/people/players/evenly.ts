/** Answers that take equally long. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The time of an answer must not reveal whether a registration or an account exists. Every answer takes at least this
 * long, which is longer than the work.
 */
const ANSWER_MS = 150;

/** The outcome of the work, delayed to the minimum time. */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
	const [outcome] = await Promise.allSettled([work(), pause(ANSWER_MS)]);
	if (outcome.status === 'rejected') throw outcome.reason;
	return outcome.value;
}
