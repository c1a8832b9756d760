/**
 * The server's time on this device: its owner, for everything that compares a time from the server with now. A device's
 * own clock may be minutes off, and may be set while the page is open.
 */

import { create } from 'zustand';

/** The server's time when `performance.now()` was 0; null until the server has told its time. */
export const useServerClock = create<{ startMs: number | null }>(() => ({ startMs: null }));

/** Milliseconds since the epoch; by the device's clock until the server has told its time. */
export function serverNow(): number {
	const { startMs } = useServerClock.getState();
	return startMs === null ? Date.now() : startMs + performance.now();
}

/**
 * Corrects what is known as far as an answer that has just come shows it wrong: the server's time was told between its
 * question and now. So a slow answer spoils nothing, and the next quick one corrects the rest.
 * @param askedAtMs when the question left, on `performance.now()`
 */
export function hearServerTime(serverMs: number, askedAtMs: number): void {
	const pageMs = performance.now();
	const nowMs = Math.min(serverMs + pageMs - askedAtMs, Math.max(serverMs, serverNow()));
	useServerClock.setState({ startMs: nowMs - pageMs });
}

/** For `useSyncExternalStore`: what depends on the time is looked at so often, and when the server's time becomes known. */
export const everyMs = (ms: number) => (look: () => void) => {
	const timer = setInterval(look, ms);
	const end = useServerClock.subscribe(look);
	return () => {
		clearInterval(timer);
		end();
	};
};
