/** What the trading desks of an event share: one key opens a market, another leads to the first field. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isFreeKey } from '#console/parts/free-key.ts';

interface Desk {
	/** Of the desk's section. */
	desk: RefObject<HTMLElement | null>;
	/** Whether the dialog that opens a market is shown. */
	isOpening: boolean;
	setOpening: (isOpening: boolean) => void;
}

/** @param keys.field leads to the first field; `keys.open` opens the dialog */
export function useDesk({ field, open }: { field: string; open: string }): Desk {
	const [isOpening, setOpening] = useState(false);
	const desk = useRef<HTMLElement>(null);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (!isFreeKey(event) || (event.key !== field && event.key !== open)) return;
			event.preventDefault();
			if (event.key === open) setOpening(true);
			else desk.current?.querySelector('input')?.focus();
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, [field, open]);
	return { desk, isOpening, setOpening };
}
