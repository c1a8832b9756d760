/**
 * Deadlines are instants of the monotonic clock, `performance.now()`, so that a wall clock that is set moves none of them.
 * Infinity is no deadline.
 */
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';

/** Settles as the promise does, or is refused with the code when the deadline passes first. @throws Refused */
export async function before<T>(promise: Promise<T>, untilMs: number, code: ErrorCode): Promise<T> {
	if (untilMs === Number.POSITIVE_INFINITY) return await promise;
	const { promise: late, reject } = Promise.withResolvers<never>();
	// Rounded up, so that the many timers of one moment share a list.
	const timer = setTimeout(() => reject(new Refused(code)), Math.max(0, Math.ceil(untilMs - performance.now())));
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}
