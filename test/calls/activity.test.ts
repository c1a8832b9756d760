/** What happened in an account, in one timeline. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { cookiesAfterLogin, PASSWORD, signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	// No payment ends while the test looks.
	const payments = { orderMs: 300_000, simulatedDelayMs: 300_000, pollMs: 300_000, webhookKeys: {} };
	server = await TestServer.start(undefined, { payments });
});
afterAll(() => server.dispose());

const activity = ({ token }: Player, filter: InputOf<Calls['getActivity']> = {}) =>
	server.result('getActivity', filter, token);
const kindsOf = ({ items }: Awaited<ReturnType<typeof activity>>) => items.map(({ kind, what }) => `${kind} ${what}`);

/** A player who did one thing of each kind, one after the other. */
async function busyPlayer() {
	const player = await signUp(server);
	const { token } = player;
	const wrong = { userNameOrEmailAddress: player.userName, password: 'wrong' };
	expect((await server.call('authenticate', wrong)).code).toBe('WRONG_CREDENTIALS');
	await cookiesAfterLogin(server, player.userName, await cookiesAfterLogin(server, player.userName));
	const newPassword = `${PASSWORD}1`;
	const change = { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword };
	await server.result('changePassword', change, token);
	await server.result('setLimits', { stake: 500 }, token);
	const key = { name: 'my bot', mayTrade: true, addresses: [], callsPerSecond: 20, password: newPassword };
	await server.result('createApiKey', key, token);
	await server.result('generatePayment', { amount: 300, clientRequestId: freshRequestId() }, token);
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { price: 5, stake: 70 }), token);
	const round = { game: 'dice', bets: [{ bet: 'under-5000', stake: 10 }], clientRequestId: randomUUID() };
	await server.result('getSeeds', {}, token);
	await server.beginSeeds(player);
	await server.result('playRound', round, token);
	return player;
}

it('getActivity: success, each thing once, newest first, and nothing of others', async () => {
	const [player] = [await busyPlayer(), await busyPlayer()];
	const all = await activity(player);
	expect(all.items.map(({ at }) => at)).toEqual(
		all.items
			.map(({ at }) => at)
			.toSorted()
			.toReversed(),
	);
	expect(new Set(all.items.map(({ id }) => id)).size).toBe(all.totalCount);
	expect(
		kindsOf(all)
			.filter((one) => !one.startsWith('ROUND') && !one.startsWith('DEPOSIT'))
			.toSorted(),
	).toEqual([
		'ACCOUNT PASSWORD_CHANGED',
		'API_KEY API_KEY_CREATED',
		'BET OPEN',
		'CLAIM GIVEN',
		'DEVICE NEW',
		'DEVICE NEW',
		'LIMIT LIMITS_SET',
		'LOGIN FAILURE',
		'LOGIN SUCCESS',
		'LOGIN SUCCESS',
		'LOGIN SUCCESS',
	]);
	const [bet] = (await activity(player, { kind: 'BET' })).items;
	expect(bet).toMatchObject({ amount: 70, reference: 'India v Nepal · Match Odds', userIp: null });
	const [round] = (await activity(player, { kind: 'ROUND' })).items;
	expect(round).toMatchObject({ amount: 10, reference: 'dice', what: 'SETTLED' });
	expect((await activity(player, { kind: 'DEPOSIT' })).items).toMatchObject([{ amount: 300 }]);
	expect((await activity(player, { kind: 'API_KEY' })).items).toMatchObject([{ reference: 'my bot' }]);
});

it('getActivity: success, in pages and between two times', async () => {
	const player = await busyPlayer();
	const { items, totalCount } = await activity(player);
	const pages = await Promise.all(
		items.map((_, at) => activity(player, { maxResultCount: '1', skipCount: String(at) })),
	);
	expect(pages.flatMap((page) => page.items)).toEqual(items);
	const [newest] = items;
	const since = await activity(player, { from: newest?.at ?? '' });
	expect(since.items).toEqual(items.filter(({ at }) => at >= (newest?.at ?? '')));
	expect((await activity(player, { to: '2020-01-01T00:00:00.000Z' })).totalCount).toBe(0);
	expect(totalCount).toBe(items.length);
});

it('getActivity: refusal of a kind that is none', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.raw('getActivity', { kind: 'MOOD' }, token)).code).toBe('VALIDATION_FAILED');
});

it('getActivity: not logged in', async () => {
	expect((await server.call('getActivity', {})).status).toBe(401);
});
