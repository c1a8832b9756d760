/** One button begins a round and ends it, so a press that comes twice, or a moment late, must not do the other. */
import { useLayoutEffect, useRef } from 'react';

/** Longer than the two presses of one are apart, and than a finger needs to stop. */
const SAME_PRESS_MS = 500;

/**
 * @param isOpen whether the button ends a round now; null while it does nothing, because that is not known yet
 * @returns whether a press means what the button says: it does not right after that changed
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
