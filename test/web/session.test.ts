/** The states of the product specification, section 4: logged out, logged in, reloaded, refreshed, dead; against a real server. */
import { QueryObserver } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { clearStored, readStored, STORAGE_KEYS, writeStored } from '#web/api/storage.ts';
import { closeDialog, useDialogs } from '#web/store/dialogs.ts';
import '#web/store/next-player.ts';
import {
	setBetting,
	setOddsFormat,
	setShowBalance,
	setShowExposure,
	setTheme,
	togglePin,
	usePreferences,
} from '#web/store/preferences.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import {
	continueRegistration,
	forgetRegistration,
	keepRegistration,
	registrationInProgress,
	useRegistration,
} from '#web/store/registration.ts';
import {
	dropDeadLogin,
	isLoggedIn,
	logIn,
	logOut,
	renewKeptLogin,
	restoreSession,
	setLogoutNavigation,
	useSession,
} from '#web/store/session.ts';
import { pressPrice, useSlip } from '#web/store/slip.ts';
import { PICKED } from '../support/selection.ts';
import { TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

let departures = 0;
beforeEach(() => {
	departures = 0;
	setLogoutNavigation(() => {
		departures += 1;
	});
	writeStored('baseUrl', server.url);
});
afterEach(() => {
	logOut();
	clearStored();
});

/** A demo player, logged in here. */
async function enter(): Promise<void> {
	logIn(await call('loginAsDemoUser', {}));
}

describe('logging in', () => {
	it('keeps the tokens, the time they end and the stakes, and calls a demo player Demo', async () => {
		const before = Date.now();
		await enter();
		expect(isLoggedIn()).toBe(true);
		const expiry = Number(readStored('expire_DateTime'));
		const lasts = Number(readStored('expire_in')) * 1000;
		expect(expiry).toBeGreaterThanOrEqual(before + lasts);
		expect(expiry).toBeLessThanOrEqual(Date.now() + lasts);
		expect(useSession.getState().user?.userName).toBe('Demo');
		expect(JSON.parse(readStored('betSlipData') ?? '[]')).toEqual(
			useSession.getState().stakes?.map(({ title, value }) => ({ title, value: value / 100 })),
		);
		expect(readStored('ip')).toMatch(/127\.0\.0\.1$/);
	});

	it('asks for the games anew', async () => {
		await enter();
		await vi.waitFor(() => expect(JSON.parse(readStored('games') ?? '[]').length).toBeGreaterThan(10));
	});

	it('is left alone by another tab, whenever that one looks at what is stored so far', async () => {
		const held = new Map<string, string>();
		const looks: Map<string, string>[] = [];
		vi.stubGlobal('localStorage', {
			getItem: (key: string) => held.get(key) ?? null,
			removeItem: (key: string) => held.delete(key),
			clear: () => held.clear(),
			setItem(key: string, value: string) {
				held.set(key, value);
				looks.push(new Map(held));
			},
		});
		onTestFinished(() => void vi.unstubAllGlobals());
		writeStored('baseUrl', server.url);
		const login = await call('loginAsDemoUser', {});
		logIn(login);
		expect(looks.length).toBeGreaterThan(6);
		// It begins calls then, and drops their answers if they are another player's.
		expect(looks.filter((seen) => seen.has('accessToken') && !seen.has('preferencesOf'))).toEqual([]);
		for (const seen of looks.splice(0)) {
			held.clear();
			for (const [key, value] of seen) held.set(key, value);
			useSession.setState({ user: null });
			restoreSession();
			expect(readStored('accessToken')).toBe(seen.get('accessToken') ?? null);
		}
		expect(isLoggedIn()).toBe(true);
	});

	it('sends the token that is stored now with every call', async () => {
		await enter();
		expect((await call('getUserInfo', {})).userName).toMatch(/^demo-/);
		const { accessToken } = await server.result('loginAsDemoUser', {});
		const other = await server.result('getUserInfo', {}, accessToken);
		writeStored('accessToken', accessToken);
		expect((await call('getUserInfo', {})).userId).toBe(other.userId);
	});
});

describe('a reload', () => {
	it('finds the login again while its time has not passed', async () => {
		await enter();
		const name = useSession.getState().user?.userId;
		useSession.setState({ user: null });
		restoreSession();
		expect(useSession.getState().user?.userId).toBe(name);
	});

	it('clears the data of an expired login', async () => {
		await enter();
		for (const key of ['OpenBets', 'ProfitLoss', 'balance', 'exposure'] as const) writeStored(key, '{}');
		writeStored('expire_DateTime', String(Date.now() - 1));
		restoreSession();
		expect(isLoggedIn()).toBe(false);
		const left = STORAGE_KEYS.filter((key) => readStored(key) !== null);
		expect(left).not.toContain('accessToken');
		for (const key of ['userinfo', 'expire_DateTime', 'OpenBets', 'ProfitLoss', 'balance', 'exposure'] as const) {
			expect(left).not.toContain(key);
		}
	});
});

describe('a login that its player keeps', () => {
	async function enterAndKeep(): Promise<string> {
		logIn(await call('loginAsDemoUser', {}), { keep: true });
		writeStored('expire_DateTime', String(Date.now() - 1));
		useSession.setState({ user: null });
		return readStored('accessToken') ?? '';
	}

	it('is renewed by a reload after the end of its access token', async () => {
		const old = await enterAndKeep();
		await renewKeptLogin();
		restoreSession();
		expect(isLoggedIn()).toBe(true);
		expect(readStored('accessToken')).not.toBe(old);
		expect((await call('getUserInfo', {})).isDemo).toBe(true);
	});

	it('is still there after a reload without a network', async () => {
		await enterAndKeep();
		writeStored('baseUrl', 'http://localhost:1');
		await renewKeptLogin();
		restoreSession();
		expect([isLoggedIn(), readStored('refresh_token') !== null]).toEqual([false, true]);
		writeStored('baseUrl', server.url);
		await renewKeptLogin();
		expect(isLoggedIn()).toBe(true);
	});

	it('is renewed by itself once the network is back', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		await enterAndKeep();
		writeStored('baseUrl', 'http://localhost:1');
		await renewKeptLogin();
		restoreSession();
		expect(isLoggedIn()).toBe(false);
		writeStored('baseUrl', server.url);
		vi.advanceTimersByTime(10_000);
		vi.useRealTimers();
		await vi.waitFor(() => expect(isLoggedIn()).toBe(true));
	});

	it('ends when the server does not know it any more', async () => {
		await server.result('logout', {}, await enterAndKeep());
		await renewKeptLogin();
		restoreSession();
		expect([isLoggedIn(), readStored('refresh_token'), readStored('keepLogin')]).toEqual([false, null, null]);
	});
});

