/** Two tabs of one browser: one slip, whichever of them changes it, and each hears of the other's changes only later. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Login } from '#web/api/answers.ts';
import { keyOf } from '#web/betting/selection.ts';
import { PICKED } from '../support/selection.ts';

/** The storage that both tabs share, and what each has still to hear of the other. */
const held = new Map<string, string>();
let toHear: { key: string | null; from: Tab }[] = [];
/** The tab whose code runs now. */
let now: Tab;

interface Tab {
	onStorage: ((event: { key: string | null }) => void)[];
	slip: typeof import('#web/store/slip.ts');
	session: typeof import('#web/store/session.ts');
	placeSelection: typeof import('#web/orders/place-selection.ts')['placeSelection'];
}
let one: Tab;
let other: Tab;

async function openTab(): Promise<Tab> {
	vi.resetModules();
	now = { onStorage: [] } as unknown as Tab;
	const tab = now;
	tab.session = await import('#web/store/session.ts');
	tab.slip = await import('#web/store/slip.ts');
	tab.placeSelection = (await import('#web/orders/place-selection.ts')).placeSelection;
	const { watchSlip } = await import('#web/store/slip-elsewhere.ts');
	tab.session.restoreSession();
	tab.session.watchOtherTabs();
	watchSlip();
	return tab;
}

function inTab<Result>(tab: Tab, act: () => Result): Result {
	now = tab;
	return act();
}

function hear(): void {
	for (const { key, from } of toHear.splice(0)) {
		const tab = from === one ? other : one;
		for (const listener of tab.onStorage) inTab(tab, () => listener({ key }));
	}
}

const pick = (tab: Tab, runnerId: string) =>
	inTab(tab, () => tab.slip.pressPrice({ ...PICKED, runnerId, runnerName: runnerId }));
const keyOfRunner = (runnerId: string) => keyOf({ ...PICKED, runnerId });
const stake = (tab: Tab, runnerId: string, typed: string) =>
	inTab(tab, () => tab.slip.setStake(keyOfRunner(runnerId), typed));
/** Runner, stake and state of each selection, the runners in order. */
const inSlip = (tab: Tab) =>
	tab.slip.useSlip
		.getState()
		.selections.map((selection) => `${selection.runnerId} ${selection.stake} ${selection.phase.kind}`)
		.sort();
const both = () => [inSlip(one), inSlip(other)];

/** Answers the next request for a bet. */
let answer: (body: object) => void;
let asked: string[];

const login = (userId: string): Login => ({
	...({ userIp: '127.0.0.1', casinoToken: '', stakes: [], language: null, refreshToken: 'again' } as unknown as Login),
	accessToken: `token of ${userId}`,
	expireInSeconds: 3600,
	preferences: { pinnedEvents: [], showBalance: null, showExposure: null, oddsFormat: null, theme: null },
	user: {
		...({ isDemo: false, pool: 'REAL', balance: 0, exposure: 0, currency: 'INR' } as unknown as Login['user']),
		football: true,
		tennis: true,
		cricket: true,
		kabaddi: true,
		horseRacing: true,
		trade: true,
		userId,
		userName: userId,
	},
});

beforeEach(async () => {
	held.clear();
	toHear = [];
	asked = [];
	vi.stubGlobal('localStorage', {
		getItem: (key: string) => held.get(key) ?? null,
		setItem(key: string, value: string) {
			if (held.get(key) !== value) toHear.push({ key, from: now });
			held.set(key, value);
		},
		removeItem(key: string) {
			if (held.delete(key)) toHear.push({ key, from: now });
		},
		clear() {
			held.clear();
			toHear.push({ key: null, from: now });
		},
	});
	vi.stubGlobal('addEventListener', (_: string, listener: Tab['onStorage'][number]) => now.onStorage.push(listener));
	vi.stubGlobal('fetch', (url: string, { body }: { body: string }) => {
		if (!url.includes('PlaceBet')) return Promise.reject(new Error('no network'));
		asked.push(JSON.parse(body).clientRequestId);
		return new Promise((resolve) => {
			answer = (result) => resolve(new Response(JSON.stringify(result)));
		});
	});
	one = await openTab();
	inTab(one, () => one.session.logIn(login('Asha')));
	other = await openTab();
	toHear = [];
});
afterEach(() => {
	for (const tab of [one, other]) inTab(tab, () => tab.session.logOut());
	vi.unstubAllGlobals();
});

