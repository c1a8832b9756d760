import { useCallback, useSyncExternalStore } from 'react';

/** One list a query: to make one, the browser looks the window up. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
	const known = lists.get(query) ?? window.matchMedia(query);
	lists.set(query, known);
	return known;
}

/** Whether a media query holds now; follows the window. */
export function useMediaQuery(query: string): boolean {
	const subscribe = useCallback(
		(listener: () => void) => {
			const list = listOf(query);
			list.addEventListener('change', listener);
			return () => list.removeEventListener('change', listener);
		},
		[query],
	);
	return useSyncExternalStore(subscribe, () => listOf(query).matches);
}