describe('a refresh', () => {
	it('comes before the end by itself and stores the new tokens and their time', async () => {
		await enter();
		const old = readStored('accessToken');
		const soon = Date.now() + 200;
		writeStored('expire_DateTime', String(soon));
		restoreSession();
		await vi.waitFor(() => expect(readStored('accessToken')).not.toBe(old), { timeout: 10_000 });
		expect(Number(readStored('expire_DateTime'))).toBeGreaterThan(soon);
		expect((await call('getUserInfo', {})).isDemo).toBe(true);
	});

	it('comes in time although the device’s clock was set back meanwhile', async () => {
		await enter();
		const old = readStored('accessToken');
		writeStored('expire_DateTime', String(Date.now() + 200));
		restoreSession();
		vi.useFakeTimers({ now: Date.now() - 5 * 60_000, toFake: ['Date'] });
		onTestFinished(() => void vi.useRealTimers());
		await vi.waitFor(() => expect(readStored('accessToken')).not.toBe(old), { timeout: 10_000 });
	});
});

describe('the end of a login', () => {
	it('logging out clears everything but the base URL, and the token is dead', async () => {
		await enter();
		const token = readStored('accessToken') ?? '';
		for (const key of STORAGE_KEYS) if (key !== 'baseUrl' && readStored(key) === null) writeStored(key, 'x');
		logOut();
		expect(STORAGE_KEYS.filter((key) => readStored(key) !== null)).toEqual(['baseUrl']);
		expect(isLoggedIn()).toBe(false);
		await vi.waitFor(async () => expect((await server.call('getUserInfo', {}, token)).status).toBe(401), {
			timeout: 10_000,
		});
	});

	it('a login the server does not know any more is cleared and left', async () => {
		await enter();
		await server.result('logout', {}, readStored('accessToken'));
		await expect(call('getUserInfo', {})).rejects.toMatchObject({ code: 'LOGIN_EXPIRED' });
		expect([isLoggedIn(), departures, readStored('accessToken')]).toEqual([false, 1, null]);
	});
});

