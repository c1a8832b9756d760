/** One button does different things in turn, so a press that comes twice, or a moment late, must not do the next one. */
import { useLayoutEffect, useRef } from 'react';

/** Longer than a double press, and than a finger needs to stop. */
const SAME_PRESS_MS = 500;

/**
 * @param meaning what the button does now; null while it takes no press, after which it is compared with the one before
 * @returns whether a press counts: it does not right after the button's meaning changed
 */
export function useSteadyPress(meaning: string | null): () => boolean {
	const changedAt = useRef(Number.NEGATIVE_INFINITY);
	const before = useRef<string | null>(null);
	useLayoutEffect(() => {
		if (meaning === null) return;
		if (before.current !== null && before.current !== meaning) changedAt.current = performance.now();
		before.current = meaning;
	}, [meaning]);
	return () => performance.now() - changedAt.current >= SAME_PRESS_MS;
}
