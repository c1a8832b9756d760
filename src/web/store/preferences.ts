/** The player's display and betting preferences, kept on the device. */

import { create } from 'zustand';
import { MAX_AMOUNT_PAISE, majorFromPaise, type Paise, paiseFromMajor } from '#values/money.ts';
import {
	hasFields,
	readStored,
	readStoredJson,
	type StorageKey,
	writeStored,
	writeStoredJson,
} from '#web/api/storage.ts';
import { ODDS_POLICIES, type OddsPolicy } from '#web/betting/odds-policy.ts';

export type Theme = 'dark' | 'light';

export const MATCH_PANEL_PARTS = ['SCORE', 'LIVE', 'CHART', 'STATS'] as const;
export type MatchPanelPart = (typeof MATCH_PANEL_PARTS)[number];

export interface Preferences {
	showBalance: boolean;
	showExposure: boolean;
	/** Null follows the domain setting. */
	theme: Theme | null;
	/** The open part of the panel above the markets; null leaves it to the room there is. */
	matchPanel: MatchPanelPart | 'CLOSED' | null;
	pinnedEvents: readonly string[];
	/** Names of markets that are folded, in every match. */
	foldedMarkets: readonly string[];
	oddsPolicy: OddsPolicy;
	/** The stake that a press on a price bets at once; null while one-click betting is off. */
	oneClickStake: Paise | null;
}

type Betting = Pick<Preferences, 'oddsPolicy' | 'oneClickStake'>;

/** As it is stored: the stake in major units. */
type StoredBetting = Pick<Preferences, 'oddsPolicy'> & { oneClickStake: number | null };

function isBetting(value: unknown): value is StoredBetting {
	if (!hasFields<Pick<StoredBetting, 'oddsPolicy'>>(value, { oddsPolicy: 'string' })) return false;
	const { oddsPolicy, oneClickStake } = value as Partial<StoredBetting>;
	const isKnown = (ODDS_POLICIES as readonly unknown[]).includes(oddsPolicy);
	return isKnown && (oneClickStake === null || (typeof oneClickStake === 'number' && stakeOf(oneClickStake) !== null));
}

/** Null for an amount that no bet may have. */
function stakeOf(major: number): Paise | null {
	const stake = paiseFromMajor(major);
	return stake !== null && stake > 0 && stake <= MAX_AMOUNT_PAISE ? stake : null;
}

function readBetting(): Betting {
	const stored = readStoredJson('betting', isBetting);
	if (!stored) return { oddsPolicy: 'BETTER', oneClickStake: null };
	const { oddsPolicy, oneClickStake } = stored;
	return { oddsPolicy, oneClickStake: oneClickStake === null ? null : stakeOf(oneClickStake) };
}

const isIdList = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((id) => typeof id === 'string');

function readTheme(): Theme | null {
	const theme = readStored('theme');
	return theme === 'dark' || theme === 'light' ? theme : null;
}

function readMatchPanel(): Preferences['matchPanel'] {
	const kept = readStored('matchPanel');
	return [...MATCH_PANEL_PARTS, 'CLOSED' as const].find((part) => part === kept) ?? null;
}

const readPreferences = (): Preferences => ({
	showBalance: readStored('showBalance') !== 'false',
	showExposure: readStored('showExposure') !== 'false',
	theme: readTheme(),
	matchPanel: readMatchPanel(),
	pinnedEvents: readStoredJson('pinnedEvents', isIdList) ?? [],
	foldedMarkets: readStoredJson('foldedMarkets', isIdList) ?? [],
	...readBetting(),
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

export function setMatchPanel(matchPanel: MatchPanelPart | 'CLOSED'): void {
	writeStored('matchPanel', matchPanel);
	usePreferences.setState({ matchPanel });
}

/** How bets are placed: what a moved price needs, and whether one press is a bet. */
export function setBetting(change: Partial<Betting>): void {
	const { oddsPolicy, oneClickStake } = { ...usePreferences.getState(), ...change };
	const stored: StoredBetting = {
		oddsPolicy,
		oneClickStake: oneClickStake === null ? null : majorFromPaise(oneClickStake),
	};
	writeStoredJson('betting', stored);
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
