/** The login of this browser: log in, restore on reload, refresh shortly before the expiry, log out. */

import { create } from 'zustand';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Minor, minorFromMajor } from '#values/money.ts';
import { LONGEST_TIMER_MS } from '#values/time.ts';
import type { Login } from '#web/api/answers.ts';
import { call, setLoginName, setUnauthorisedHandler } from '#web/api/client.ts';
import { CallFailure } from '#web/api/failure.ts';
import { FIRST_ANSWER_FIELDS } from '#web/api/first-calls.ts';
import {
	clearStored,
	type FieldTypes,
	hasFields,
	readStored,
	readStoredJson,
	removeStored,
	writeStored,
	writeStoredJson,
} from '#web/api/storage.ts';
import { fieldsIn, fromWire, toWire } from '#web/api/units.ts';
import { followPlayerLanguage } from '#web/store/language.ts';
import { lobbyQuery } from '#web/store/lobby-query.ts';
import { showNotice } from '#web/store/notices.ts';
import { followPlayerPreferences, followStored, forgetPreferences } from '#web/store/preferences.ts';
import { forgetProfitLoss } from '#web/store/profit-loss-change.ts';
import { queryClient } from '#web/store/query-client.ts';
import { emptyWallet, resetWallet } from '#web/store/wallet.ts';
import { TEXTS } from '#web/texts.ts';

export type User = Login['user'];
export type Preset = Login['stakes'][number];

interface Session {
	/** Null for a visitor. */
	user: User | null;
	/** Changes with each login and its end, also of one that had ended before the page was opened; the hub then registers again. */
	loginCount: number;
	/** The player's bet slip chips; null for a visitor (`presets.ts`). */
	stakes: readonly Preset[] | null;
}

const USER_UNITS = FIRST_ANSWER_FIELDS.getUserInfo;
/** Where a preset holds an amount. */
export const PRESET_FIELDS = fieldsIn(FIRST_ANSWER_FIELDS.authenticate, 'stakes');

export const useSession = create<Session>(() => ({
	user: null,
	loginCount: 0,
	stakes: null,
}));

/** Names the login, or its absence: what is stored tells of another tab's before this one has heard of it. */
export const loginName = (): string => `${useSession.getState().loginCount} ${readStored('preferencesOf')}`;
setLoginName(loginName);

export const isLoggedIn = (): boolean => useSession.getState().user !== null;

/** As it is stored. */
type WireUser = ResultOf<Calls['getUserInfo']>;
type WirePreset = ResultOf<Calls['authenticate']>['stakes'][number];

const USER_FIELDS: FieldTypes<WireUser> = {
	userId: 'string',
	userName: 'string',
	isDemo: 'boolean',
	pool: 'string',
	balance: 'number',
	exposure: 'number',
	currency: 'string',
	football: 'boolean',
	tennis: 'boolean',
	cricket: 'boolean',
	kabaddi: 'boolean',
	horseRacing: 'boolean',
	trade: 'boolean',
};
const isUser = (value: unknown): value is WireUser => hasFields(value, USER_FIELDS);
const isPresets = (value: unknown): value is WirePreset[] =>
	Array.isArray(value) &&
	value.length > 0 &&
	value.every((preset) => hasFields<WirePreset>(preset, { title: 'string', value: 'number' }));

/** Milliseconds since the epoch, or null if nothing readable is stored. */
function storedExpiry(): number | null {
	const text = readStored('expire_DateTime');
	if (!text) return null;
	const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
	return Number.isFinite(ms) ? ms : null;
}

/** The access token last: another tab that finds it finds all the rest, and takes the login for a living one. */
function storeTokens(tokens: { accessToken: string; refreshToken: string; expireInSeconds: number }): void {
	writeStored('refresh_token', tokens.refreshToken);
	writeStored('expire_in', String(tokens.expireInSeconds));
	writeStored('expire_DateTime', String(Date.now() + tokens.expireInSeconds * 1000));
	writeStored('accessToken', tokens.accessToken);
	scheduleRefresh();
}

