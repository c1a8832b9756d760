/** Waits for a promise until the signal aborts. The work behind it goes on. @returns null on an abort */
export async function unlessAborted<Value>(task: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
	const { promise: aborted, resolve } = Promise.withResolvers<null>();
	const stop = () => resolve(null);
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop);
	try {
		return await Promise.race([task, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
