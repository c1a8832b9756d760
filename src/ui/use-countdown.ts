import { useSyncExternalStore } from 'react';

function everySecond(tick: () => void): () => void {
	const timer = setInterval(tick, 1000);
	return () => clearInterval(timer);
}

/** Whole seconds until a time, 0 once it has come; updates on its own. */
export const useCountdown = (endsAtMs: number): number =>
	useSyncExternalStore(everySecond, () => Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)));

/** Whole seconds since a time; updates on its own. */
export const useElapsed = (startedAtMs: number): number =>
	useSyncExternalStore(everySecond, () => Math.max(0, Math.floor((Date.now() - startedAtMs) / 1000)));

/** 3723 → "1:02:03". */
export const hoursMinutesSeconds = (seconds: number): string =>
	[
		Math.floor(seconds / 3600),
		...[Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')),
	].join(':');

/** 119 → "1:59". */
export const minutesAndSeconds = (seconds: number): string =>
	`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
