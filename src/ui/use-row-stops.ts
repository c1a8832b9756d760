import type { Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';

/** How far a key moves along the rows. */
const MOVES: Readonly<Record<string, number>> = {
	ArrowDown: 1,
	ArrowUp: -1,
	PageDown: 15,
	PageUp: -15,
	Home: Number.NEGATIVE_INFINITY,
	End: Number.POSITIVE_INFINITY,
};

/** Which row of a table has the focus or is reached by Tab, and the keys that move it. */
export function useRowStops(count: number, virtual: Virtualizer<HTMLDivElement, Element>) {
	const [active, setActive] = useState(0);
	const isMoving = useRef(false);
	const drawn = virtual.getVirtualItems();
	const isDrawn = drawn.some(({ index }) => index === active);
	const stop = isDrawn ? active : (drawn[0]?.index ?? 0);
	const move = (event: KeyboardEvent) => {
		const by = MOVES[event.key];
		if (by === undefined || count === 0) return;
		event.preventDefault();
		const next = Math.min(count - 1, Math.max(0, stop + by));
		isMoving.current = true;
		virtual.scrollToIndex(next);
		setActive(next);
	};
	/** The row that a key moved to takes the focus once it is drawn. */
	const focus = useCallback((row: HTMLTableRowElement | null) => {
		if (!row || !isMoving.current) return;
		isMoving.current = false;
		row.focus({ preventScroll: true });
	}, []);
	return { active, stop, move, focus, setActive };
}
