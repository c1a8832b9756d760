/** The site's local storage under the keys of the product specification, section 3, and its use at the next visit. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOAST_LIMITS } from '#ui/toast.ts';
import { minorOf } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { clearStored, readStored, STORAGE_KEYS, writeStored } from '#web/api/storage.ts';
import { receiveBalance } from '#web/live/live.ts';
import { redirectForMaintenance } from '#web/routes/maintenance.ts';
import { takePageSetting, useBrand } from '#web/store/brand.ts';
import { lobbyQuery } from '#web/store/lobby-query.ts';
import { setShowExposure, togglePin, unpin, usePreferences } from '#web/store/preferences.ts';
import { useProfitLossChange } from '#web/store/profit-loss-change.ts';
import { openBetsQuery, profitLossQuery, sportTreeQuery, videoLinkQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { logIn, logOut, useSession } from '#web/store/session.ts';
import { pressPrice } from '#web/store/slip.ts';
import { watchPins } from '#web/store/sport-tree.ts';
import { showStoredAnswers } from '#web/store/stored-answers.ts';
import { useWallet } from '#web/store/wallet.ts';
import { betOn, endMatches, openTestMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

/** The product specification's list. */
const KEYS =
	'accessToken refresh_token expire_in expire_DateTime ip betslips betSlipData userinfo casinoToken OpenBets ProfitLoss balance exposure baseUrl domainSetting games tv TreeSportWithEvent'.split(
		' ',
	);

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	await endMatches(server);
	match = await openTestMatch(server);
});

beforeEach(() => writeStored('baseUrl', server.url));
afterEach(() => {
	logOut();
	queryClient.clear();
	clearStored();
	vi.unstubAllGlobals();
});

const enter = async (): Promise<void> => logIn(await call('loginAsDemoUser', {}));
const token = (): string => readStored('accessToken') ?? '';
const stored = (key: (typeof STORAGE_KEYS)[number]) => JSON.parse(readStored(key) ?? 'null');

/** Asks now, whatever is held. */
const ask = {
	tree: () => queryClient.fetchQuery({ ...sportTreeQuery(), staleTime: 0 }),
	openBets: () => queryClient.fetchQuery({ ...openBetsQuery(), staleTime: 0 }),
	profitLoss: () => queryClient.fetchQuery({ ...profitLossQuery(), staleTime: 0 }),
};

describe('local storage', () => {
	it('has every key of the specification after a login, a bet in the slip and a look at a match', async () => {
		expect([...STORAGE_KEYS]).toEqual(KEYS);
		const answer = await fetch(`${server.url}/domain-settings/localhost.json`);
		const { result } = (await answer.json()) as { result: object };
		const text = JSON.stringify({ ...result, baseUrl: server.url });
		vi.stubGlobal('document', { querySelector: () => ({ dataset: {}, textContent: text }) });
		takePageSetting();
		// Presets are stored for players who have saved some.
		const stakes = [{ title: '1k', value: minorOf(100_000) }];
		logIn({ ...(await call('loginAsDemoUser', {})), stakes });
		await Promise.all([ask.tree(), ask.openBets(), ask.profitLoss()]);
		await queryClient.fetchQuery(videoLinkQuery(match.eventId));
		pressPrice({
			eventId: match.eventId,
			eventTitle: 'India v Nepal',
			marketId: match.marketId,
			marketName: 'Match Odds',
			runnerId: match.runnerIds[0] as string,
			runnerName: 'India',
			side: 'BACK',
			quoting: 'ODDS',
			ladder: 'CLASSIC',
			price: 200 as never,
		});
		expect(KEYS.filter((key) => readStored(key as (typeof STORAGE_KEYS)[number]) === null)).toEqual([]);
		expect(stored('betSlipData')).toEqual([{ title: '1k', value: 1000 }]);
		const { games } = await queryClient.fetchQuery(lobbyQuery());
		expect(stored('games').map(({ code }: { code: string }) => code)).toEqual(games.map(({ code }) => code));
		logOut();
		expect(readStored('games')).toBeNull();
	});

	it('holds major units, as the server sends them', async () => {
		await enter();
		await call('placeBetV2', {
			...betOn(match, { clientRequestId: 'major-units-1' }),
			price: 300 as never,
			stake: minorOf(3333),
		});
		await ask.openBets();
		expect(stored('OpenBets').openBets[0]).toMatchObject({ stake: 33.33, price: 3 });
		expect([readStored('balance'), readStored('exposure')]).toEqual(['19966.67', '33.33']);
		expect(useWallet.getState()).toMatchObject({ balance: 1_996_667, exposure: 3333 });
	});
});

