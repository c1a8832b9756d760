/**
 * Deadlines are instants of the monotonic clock, `performance.now()`, so setting the wall clock moves none of them.
 * Infinity means no deadline.
 */
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';

/**
 * Settles like the promise, or rejects with the code when the deadline passes first. Every bet comes through here, so
 * it makes only one promise and one timer.
 * @throws Refused
 */
export function before<T>(promise: Promise<T>, untilMs: number, code: ErrorCode): Promise<T> {
	if (untilMs === Number.POSITIVE_INFINITY) return promise;
	return new Promise<T>((resolve, reject) => {
		// Rounded up, so that the many timers of one moment share a list.
		const timer = setTimeout(() => reject(new Refused(code)), Math.max(0, Math.ceil(untilMs - performance.now())));
		promise.then(
			(value) => stopAnd(timer, resolve, value),
			(error: Error) => stopAnd(timer, reject, error),
		);
	});
}

function stopAnd<T>(timer: NodeJS.Timeout, settle: (outcome: T) => void, outcome: T): void {
	clearTimeout(timer);
	settle(outcome);
}