describe('what a screen shows of a player', () => {
	/** A screen that stays, as one in another tab does. */
	async function showBets() {
		const screen = new QueryObserver(queryClient, openBetsQuery());
		onTestFinished(screen.subscribe(() => undefined));
		await vi.waitFor(() => expect(screen.getCurrentResult().data?.openBets).toEqual([]));
		return () => screen.getCurrentResult().data;
	}

	it('goes when another player has logged in in another tab', async () => {
		await enter();
		const shown = await showBets();
		const { user, accessToken } = await server.result('loginAsDemoUser', {});
		writeStored('userinfo', JSON.stringify(user));
		writeStored('accessToken', accessToken);
		restoreSession();
		expect(useSession.getState().user?.userId).toBe(user.userId);
		expect(shown()).toBeUndefined();
	});
});

describe('what a player chose to see', () => {
	const shown = () => {
		const { pinnedEvents, showBalance, showExposure, oddsFormat, theme } = usePreferences.getState();
		return { pinnedEvents, showBalance, showExposure, oddsFormat, theme };
	};
	const NOTHING = { pinnedEvents: [], showBalance: true, showExposure: true, oddsFormat: 'DECIMAL', theme: null };
	/** An account, and a way into it. */
	async function account() {
		const { userName, token } = await signUp(server);
		const password = { userNameOrEmailAddress: userName, password: PASSWORD };
		return {
			enter: async () => logIn(await call('authenticate', password)),
			kept: () => server.result('setPreferences', {}, token),
		};
	}

	it('is there again after a log-out, and after a login that the server ended', async () => {
		const { enter: enterAgain, kept } = await account();
		await enterAgain();
		togglePin('7');
		togglePin('8');
		togglePin('7');
		setOddsFormat('FRACTIONAL');
		setTheme('light');
		setShowBalance(false);
		await vi.waitFor(async () => expect((await kept()).showBalance).toBe(false));
		for (const leave of [logOut, () => (dropDeadLogin(), logOut())]) {
			leave();
			expect(shown()).toEqual(NOTHING);
			// A visitor's own choice does not stand against the account's.
			setOddsFormat('AMERICAN');
			await enterAgain();
			expect(shown()).toEqual({
				pinnedEvents: ['8'],
				showBalance: false,
				showExposure: true,
				oddsFormat: 'FRACTIONAL',
				theme: 'light',
			});
		}
	});

	it('takes over what a visitor chose, and nothing of the player who was here before', async () => {
		const [one, other] = [await account(), await account()];
		togglePin('7');
		setShowExposure(false);
		setOddsFormat('AMERICAN');
		setTheme('light');
		await one.enter();
		const chosen = {
			pinnedEvents: ['7'],
			showBalance: null,
			showExposure: false,
			oddsFormat: 'AMERICAN',
			theme: 'light',
		};
		await vi.waitFor(async () => expect(await one.kept()).toEqual(chosen));
		// The time of the first login is over, and its player has not logged out.
		writeStored('expire_DateTime', String(Date.now() - 1));
		restoreSession();
		await other.enter();
		expect(shown()).toEqual(NOTHING);
		togglePin('9');
		await vi.waitFor(async () => expect((await other.kept()).pinnedEvents).toEqual(['9']));
		expect(await one.kept()).toEqual(chosen);
	});

	it('is not made up: a default is taken for no choice at the next log-in', async () => {
		const { enter: enterAgain, kept } = await account();
		await enterAgain();
		dropDeadLogin();
		await enterAgain();
		togglePin('7');
		await vi.waitFor(async () => expect((await kept()).pinnedEvents).toEqual(['7']));
		const nothing = { showBalance: null, showExposure: null, oddsFormat: null, theme: null };
		expect(await kept()).toEqual({ pinnedEvents: ['7'], ...nothing });
	});
});

