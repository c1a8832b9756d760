/**
 * How the site talks to its server. This file: the browser's local storage under the exact keys of the product
 * specification, section 3. A storage that is missing, full, forbidden or holds rubbish never breaks the page: values
 * then live in memory until the page closes.
 */

import { IS_PREVIEW } from '#web/api/preview.ts';

/** The keys of the specification; other keys below are the site's own preferences. */
export const STORAGE_KEYS = [
	'accessToken',
	'refresh_token',
	'expire_in',
	'expire_DateTime',
	'ip',
	'betslips',
	'betSlipData',
	'userinfo',
	'casinoToken',
	'OpenBets',
	'ProfitLoss',
	'balance',
	'exposure',
	'baseUrl',
	'domainSetting',
	'games',
	'tv',
	'TreeSportWithEvent',
] as const;

/** The specification names these without giving a key: pinned events, the suspended flag, a game's address, preferences. */
type PreferenceKey =
	| 'pinnedEvents'
	| 'siteSuspended'
	| 'keepLogin'
	| 'preferencesOf'
	| 'showBalance'
	| 'showExposure'
	| 'oddsFormat'
	| 'theme'
	| 'matchPanel'
	| 'ladderDocked'
	| 'betting'
	| 'foldedMarkets'
	| 'gameUrl'
	| 'playTime'
	| 'referralCode'
	| 'registration'
	| 'welcome'
	| 'seedNotes'
	| 'installAsked';

export type StorageKey = (typeof STORAGE_KEYS)[number] | PreferenceKey;

const KEPT = ['baseUrl', 'seedNotes', 'installAsked'] as const;

const memory = new Map<string, string>();

function browserStorage(): Storage | null {
	if (IS_PREVIEW) return null;
	try {
		return globalThis.localStorage ?? null;
	} catch {
		// Reading the property throws where cookies are blocked.
		return null;
	}
}

/** Whether what is stored outlives the page. */
export function storageKeeps(): boolean {
	try {
		return browserStorage() !== null && memory.size === 0;
	} catch {
		return false;
	}
}

export function readStored(key: StorageKey): string | null {
	try {
		return browserStorage()?.getItem(key) ?? memory.get(key) ?? null;
	} catch {
		return memory.get(key) ?? null;
	}
}

export function writeStored(key: StorageKey, value: string): void {
	try {
		const storage = browserStorage();
		if (!storage) throw new Error('no storage');
		storage.setItem(key, value);
		memory.delete(key);
	} catch {
		memory.set(key, value);
		removeFromBrowser(key);
	}
}

export function removeStored(...keys: StorageKey[]): void {
	for (const key of keys) {
		memory.delete(key);
		removeFromBrowser(key);
	}
}

/** The values that survive a logout: the base URL, and the proofs of played rounds. */
export function clearStored(): void {
	const kept = KEPT.map((key) => [key, readStored(key)] as const);
	memory.clear();
	try {
		browserStorage()?.clear();
	} catch {
		// Nothing was stored there at that time.
	}
	for (const [key, value] of kept) if (value !== null) writeStored(key, value);
}

type FieldType<Value> = Value extends string ? 'string' : Value extends number ? 'number' : 'boolean';
/** The type of each field of a flat object. */
export type FieldTypes<Shape> = { readonly [Name in keyof Shape]-?: FieldType<Shape[Name]> };

/**
 * Whether a stored value is an object with such fields. The contract's schemas know more, but would have to be loaded
 * before the first screen.
 */
export function hasFields<Shape>(value: unknown, fields: FieldTypes<Shape>): value is Shape {
	if (typeof value !== 'object' || value === null) return false;
	return Object.entries(fields).every(([name, type]) => typeof (value as Record<string, unknown>)[name] === type);
}

/** A JSON value, or null when it is absent, not JSON, or not what `accepts` says it should be. */
export function readStoredJson<T>(key: StorageKey, accepts: (value: unknown) => value is T): T | null {
	const text = readStored(key);
	if (text === null) return null;
	try {
		const value: unknown = JSON.parse(text);
		return accepts(value) ? value : null;
	} catch {
		return null;
	}
}

export function writeStoredJson(key: StorageKey, value: unknown): void {
	writeStored(key, JSON.stringify(value));
}

function removeFromBrowser(key: StorageKey): void {
	try {
		browserStorage()?.removeItem(key);
	} catch {
		// If the storage cannot be written, its content is older than memory.
	}
}