/**
 * Takes over the result of Authenticate, LoginAsDemoUser or VerificationUser; a demo player is called Demo.
 * @param keep the login outlives its access token: a reload after its end renews it instead of clearing it
 */
export function logIn(login: Login, { keep = false } = {}): void {
	const user = login.user.isDemo ? { ...login.user, userName: 'Demo' } : login.user;
	// A kept login of another player that could not be renewed yet ends here.
	const stored = readStoredJson('userinfo', isUser);
	if (stored && stored.userId !== user.userId && !isLoggedIn()) endSession(true);
	// A login is named by it: before the calls that are begun below, and by another tab that finds the access token.
	followPlayerPreferences(user.userId, login.preferences);
	if (keep) writeStored('keepLogin', 'true');
	else removeStored('keepLogin');
	writeStored('ip', login.userIp);
	writeStored('casinoToken', login.casinoToken);
	// The list of casino games, empty until it is there.
	writeStoredJson('games', []);
	writeStoredJson('userinfo', toWire(user, USER_UNITS));
	const stakes = login.stakes.length > 0 ? login.stakes : null;
	if (stakes) writeStoredJson('betSlipData', toWire(stakes, PRESET_FIELDS));
	storeTokens(login);
	resetWallet(user.balance, user.exposure);
	useSession.setState(({ loginCount }) => ({ user, stakes, loginCount: loginCount + 1 }));
	forgetPlayerQueries();
	void queryClient.prefetchQuery(lobbyQuery());
	followPlayerLanguage(login.language);
}

/** At start and when another tab logged in or out: takes over what is stored, or clears it when its time has passed. */
export function restoreSession(): void {
	const stored = readStoredJson('userinfo', isUser);
	const user = stored && fromWire(stored, USER_UNITS);
	const expiry = storedExpiry();
	const living = readStored('accessToken') !== null && user !== null && expiry !== null && expiry > Date.now();
	if (!living) {
		const hasExpired = !isKept() && readStored('accessToken') !== null;
		if (hasExpired) clearStoredLogin();
		endSession(hasExpired || isLoggedIn());
		// A kept login that could not be renewed without a network is renewed later.
		if (isKept()) scheduleRefresh(REFRESH_RETRY_MS);
		return;
	}
	const { user: held, loginCount } = useSession.getState();
	const sameUser = held?.userId === user.userId;
	if (held && !sameUser) forgetPlayerQueries();
	if (!sameUser) resetWallet(amountStored('balance') ?? user.balance, amountStored('exposure') ?? user.exposure);
	useSession.setState({
		user: sameUser ? held : user,
		stakes: fromWire(readStoredJson('betSlipData', isPresets), PRESET_FIELDS),
		loginCount: sameUser ? loginCount : loginCount + 1,
	});
	scheduleRefresh();
}

const isKept = (): boolean => readStored('keepLogin') !== null && readStored('refresh_token') !== null;

/** Before the first screen: renews a kept login whose access token ended while the page was closed. */
export async function renewKeptLogin(): Promise<void> {
	const expiry = storedExpiry();
	if (isKept() && expiry !== null && expiry <= Date.now()) await refreshWhenDue();
}

function amountStored(key: 'balance' | 'exposure'): Minor | null {
	const text = readStored(key);
	return text ? minorFromMajor(Number(text)) : null;
}

function clearStoredLogin(): void {
	removeStored('accessToken', 'refresh_token', 'expire_in', 'expire_DateTime', 'userinfo');
	removeStored('OpenBets', 'ProfitLoss', 'balance', 'exposure', 'casinoToken', 'keepLogin', 'betslips');
}

/** @param hasLoginEnded false where no login was held by this page or stored */
function endSession(hasLoginEnded: boolean): void {
	clearTimeout(refreshTimer);
	emptyWallet();
	if (!hasLoginEnded) return;
	useSession.setState(({ loginCount }) => ({ user: null, stakes: null, loginCount: loginCount + 1 }));
	forgetPlayerQueries();
}

