/**
 * Makes many calls few: `work` runs `ms` after the first call, and again for the calls that come after it. Of a burst that
 * goes on it runs once each `ms`, the last time after the burst's end.
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
