/**
 * Which parts of the frame show: the layout flags of the specification, section 2. Each part of the frame looks at its
 * own flag; routes and features set them, and nothing of it outlives the page.
 */

import { create } from 'zustand';
import { openBetsQuery, profitLossQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { isLoggedIn } from '#web/store/session.ts';

export interface LayoutFlags {
	/** The sport tree. */
	sidebar: boolean;
	/** The slip and the open bets beside the screen. */
	sideColumn: boolean;
	imageSliderHeader: boolean;
	newsMarquee: boolean;
	/** The bar of sports below the top header. */
	scrollableNavbar: boolean;
	/** In place of that bar: the way back out of the lobby. */
	backToSports: boolean;
	topHeader: boolean;
	/** The full-screen loading overlay. */
	overlay: boolean;
	/** The stream or the match tracker of the market page. */
	videoBox: boolean;
	walletBox: boolean;
	search: boolean;
}

export const DEFAULT_LAYOUT: LayoutFlags = {
	sidebar: true,
	sideColumn: true,
	imageSliderHeader: true,
	newsMarquee: true,
	scrollableNavbar: true,
	backToSports: false,
	topHeader: true,
	overlay: false,
	videoBox: true,
	walletBox: true,
	search: true,
};

export const useLayout = create<LayoutFlags>(() => DEFAULT_LAYOUT);

export const setLayout = (flags: Partial<LayoutFlags>): void => useLayout.setState(flags);

const LOBBY: Partial<LayoutFlags> = { sidebar: false, sideColumn: false, scrollableNavbar: false, backToSports: true };
const SPORTS: Partial<LayoutFlags> = { sidebar: true, sideColumn: true, scrollableNavbar: true, backToSports: false };

/** Into the casino: the sports make way for its own navigation and for the way back. */
export const enterLobby = (): void => setLayout(LOBBY);

/** Out of the casino: the sports return, and what a game may have changed is asked for again. */
export function leaveLobby(): void {
	setLayout(SPORTS);
	if (!isLoggedIn()) return;
	// The answer of the open bets carries balance and exposure; a component that shows a failed answer requests it again.
	queryClient.fetchQuery({ ...openBetsQuery(), staleTime: 0 }).catch(() => undefined);
	queryClient.fetchQuery({ ...profitLossQuery(), staleTime: 0 }).catch(() => undefined);
}
