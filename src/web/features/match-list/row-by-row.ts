/**
 * A phone draws the first list of a page step by step: what its screen shows, and the rest by a few rows at a time, so
 * that it paints and handles presses in between. The others keep their height until then. Later lists come whole.
 */
import { createContext, startTransition, useEffect, useState } from 'react';

/** More than a phone's screen shows. */
const FIRST_ROWS = 6;
const ROWS_A_STEP = 2;
const PHONE = '(width < 48rem)';

let isFirstList = true;

/** How many rows of a list are drawn, from its top. */
export function useDrawnRows(count: number): number {
	const [drawn, setDrawn] = useState(() =>
		isFirstList && matchMedia(PHONE).matches ? FIRST_ROWS : Number.POSITIVE_INFINITY,
	);
	useEffect(() => {
		if (drawn >= count) {
			isFirstList = false;
			return;
		}
		const timer = setTimeout(() => startTransition(() => setDrawn(drawn + ROWS_A_STEP)));
		return () => clearTimeout(timer);
	}, [drawn, count]);
	return drawn;
}

/** The fixtures whose rows wait. */
export const Waiting = createContext<ReadonlySet<string>>(new Set());
