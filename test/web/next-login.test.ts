/** Acts of several requests, in whose midst another player logs in, as from another tab. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Minor, minorOf } from '#values/money.ts';
import { priceAt } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import type { CallFailure } from '#web/api/failure.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { cancelBets, replaceBets } from '#web/orders/change-bets.ts';
import { editBet } from '#web/orders/edit-bet.ts';
import { setNoticeHandler } from '#web/store/notices.ts';
import { subscribePush, unsubscribePush } from '#web/store/push.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';
import { type User, useSession } from '#web/store/session.ts';
import { resetWallet, useWallet } from '#web/store/wallet.ts';

const bet = (betId: string) =>
	({
		betId,
		marketId: '7',
		runnerId: 'IND',
		side: 'BACK',
		price: priceAt(100),
		remainingStake: minorOf(500_00),
	}) as unknown as OpenBet;

/** The requests of the act, as the tokens with which they were sent. */
let asked: string[];
let answer: () => void;
let notices: string[];

function logInAs(name: string): void {
	writeStored('accessToken', name);
	useSession.setState(({ loginCount }) => ({ user: { userId: name } as User, loginCount: loginCount + 1 }));
}

beforeEach(() => {
	asked = [];
	notices = [];
	setNoticeHandler((text) => notices.push(text));
	vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
		if (/OpenBets|ProfitLoss/.test(url)) throw new Error('not of the act');
		asked.push(headers['Authorization'] ?? '');
		await new Promise<void>((resolve) => (answer = resolve));
		const result = { betId: '43', status: 'UNMATCHED', cancelledStake: 1, balance: 77, exposure: 0 };
		return new Response(JSON.stringify({ success: true, result }));
	});
	logInAs('Asha');
});
afterEach(() => {
	setNoticeHandler(() => undefined);
	useSession.setState(({ loginCount }) => ({ user: null, loginCount: loginCount + 1 }));
	clearStored();
	vi.unstubAllGlobals();
});

const other = { price: priceAt(101), stake: minorOf(800_00) };
const said = (amount: Minor) => `cancelled ${amount}`;
const ACTS = [
	['an edit of odds and stake', () => editBet(bet('42'), null, minorOf(500_00), other)],
	['a move of two bets on the ladder', () => replaceBets([bet('42'), bet('44')], other.price)],
	['a cancellation of two bets', () => cancelBets([bet('42'), bet('44')], said)],
] as const;

it.each(ACTS)('%s is two requests of its player', async (_, act) => {
	const acted = act();
	for (const count of [1, 2]) {
		await vi.waitFor(() => expect(asked).toHaveLength(count));
		answer();
	}
	await acted;
	expect(asked).toEqual(['Bearer Asha', 'Bearer Asha']);
});

it.each(ACTS)('%s ends with its login, and the next player hears nothing of it', async (_, act) => {
	const acted = act();
	await vi.waitFor(() => expect(asked).toHaveLength(1));
	logInAs('Bina');
	resetWallet(minorOf(500), minorOf(0));
	answer();
	await acted;
	expect(asked).toEqual(['Bearer Asha']);
	expect([useWallet.getState().balance, notices]).toEqual([500, []]);
});

it('a receipt whose picture was stored by one player is not reported by the next', async () => {
	const step = stepsOfLogin();
	expect(await step(async () => 'stored')).toBe('stored');
	logInAs('Bina');
	const report = vi.fn(async () => 'reported');
	await expect(step(report)).rejects.toThrow('Request aborted');
	expect(report).not.toHaveBeenCalled();
});

it('chips that one player saves are not those of the next, and the next hears nothing of them', async () => {
	const saved = call('addUserStake', { stakes: [] }).then(
		() => 'answered',
		({ code }: CallFailure) => code,
	);
	await vi.waitFor(() => expect(asked).toEqual(['Bearer Asha']));
	logInAs('Bina');
	answer();
	expect(await saved).toBe('ABORTED');
});

describe('notifications that one player turns on or off while the next logs in', () => {
	const endpoint = 'https://push.example/1';
	const subscription = { endpoint, getKey: () => null, unsubscribe: vi.fn(async () => true) };
	/** Lets the browser answer. */
	let allow: () => void;
	beforeEach(() => {
		const allowed = new Promise<void>((resolve) => (allow = resolve));
		const pushManager = { getSubscription: async () => subscription, subscribe: async () => subscription };
		const registration = allowed.then(() => ({ pushManager }));
		vi.stubGlobal('Notification', { requestPermission: () => allowed.then(() => 'granted') });
		vi.stubGlobal('navigator', { serviceWorker: { ready: registration, getRegistration: () => registration } });
		Object.assign(subscription, { options: { applicationServerKey: null } });
		subscription.unsubscribe.mockClear();
	});

	it.each([
		['on', () => subscribePush('')],
		['off', () => unsubscribePush()],
	] as const)('are not turned %s for the next', async (_, turn) => {
		const turned = turn();
		logInAs('Bina');
		allow();
		await expect(turned).rejects.toThrow('Request aborted');
		expect(asked).toEqual([]);
	});

	it('stay the browser’s where the server has forgotten them for the one before', async () => {
		const turned = unsubscribePush();
		allow();
		await vi.waitFor(() => expect(asked).toEqual(['Bearer Asha']));
		logInAs('Bina');
		answer();
		await expect(turned).rejects.toThrow('Request aborted');
		expect(subscription.unsubscribe).not.toHaveBeenCalled();
	});
});
