import { useSyncExternalStore } from 'react';

function everySecond(tick: () => void): () => void {
	const timer = setInterval(tick, 1000);
	return () => clearInterval(timer);
}

/** Whole seconds until a time, 0 once it has come; updates on its own. */
export const useCountdown = (endsAtMs: number): number =>
	useSyncExternalStore(everySecond, () => Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)));

/** 119 → "1:59". */
export const minutesAndSeconds = (seconds: number): string =>
	`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
