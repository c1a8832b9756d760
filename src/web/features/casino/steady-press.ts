/** One button starts and ends a round, so a press that comes twice, or a moment late, must not do the other. */
import { useLayoutEffect, useRef } from 'react';

/** Longer than a double press, and than a finger needs to stop. */
const SAME_PRESS_MS = 500;

/**
 * @param isOpen whether the button ends a round now; null while that is unknown and the button is disabled
 * @returns whether a press counts: it does not right after the button's meaning changed
 */
export function useSteadyPress(isOpen: boolean | null): () => boolean {
	const changedAt = useRef(Number.NEGATIVE_INFINITY);
	const before = useRef(isOpen);
	useLayoutEffect(() => {
		if (before.current !== isOpen && before.current !== null) changedAt.current = performance.now();
		before.current = isOpen;
	}, [isOpen]);
	return () => performance.now() - changedAt.current >= SAME_PRESS_MS;
}
