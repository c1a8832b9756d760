/** The back button of a phone closes a sheet over the screen before it leaves the screen. */

import { type RouterHistory, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

type SheetName = 'slip' | 'menu' | 'search' | 'heldMoney';

declare module '@tanstack/react-router' {
	interface HistoryState {
		/** Set on the history entry of an open sheet. */
		sheet?: SheetName | undefined;
	}
}

/** Resolves once the browser is back on the entry below the sheet that was closed last. */
let left: Promise<void> = Promise.resolve();

/** The key of the entry that the page itself goes back from: the browser is there later. */
let leftByPage: string | undefined;

/**
 * Takes the sheet's entry away. The browser goes back later, and takes what was opened meanwhile away, too: that is
 * opened again.
 */
function leaveEntry(history: RouterHistory): void {
	leftByPage = history.location.state.__TSR_key;
	left = new Promise((resolve) => {
		let opened: RouterHistory['location'] | null = null;
		const end = history.subscribe(({ action, location }) => {
			// A link of the sheet takes the place of its entry.
			const isOpened = action.type === 'PUSH' || (action.type === 'REPLACE' && !location.state.sheet);
			if (isOpened) opened = location;
			else if (action.type !== 'REPLACE') {
				end();
				resolve();
				if (opened) history.push(opened.href, opened.state);
			}
		});
		// A dialog that came in its place stays: it takes only a step back that is the player's.
		history.back({ ignoreBlocker: true });
	});
}

/**
 * Opening makes a history entry; back takes it away and closes. Closing by any other way takes the entry away too, and
 * a sheet that is opened before the browser is back gets an entry of its own then.
 * A link inside the sheet should replace the entry, so that the way back from there is one step.
 */
export function useSheetEntry(name: SheetName, open: boolean, close: () => void): void {
	const entry = useRouterState({ select: ({ location: { state } }) => state.sheet === name && state.__TSR_key });
	const navigate = useNavigate();
	const { history } = useRouter();
	// The player's own way from the entry closes the sheet. The page's own does not: it may be open again by then.
	const leave = useEffectEvent((from: string) => from === leftByPage || close());
	const follow = useEffectEvent((isOpen: boolean) => {
		const hasEntry = entry && entry !== leftByPage;
		let isWanted = isOpen && !hasEntry;
		if (isWanted) {
			const here = { to: '.', search: true, hash: true, state: { sheet: name }, resetScroll: false } as const;
			void left.then(() => (isWanted ? navigate(here) : undefined));
		} else if (!isOpen && hasEntry && history.location.state.sheet === name) {
			// The router tells components late: by now a back or a link may have left the entry, and one more step would
			// leave the page that came, or the site.
			leaveEntry(history);
		}
		return () => {
			isWanted = false;
		};
	});
	useEffect(() => {
		if (!entry) return;
		// The browser's Forward leads to an entry that the page left before.
		leftByPage = undefined;
		return () => void leave(entry);
	}, [entry]);
	useEffect(() => follow(open), [open]);
}
