/**
 * Makes many calls few: the work is done so many milliseconds after the first call, and again for the calls that come
 * after it. Of a burst that goes on it is done once each such time, the last time after the burst's end.
 */
export function soon(ms: number, work: () => void): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	return () => {
		timer ??= setTimeout(() => {
			timer = undefined;
			work();
		}, ms);
	};
}
