/**
 * Waits for a promise no longer than a limit. The work behind it goes on.
 * @param refusal the message of the error
 * @throws Error after `longestMs`, or what the promise is rejected with
 */
export async function inTime<Value>(promise: Promise<Value>, longestMs: number, refusal: string): Promise<Value> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(new Error(refusal)), longestMs);
	try {
		return await Promise.race([promise, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