/** The answers of one player must not be shown to the next. */
function forgetPlayerQueries(): void {
	queryClient.removeQueries({ queryKey: ['player'] });
	forgetProfitLoss();
}

/** A login that the server does not know any more has ended as well. */
function sayIfItLives(failure: unknown): void {
	if (!(failure instanceof CallFailure) || failure.status !== 401) showNotice(TEXTS.failures.logOut, 'error');
}

/**
 * Ends the login here and on the server; everything stored is removed except the base URL. The request is sent before
 * this returns, and the page may be left at once.
 */
export function logOut(): void {
	if (readStored('accessToken') !== null) call('logout', {}, { keepalive: true }).catch(sayIfItLives);
	clearStored();
	forgetPreferences();
	endSession(true);
}

/** Keeps the player's chips here; saving them on the server is the settings page's call. */
export function keepStakes(stakes: readonly Preset[]): void {
	writeStoredJson('betSlipData', toWire(stakes, PRESET_FIELDS));
	useSession.setState({ stakes });
}

let leaveForLogout: () => void = () => globalThis.location?.assign('/Auth/Logout');

/** The router's way to /Auth/Logout; without it the page is reloaded. */
export function setLogoutNavigation(navigate: () => void): void {
	leaveForLogout = navigate;
}

/** The server no longer knows this login (401): clear it and leave for the logout page. */
export function dropDeadLogin(): void {
	removeStored('accessToken', 'refresh_token', 'expire_in', 'userinfo', 'keepLogin', 'betslips');
	endSession(true);
	leaveForLogout();
}
setUnauthorisedHandler(dropDeadLogin);

const REFRESH_BEFORE_MS = 60_000;
const REFRESH_RETRY_MS = 10_000;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

function scheduleRefresh(atLeastMs = 0): void {
	clearTimeout(refreshTimer);
	const expiry = storedExpiry();
	if (expiry === null || readStored('refresh_token') === null) return;
	const left = expiry - Date.now();
	// A very short login is refreshed at its half, never in a loop.
	const wait = Math.max(left - REFRESH_BEFORE_MS, left / 2, atLeastMs);
	refreshTimer = setTimeout(() => void refreshWhenDue(expiry), Math.min(wait, LONGEST_TIMER_MS));
}

/** Tabs take turns, so that one refresh token is used once. */
function inTurn(work: () => Promise<void>): Promise<void> {
	return globalThis.navigator?.locks ? navigator.locks.request('refresh-token', work) : work();
}

/** @param dueFor the stored end of the login whose time has come, even if the device's clock was set back meanwhile */
async function refreshWhenDue(dueFor?: number): Promise<void> {
	await inTurn(async () => {
		const token = readStored('refresh_token');
		const expiry = storedExpiry();
		if (token === null || expiry === null) return;
		// Another tab was quicker.
		if (expiry !== dueFor && expiry - Date.now() > REFRESH_BEFORE_MS * 1.5) return scheduleRefresh();
		try {
			storeTokens(await call('refreshToken', { refreshToken: token }));
			if (useSession.getState().user === null) restoreSession();
		} catch {
			// The client drops a dead token; anything else is retried while the login lives or is kept.
			if (readStored('accessToken') !== null && expiry > Date.now()) scheduleRefresh(REFRESH_RETRY_MS);
			else restoreSession();
		}
	});
}

/** Follows logins and logouts of other tabs; returns the function that ends it. */
export function watchOtherTabs(): () => void {
	const onStorage = (event: StorageEvent) => {
		followStored(event.key);
		if (event.key === null || event.key === 'accessToken' || event.key === 'userinfo') restoreSession();
	};
	globalThis.addEventListener('storage', onStorage);
	return () => globalThis.removeEventListener('storage', onStorage);
}
