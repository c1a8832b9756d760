/** The match that is drawn while a finger rests on a link to it, and shown when the finger leaves. */
import { create } from 'zustand';
import './match-ahead.css';

interface MatchAhead {
	/** Null for none. */
	eventId: string | null;
	/** It stands in the screen's place; before, nothing of it is seen. */
	isOpened: boolean;
	/** It was painted there; before, it follows nothing on the hub. */
	isShown: boolean;
}

const NONE: MatchAhead = { eventId: null, isOpened: false, isShown: false };

export const useMatchAhead = create<MatchAhead>(() => NONE);

/** Renders a match ahead, unless one is on the screen. */
export function renderAhead(eventId: string): void {
	if (!useMatchAhead.getState().isOpened) useMatchAhead.setState({ eventId });
}

export const openAhead = (): void => useMatchAhead.setState({ isOpened: true });

/** Called when a match is painted, which may have been left meanwhile. */
export function showAhead(painted: string): void {
	const { eventId, isOpened } = useMatchAhead.getState();
	if (isOpened && eventId === painted) useMatchAhead.setState({ isShown: true });
}

export const forgetAhead = (): void => useMatchAhead.setState(NONE);

/** Forgets a match that the finger did not open. */
export function forgetUnopened(): void {
	const { eventId, isOpened } = useMatchAhead.getState();
	if (eventId !== null && !isOpened) forgetAhead();
}
