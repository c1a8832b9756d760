/** The back button of a phone closes a sheet over the screen before it leaves the screen. */

import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

type SheetName = 'slip' | 'menu' | 'search' | 'heldMoney';

declare module '@tanstack/react-router' {
	interface HistoryState {
		/** Set on the history entry of an open sheet. */
		sheet?: SheetName | undefined;
	}
}

/**
 * Opening makes a history entry; back takes it away and closes. Closing by any other way takes the entry away too.
 * A link inside the sheet should replace the entry, so that the way back from there is one step.
 */
export function useSheetEntry(name: SheetName, open: boolean, close: () => void): void {
	const onEntry = useRouterState({ select: ({ location }) => location.state.sheet === name });
	const navigate = useNavigate();
	const router = useRouter();
	const hasEntry = useRef(onEntry);
	const shut = useRef(close);
	useEffect(() => {
		hasEntry.current = onEntry;
		shut.current = close;
	});
	useEffect(() => {
		if (open && !hasEntry.current) {
			void navigate({ to: '.', search: true, hash: true, state: { sheet: name }, resetScroll: false });
		} else if (!open && hasEntry.current) router.history.back();
	}, [open, name, navigate, router]);
	useEffect(() => {
		if (!onEntry) return;
		// Leaving the entry closes the sheet.
		return () => shut.current();
	}, [onEntry]);
}
