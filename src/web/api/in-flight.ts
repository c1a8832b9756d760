/** The number of calls in flight that show the loading indicator; calls marked quiet in the contract do not count. */

let count = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1): void {
	count += by;
	for (const listener of listeners) listener();
}

/** Counts one request; the returned function ends it and may be called twice. */
export function beginRequest(quiet: boolean): () => void {
	if (quiet) return () => undefined;
	change(1);
	let ended = false;
	return () => {
		if (ended) return;
		ended = true;
		change(-1);
	};
}

export const inFlightCount = (): number => count;

/** For useSyncExternalStore. */
export function subscribeInFlight(listener: () => void): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
