/** Answers that take equally long. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The time of an answer must not reveal whether a registration or an account exists. Every answer takes at least this
 * long, which is longer than the work.
 */
export const ANSWER_MS = 150;
let usualMs = ANSWER_MS;

/** Only for tests: the sign-ups of a test run would wait for minutes. */
export function answerAfter(leastMs: number): void {
	if (process.env['NODE_ENV'] === 'production') throw new Error('Answers are hurried in tests alone.');
	usualMs = leastMs;
}

/** The outcome of the work, delayed to the minimum time. */
export async function evenly<T>(work: () => Promise<T>, leastMs = usualMs): Promise<T> {
	const [outcome] = await Promise.allSettled([work(), pause(leastMs)]);
	if (outcome.status === 'rejected') throw outcome.reason;
	return outcome.value;
}