describe('the stored sport tree', () => {
	it('has each sport’s id as its order, and each event’s sport and favourite flag', async () => {
		const end = watchPins();
		const tree = await ask.tree();
		expect(tree.map(({ id, order }) => order === id)).not.toContain(false);
		expect(tree.map(({ order }) => order)).toEqual(
			tree.map(({ order }) => order).toSorted((one, other) => one - other),
		);
		const storedEvent = () =>
			stored('TreeSportWithEvent')
				.flatMap(({ events }: { events: { id: string }[] }) => events)
				.find(({ id }: { id: string }) => id === match.eventId);
		expect(storedEvent()).toMatchObject({ pin: false, sportId: 3, sportName: 'Cricket' });
		togglePin(match.eventId);
		expect(storedEvent()).toMatchObject({ pin: true });
		unpin([match.eventId]);
		expect(storedEvent()).toMatchObject({ pin: false });
		end();
	});
});

describe('a live balance', () => {
	it('changes the shown balance, the stored user info and the stored open bets', async () => {
		await enter();
		await ask.openBets();
		receiveBalance({ Balance: minorOf(1_500_050), Exposure: minorOf(20_000), Version: 1_000_000 });
		expect(useWallet.getState()).toMatchObject({ balance: 1_500_050, exposure: 20_000 });
		expect(useSession.getState().user).toMatchObject({ balance: 1_500_050, exposure: 20_000 });
		expect(stored('userinfo')).toMatchObject({ balance: 15_000.5, exposure: 200 });
		expect(stored('OpenBets')).toMatchObject({ balance: 15_000.5, exposure: 200 });
		expect([readStored('balance'), readStored('exposure')]).toEqual(['15000.5', '200']);
	});
});

describe('profit and loss', () => {
	it('mark the time of their last change', async () => {
		await enter();
		await ask.profitLoss();
		await ask.profitLoss();
		expect(useProfitLossChange.getState().changedAt).toBe(0);
		const layer = await server.demoPlayer();
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake: 100 }), layer.token);
		await server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token());
		const before = Date.now();
		await ask.profitLoss();
		expect(useProfitLossChange.getState().changedAt).toBeGreaterThanOrEqual(before);
	});
});

describe('the answers of the last visit', () => {
	const held = () => queryClient.getQueryData(openBetsQuery().queryKey);

	it('are shown until this visit’s come, in minor units and hundredths, and are stale at once', async () => {
		await enter();
		await call('placeBetV2', {
			...betOn(match, { clientRequestId: 'last-visit-01' }),
			price: 1000 as never,
			stake: minorOf(10_000),
		});
		await ask.openBets();
		queryClient.clear();
		showStoredAnswers();
		expect(held()?.openBets[0]).toMatchObject({ stake: 10_000, price: 1000 });
		expect(queryClient.getQueryState(openBetsQuery().queryKey)?.dataUpdatedAt).toBe(0);
	});

	it('are not shown where they are no answers, nor in place of one that is there', async () => {
		writeStored('OpenBets', '{"openBets":"many"}');
		showStoredAnswers();
		expect(held()).toBeUndefined();
		await enter();
		const answer = await ask.openBets();
		writeStored('OpenBets', JSON.stringify({ openBets: [], balance: 1, exposure: 1 }));
		showStoredAnswers();
		expect(held()).toEqual(answer);
	});
});

describe('a preference', () => {
	it('to hide the exposure is stored and read again', () => {
		setShowExposure(false);
		expect([readStored('showExposure'), usePreferences.getState().showExposure]).toEqual(['false', false]);
	});
});

describe('a suspended site', () => {
	const navigation = (pathname: string, preload = false) => ({ location: { pathname, href: pathname }, preload });
	let asked = 0;
	beforeEach(() => {
		asked = 0;
		vi.stubGlobal('location', { hostname: 'localhost' });
		vi.stubGlobal('navigator', { onLine: true });
		vi.stubGlobal('fetch', async () => {
			asked += 1;
			return new Response(null, { status: 304 });
		});
		useBrand.setState({ suspended: true, loaded: true });
	});
	afterEach(() => useBrand.setState({ suspended: false, loaded: false, setting: null }));

	it('asks for its setting again at every navigation, and leads it to the maintenance page', () => {
		for (const path of ['/matchlist/3', '/rules']) {
			expect(() => redirectForMaintenance(navigation(path))).toThrow(
				expect.objectContaining({ options: expect.objectContaining({ to: '/under-maintenance' }) }),
			);
		}
		expect(asked).toBe(2);
	});

	it('asks nothing when a link is only pointed at, and nothing on the maintenance page itself', () => {
		expect(() => redirectForMaintenance(navigation('/rules', true))).toThrow();
		redirectForMaintenance(navigation('/under-maintenance'));
		expect(asked).toBe(0);
	});

	it('leads back to where the visitor was when it opens again', () => {
		expect(() => redirectForMaintenance(navigation('/rules'))).toThrow();
		useBrand.setState({ suspended: false });
		expect(() => redirectForMaintenance(navigation('/under-maintenance'))).toThrow(
			expect.objectContaining({ options: expect.objectContaining({ href: '/rules' }) }),
		);
	});
});

describe('a toast', () => {
	it('stays 5 s, is one of 20 at most, and goes when it is dragged over 0.6 of its width', () => {
		expect(TOAST_LIMITS).toEqual({ autoClose: 5000, limit: 20, draggablePercent: 60 });
	});
});