describe('what a player is about to bet', () => {
	const pick = (runnerId: string) => ({ ...PICKED, runnerId, runnerName: runnerId });
	const inSlip = () => useSlip.getState().selections.map(({ runnerId }) => runnerId);

	it('goes with the login, and the next player bets nothing at once that the former wanted to', async () => {
		await enter();
		setBetting({ oddsPolicy: 'ANY', oneClickStake: minorOf(50_000) });
		pressPrice(pick('IND'));
		// The page is opened again after the end of the login, whose player has not logged out.
		writeStored('expire_DateTime', String(Date.now() - 1));
		useSession.setState({ user: null });
		restoreSession();
		expect([inSlip(), readStored('betslips')]).toEqual([[], null]);
		pressPrice(pick('NEP'));
		await enter();
		expect(inSlip()).toEqual(['NEP']);
		expect(usePreferences.getState()).toMatchObject({ oddsPolicy: 'BETTER', oneClickStake: null });
	});

	it('goes when another player logs in over a kept login that was not renewed', async () => {
		logIn(await call('loginAsDemoUser', {}), { keep: true });
		setBetting({ oneClickStake: minorOf(50_000) });
		pressPrice(pick('IND'));
		writeStored('expire_DateTime', String(Date.now() - 1));
		useSession.setState({ user: null });
		restoreSession();
		expect(inSlip()).toEqual(['IND']);
		await enter();
		expect([inSlip(), readStored('betslips')]).toEqual([[], null]);
		expect(usePreferences.getState().oneClickStake).toBeNull();
	});

	it('is there again for the same player', async () => {
		const { userName } = await signUp(server);
		const password = { userNameOrEmailAddress: userName, password: PASSWORD };
		logIn(await call('authenticate', password));
		setBetting({ oddsPolicy: 'ANY', oneClickStake: minorOf(50_000) });
		dropDeadLogin();
		logIn(await call('authenticate', password));
		expect(usePreferences.getState()).toMatchObject({ oddsPolicy: 'ANY', oneClickStake: 50_000 });
	});
});

describe('a registration', () => {
	afterEach(() => {
		forgetRegistration();
		useDialogs.setState({ open: null });
	});

	it('is kept with its name, mobile and domain, and a new code may be requested after two minutes', () => {
		const who = { userName: 'asha', mobile: '9876543210', domain: 'localhost' };
		const before = Date.now();
		keepRegistration(who);
		expect(registrationInProgress()).toEqual(who);
		expect(useRegistration.getState().resendAtMs - before).toBeGreaterThanOrEqual(120_000);
	});

	/** Where a reloaded page begins. */
	function reload() {
		useRegistration.setState(useRegistration.getInitialState());
		continueRegistration();
		const { open, step } = useDialogs.getState();
		return open && step;
	}

	it('is there after a reload with its countdown, and asks for its code, until its owner closes the dialog', () => {
		keepRegistration({ userName: 'asha', mobile: '9876543210', domain: 'localhost' });
		const before = useRegistration.getState();
		expect([reload(), useRegistration.getState()]).toEqual(['verification', before]);
		closeDialog('login');
		expect([reload(), readStored('registration')]).toEqual([null, null]);
	});

	it('is gone after a reload once the server has forgotten it', () => {
		keepRegistration({ userName: 'asha', mobile: '9876543210', domain: 'localhost' });
		vi.useFakeTimers({ now: Date.now() + 31 * 60_000, toFake: ['Date'] });
		expect([reload(), readStored('registration')]).toEqual([null, null]);
		vi.useRealTimers();
	});

	it.each([
		['a name', { userName: '', mobile: '9876543210' }],
		['a mobile', { userName: 'asha', mobile: '' }],
	])('without %s leads back to the register form', (_, who) => {
		keepRegistration({ ...who, domain: 'localhost' });
		useDialogs.setState({ open: 'login', step: 'verification' });
		expect(registrationInProgress()).toBeNull();
		expect(useDialogs.getState()).toMatchObject({ open: 'login', step: 'register' });
	});
});
