import { useSyncExternalStore } from 'react';
import { everyMs, serverNow } from '#web/store/server-clock.ts';

const everySecond = everyMs(1000);

function useEachSecond(seconds: () => number): number {
	const left = () => Math.max(0, seconds());
	return useSyncExternalStore(everySecond, left, left);
}

/**
 * Whole seconds until a time, 0 once it has come; updates on its own.
 * @param now the clock of that time: the server's, unless this device noted it
 */
export const useCountdown = (endsAtMs: number, now = serverNow): number =>
	useEachSecond(() => Math.ceil((endsAtMs - now()) / 1000));

/** Whole seconds since a time of the server; updates on its own. */
export const useElapsed = (startedAtMs: number): number =>
	useEachSecond(() => Math.floor((serverNow() - startedAtMs) / 1000));
