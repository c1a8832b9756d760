/** What the player likes to see, kept on the device: amounts, theme, pinned events, the score card. */

import { create } from 'zustand';
import { readStored, readStoredJson, type StorageKey, writeStored, writeStoredJson } from '#web/api/storage.ts';

export type Theme = 'dark' | 'light';

export interface Preferences {
	showBalance: boolean;
	showExposure: boolean;
	/** Null follows the domain setting. */
	theme: Theme | null;
	scoreCardOpen: boolean;
	pinnedEvents: readonly string[];
}

const isIdList = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((id) => typeof id === 'string');

function readTheme(): Theme | null {
	const theme = readStored('theme');
	return theme === 'dark' || theme === 'light' ? theme : null;
}

const readPreferences = (): Preferences => ({
	showBalance: readStored('showBalance') !== 'false',
	showExposure: readStored('showExposure') !== 'false',
	theme: readTheme(),
	scoreCardOpen: readStored('scoreCard') !== 'false',
	pinnedEvents: readStoredJson('pinnedEvents', isIdList) ?? [],
});

export const usePreferences = create<Preferences>(readPreferences);

function keepFlag(key: StorageKey, on: boolean): boolean {
	writeStored(key, String(on));
	return on;
}

export const setShowBalance = (on: boolean): void =>
	usePreferences.setState({ showBalance: keepFlag('showBalance', on) });
export const setShowExposure = (on: boolean): void =>
	usePreferences.setState({ showExposure: keepFlag('showExposure', on) });
export const setScoreCardOpen = (on: boolean): void =>
	usePreferences.setState({ scoreCardOpen: keepFlag('scoreCard', on) });

export function setTheme(theme: Theme): void {
	writeStored('theme', theme);
	usePreferences.setState({ theme });
}

export function togglePin(eventId: string): void {
	const { pinnedEvents } = usePreferences.getState();
	const next = pinnedEvents.includes(eventId)
		? pinnedEvents.filter((id) => id !== eventId)
		: [...pinnedEvents, eventId];
	writeStoredJson('pinnedEvents', next);
	usePreferences.setState({ pinnedEvents: next });
}

/** Takes events that are not listed any more off the favourites. */
export function unpin(eventIds: readonly string[]): void {
	const next = usePreferences.getState().pinnedEvents.filter((id) => !eventIds.includes(id));
	writeStoredJson('pinnedEvents', next);
	usePreferences.setState({ pinnedEvents: next });
}

/** After a logout cleared the storage: back to the defaults. */
export const forgetPreferences = (): void => usePreferences.setState(readPreferences());
