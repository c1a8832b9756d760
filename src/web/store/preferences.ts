/**
 * The player's display and betting preferences, kept on the device. Pins, hidden amounts, theme and the format of odds belong
 * to the player on every device: a log-in loads them, and a change is sent to the server.
 */

import { create } from 'zustand';
import { MAX_AMOUNT_MINOR, type Minor, majorFromMinor, minorFromMajor } from '#values/money.ts';
import { ODDS_FORMATS, type OddsFormat } from '#values/odds-formats.ts';
import { THEMES, type Theme } from '#values/themes.ts';
import type { Login } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { hasFields, readStored, readStoredJson, removeStored, writeStored, writeStoredJson } from '#web/api/storage.ts';
import type { RequestOf } from '#web/api/units.ts';
import { ODDS_POLICIES, type OddsPolicy } from '#web/betting/odds-policy.ts';

const MATCH_PANEL_PARTS = ['SCORE', 'LIVE', 'CHART', 'STATS'] as const;
export type MatchPanelPart = (typeof MATCH_PANEL_PARTS)[number];

interface Preferences {
	showBalance: boolean;
	showExposure: boolean;
	oddsFormat: OddsFormat;
	/** Null follows the domain setting. */
	theme: Theme | null;
	/** The open part of the panel above the markets; null leaves it to the room there is. */
	matchPanel: MatchPanelPart | 'CLOSED' | null;
	pinnedEvents: readonly string[];
	/** The ladder at the foot of the right column is open. */
	ladderDocked: boolean;
	/** Names of markets that are folded, in every match. */
	foldedMarkets: readonly string[];
	oddsPolicy: OddsPolicy;
	/** The stake that a press on a price bets at once; null while one-click betting is off. */
	oneClickStake: Minor | null;
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
function stakeOf(major: number): Minor | null {
	const stake = minorFromMajor(major);
	return stake !== null && stake > 0 && stake <= MAX_AMOUNT_MINOR ? stake : null;
}

const CAREFUL: Betting = { oddsPolicy: 'BETTER', oneClickStake: null };

function readBetting(): Betting {
	const stored = readStoredJson('betting', isBetting);
	if (!stored) return CAREFUL;
	const { oddsPolicy, oneClickStake } = stored;
	return { oddsPolicy, oneClickStake: oneClickStake === null ? null : stakeOf(oneClickStake) };
}

const isIdList = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((id) => typeof id === 'string');

function readTheme(): Theme | null {
	const kept = readStored('theme');
	return THEMES.find((theme) => theme === kept) ?? null;
}

function readOddsFormat(): OddsFormat | null {
	const kept = readStored('oddsFormat');
	return ODDS_FORMATS.find((format) => format === kept) ?? null;
}

function readMatchPanel(): Preferences['matchPanel'] {
	const kept = readStored('matchPanel');
	return [...MATCH_PANEL_PARTS, 'CLOSED' as const].find((part) => part === kept) ?? null;
}

/** Each is stored under its own name, and those of betting together. */
const readOfPlayer = () => ({
	showBalance: readStored('showBalance') !== 'false',
	showExposure: readStored('showExposure') !== 'false',
	oddsFormat: readOddsFormat() ?? ('DECIMAL' as const),
	theme: readTheme(),
	pinnedEvents: readStoredJson('pinnedEvents', isIdList) ?? [],
	...readBetting(),
});

const readPreferences = (): Preferences => ({
	...readOfPlayer(),
	matchPanel: readMatchPanel(),
	ladderDocked: readStored('ladderDocked') !== 'false',
	foldedMarkets: readStoredJson('foldedMarkets', isIdList) ?? [],
});

export const usePreferences = create<Preferences>(readPreferences);

/** Changes reach the server in the order in which they were made. */
let sent: Promise<unknown> = Promise.resolve();

/** With the player who is logged in now. A failure leaves the change to this device. */
function keepWithPlayer(change: RequestOf<'setPreferences'>): void {
	const player = readStored('preferencesOf');
	const isStillLoggedIn = () => readStored('accessToken') !== null && readStored('preferencesOf') === player;
	if (player === null || Object.keys(change).length === 0) return;
	sent = sent.then(() => (isStillLoggedIn() ? call('setPreferences', change) : null)).catch(() => undefined);
}

/** What was not chosen is not stored: the next log-in would take it for a choice. */
function keepHere(key: 'showBalance' | 'showExposure' | 'oddsFormat' | 'theme', chosen: string | null): void {
	if (chosen === null) removeStored(key);
	else writeStored(key, chosen);
}

function showFigure(figure: 'showBalance' | 'showExposure', on: boolean | null): void {
	keepHere(figure, on === null ? null : String(on));
	usePreferences.setState({ [figure]: on ?? true });
}

export function setShowBalance(on: boolean): void {
	showFigure('showBalance', on);
	keepWithPlayer({ showBalance: on });
}

export function setShowExposure(on: boolean): void {
	showFigure('showExposure', on);
	keepWithPlayer({ showExposure: on });
}

function showOddsAs(oddsFormat: OddsFormat | null): void {
	keepHere('oddsFormat', oddsFormat);
	usePreferences.setState({ oddsFormat: oddsFormat ?? 'DECIMAL' });
}

export function setOddsFormat(oddsFormat: OddsFormat): void {
	showOddsAs(oddsFormat);
	keepWithPlayer({ oddsFormat });
}

export function setMatchPanel(matchPanel: MatchPanelPart | 'CLOSED'): void {
	writeStored('matchPanel', matchPanel);
	usePreferences.setState({ matchPanel });
}

export function setLadderDocked(ladderDocked: boolean): void {
	writeStored('ladderDocked', String(ladderDocked));
	usePreferences.setState({ ladderDocked });
}

/** The settings of betting: the handling of moved prices, and one-click betting. */
export function setBetting(change: Partial<Betting>): void {
	const { oddsPolicy, oneClickStake } = { ...usePreferences.getState(), ...change };
	const stored: StoredBetting = {
		oddsPolicy,
		oneClickStake: oneClickStake === null ? null : majorFromMinor(oneClickStake),
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

function showTheme(theme: Theme | null): void {
	keepHere('theme', theme);
	usePreferences.setState({ theme });
}

export function setTheme(theme: Theme): void {
	showTheme(theme);
	keepWithPlayer({ theme });
}

function holdPins(pinnedEvents: readonly string[]): void {
	writeStoredJson('pinnedEvents', pinnedEvents);
	usePreferences.setState({ pinnedEvents });
}

export function togglePin(eventId: string): void {
	const { pinnedEvents } = usePreferences.getState();
	if (pinnedEvents.includes(eventId)) return unpin([eventId]);
	holdPins([...pinnedEvents, eventId]);
	keepWithPlayer({ pin: [eventId] });
}

/** Removes events from the favourites, such as those no longer listed. */
export function unpin(eventIds: readonly string[]): void {
	holdPins(usePreferences.getState().pinnedEvents.filter((id) => !eventIds.includes(id)));
	keepWithPlayer({ unpin: [...eventIds] });
}

/**
 * After a log-in: the player's choices apply here. Choices made here before the log-in are added if the player has none
 * yet, unless they belong to another player, whose login ended here.
 */
export function followPlayerPreferences(userId: string, chosen: Login['preferences']): void {
	const isOthers = ![null, userId].includes(readStored('preferencesOf'));
	writeStored('preferencesOf', userId);
	// A press must not bet because another player wanted it to.
	if (isOthers) setBetting(CAREFUL);
	const change: RequestOf<'setPreferences'> = {};
	const pin = isOthers ? [] : usePreferences.getState().pinnedEvents.filter((id) => !chosen.pinnedEvents.includes(id));
	holdPins([...chosen.pinnedEvents, ...pin]);
	if (pin.length > 0) change.pin = pin;
	for (const figure of ['showBalance', 'showExposure'] as const) {
		const kept = isOthers ? null : readStored(figure);
		const here = kept === null ? null : kept === 'true';
		if (here !== null && chosen[figure] === null) change[figure] = here;
		showFigure(figure, chosen[figure] ?? here);
	}
	const format = isOthers ? null : readOddsFormat();
	if (format && chosen.oddsFormat === null) change.oddsFormat = format;
	showOddsAs(chosen.oddsFormat ?? format);
	const theme = isOthers ? null : readTheme();
	if (theme && chosen.theme === null) change.theme = theme;
	showTheme(chosen.theme ?? theme);
	keepWithPlayer(change);
}

/** After a logout cleared the storage: back to the defaults. */
export const forgetPreferences = (): void => usePreferences.setState(readPreferences());

/** What another tab stored: a choice of the player's, or those of the player who logged in there. Null after it cleared all. */
export function followStored(key: string | null): void {
	const ofPlayer = readOfPlayer();
	if (key === null || key === 'betting' || key in ofPlayer) usePreferences.setState(ofPlayer);
}
