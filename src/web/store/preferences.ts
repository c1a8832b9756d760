/** What the player likes to see and how he likes to bet, kept on the device. */

import { create } from 'zustand';
import {
	hasFields,
	readStored,
	readStoredJson,
	type StorageKey,
	writeStored,
	writeStoredJson,
} from '#web/api/storage.ts';
import { ODDS_POLICIES, type OddsPolicy } from '#web/store/odds-policy.ts';

export type Theme = 'dark' | 'light';

export interface Preferences {
	showBalance: boolean;
	showExposure: boolean;
	/** Null follows the domain setting. */
	theme: Theme | null;
	scoreCardOpen: boolean;
	/** Tracker or video; null leaves it to the room there is. */
	watchPanelOpen: boolean | null;
	pinnedEvents: readonly string[];
	/** Names of markets that are folded up, in whatever match they stand. */
	foldedMarkets: readonly string[];
	oddsPolicy: OddsPolicy;
	/** The stake in major units that a press on a price bets at once; null while that is off. */
	oneClickStake: number | null;
}

type Betting = Pick<Preferences, 'oddsPolicy' | 'oneClickStake'>;

function isBetting(value: unknown): value is Betting {
	if (!hasFields<Pick<Betting, 'oddsPolicy'>>(value, { oddsPolicy: 'string' })) return false;
	const { oddsPolicy, oneClickStake } = value as Partial<Betting>;
	const known = (ODDS_POLICIES as readonly unknown[]).includes(oddsPolicy);
	const stakeable = typeof oneClickStake === 'number' && oneClickStake >= 0.01 && oneClickStake <= 10_000_000;
	return known && (oneClickStake === null || stakeable);
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
	watchPanelOpen: readStored('watchPanel') === null ? null : readStored('watchPanel') !== 'false',
	pinnedEvents: readStoredJson('pinnedEvents', isIdList) ?? [],
	foldedMarkets: readStoredJson('foldedMarkets', isIdList) ?? [],
	...(readStoredJson('betting', isBetting) ?? { oddsPolicy: 'BETTER', oneClickStake: null }),
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

export const setWatchPanelOpen = (on: boolean): void =>
	usePreferences.setState({ watchPanelOpen: keepFlag('watchPanel', on) });

/** How bets are placed: what a moved price needs, and whether one press is a bet. */
export function setBetting(change: Partial<Betting>): void {
	const { oddsPolicy, oneClickStake } = { ...usePreferences.getState(), ...change };
	writeStoredJson('betting', { oddsPolicy, oneClickStake });
	usePreferences.setState({ oddsPolicy, oneClickStake });
}

export function setFolded(marketName: string, folded: boolean): void {
	const others = usePreferences.getState().foldedMarkets.filter((name) => name !== marketName);
	const foldedMarkets = folded ? [...others, marketName] : others;
	writeStoredJson('foldedMarkets', foldedMarkets);
	usePreferences.setState({ foldedMarkets });
}

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