/** A bet of 500 on India that both tabs show, placed in the first; its answer is on its way. */
async function placing(): Promise<{ placed: Promise<unknown> }> {
	pick(one, 'IND');
	stake(one, 'IND', '500');
	hear();
	const placed = inTab(one, () => one.placeSelection(keyOfRunner('IND')));
	await vi.waitFor(() => expect(asked).toHaveLength(1));
	return { placed };
}
const PLACED = { success: true, result: { betId: '42', status: 'UNMATCHED', balance: 1, exposure: 0 } };
const REFUSED = { success: false, error: { code: 'INSUFFICIENT_FUNDS', message: 'Too much.' } };

it('both show what either has taken into the slip, before and after they hear of each other', () => {
	pick(one, 'IND');
	pick(other, 'NEP');
	expect(inSlip(other)).toEqual(['IND  editing', 'NEP  editing']);
	hear();
	expect(both()).toEqual([inSlip(other), inSlip(other)]);
	pick(one, 'NEP');
	hear();
	expect(both()).toEqual([['IND  editing'], ['IND  editing']]);
});

it('a stake that is typed in one stays where the other changes the slip between two keys', () => {
	pick(one, 'IND');
	hear();
	stake(other, 'IND', '5');
	pick(one, 'NEP');
	stake(other, 'IND', '50');
	hear();
	expect(both()).toEqual([
		['IND 50 editing', 'NEP  editing'],
		['IND 50 editing', 'NEP  editing'],
	]);
});

it('a placed bet leaves both, and its outcome is said where it was placed', async () => {
	const { placed } = await placing();
	pick(other, 'NEP');
	inTab(one, () => answer(PLACED));
	await placed;
	hear();
	expect(both()).toEqual([['IND 500 placed', 'NEP  editing'], ['NEP  editing']]);
});

it('a bet that is in flight in one is sent again from the other as the same request only', async () => {
	const { placed } = await placing();
	hear();
	expect(inSlip(other)).toEqual(['IND 500 unknown']);
	const first = answer;
	const again = inTab(other, () => other.placeSelection(keyOfRunner('IND')));
	await vi.waitFor(() => expect(asked).toHaveLength(2));
	expect(asked[1]).toBe(asked[0]);
	inTab(one, () => first(PLACED));
	await placed;
	hear();
	inTab(other, () => answer(PLACED));
	await again;
	hear();
	expect(both()).toEqual([['IND 500 placed'], ['IND 500 placed']]);
	expect(held.has('betslips')).toBe(false);
});

it('a refused bet can be edited in both, and says why where it was placed', async () => {
	const { placed } = await placing();
	hear();
	inTab(one, () => answer(REFUSED));
	await placed;
	hear();
	pick(other, 'NEP');
	hear();
	expect(both()).toEqual([
		['IND 500 editing', 'NEP  editing'],
		['IND 500 editing', 'NEP  editing'],
	]);
	expect(one.slip.selectionOf(keyOfRunner('IND'))?.phase).toMatchObject({ refusal: 'Too much.' });
});

it('a press in a tab that has not heard yet places nothing that was placed or changed in the other', async () => {
	pick(one, 'IND');
	stake(one, 'IND', '500');
	hear();
	stake(one, 'IND', '700');
	const placed = inTab(one, () => one.placeSelection(keyOfRunner('IND')));
	await vi.waitFor(() => expect(asked).toHaveLength(1));
	inTab(one, () => answer(PLACED));
	await placed;
	await inTab(other, () => other.placeSelection(keyOfRunner('IND')));
	expect(asked).toHaveLength(1);
	expect(inSlip(other)).toEqual([]);
});

it('a tab that hears late of a log-out takes nothing from the next player, whose slip it then shows', () => {
	pick(one, 'IND');
	hear();
	inTab(one, () => {
		one.session.logOut();
		one.session.logIn(login('Bina'));
	});
	pick(one, 'NEP');
	hear();
	expect(other.session.useSession.getState().user?.userId).toBe('Bina');
	expect(both()).toEqual([['NEP  editing'], ['NEP  editing']]);
});

it('a slip of another release, which cannot be read, takes nothing from the page', () => {
	pick(one, 'IND');
	hear();
	held.set('betslips', '[{"marketId":"7"}]');
	toHear.push({ key: 'betslips', from: one });
	hear();
	expect(inSlip(other)).toEqual(['IND  editing']);
});
