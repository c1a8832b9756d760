/** What happened in an account, in one timeline. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputOf } from '#contract/call.ts';
import { CALLS, type Calls } from '#contract/registry.ts';
import { checkReceipt, readReceipt } from '#public-log/receipt.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { answered, bearer, type Player, TestServer } from '../support/server.ts';
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

it('getActivity: success, acts of one instant in the order in which they happened, whatever the digits of their numbers', async () => {
	const player = await signUp(server);
	await server.database.db.query(
		`insert into journal (seq, at, actor, act, subject, outcome)
		 select seq, 1700000000000, 'player', 'STAKES_CHANGED', $1, 'done' from unnest($2::bigint[]) as seq`,
		[`player ${player.userId}`, [999_999, 1_000_000, 9_999_999, 10_000_000]],
	);
	const newestFirst = ['act-10000000', 'act-9999999', 'act-1000000', 'act-999999'];
	const asked = { kind: 'ACCOUNT', to: '2023-11-15T00:00:00.000Z' } as const;
	expect((await activity(player, asked)).items.map(({ id }) => id)).toEqual(newestFirst);
	const pages = await Promise.all(
		newestFirst.map((_, at) => activity(player, { ...asked, maxResultCount: '1', skipCount: String(at) })),
	);
	expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(newestFirst);
});

/** With the receipt, checked by the key of the house. */
async function confirmed({ token }: Player, id: string) {
	const clientRequestId = freshRequestId();
	const { path } = CALLS.getConfirmedActivity;
	const response = await fetch(`${server.url}/${path}?${new URLSearchParams({ id, clientRequestId })}`, {
		headers: { ...bearer(token), 'X-Receipt': 'yes' },
	});
	const { body } = await answered<object>(response);
	const key = (await (await fetch(`${server.url}/public-log/receipts-key`)).text()).trim();
	const receipt = readReceipt(response.headers.get('x-receipt') ?? '');
	const { statement } = checkReceipt(receipt, parseVerifierKey(key), JSON.stringify(body.result));
	return { result: body.result, statement, clientRequestId };
}

it('getConfirmedActivity: success, a deposit, a bet and a settlement as they stand, each with a receipt', async () => {
	const player = await busyPlayer();
	const [deposit] = (await activity(player, { kind: 'DEPOSIT' })).items;
	const ofDeposit = await confirmed(player, deposit?.id ?? '');
	expect(ofDeposit.result).toEqual(deposit);
	expect(ofDeposit.statement).toMatchObject({
		call: 'getConfirmedActivity',
		player: player.userId,
		clientRequestId: ofDeposit.clientRequestId,
	});
	const match = await openTestMatch(server);
	const other = await server.playPlayer();
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), other.token);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), player.token);
	const settlement = `settlement-${match.marketId}`;
	const asked = { id: settlement, clientRequestId: freshRequestId() };
	expect((await server.call('getConfirmedActivity', asked, player.token)).code).toBe('NOT_FOUND');
	await match.settle(0);
	const won = await confirmed(player, settlement);
	expect(won.result).toMatchObject({ kind: 'SETTLEMENT', amount: 196, reference: 'India v Nepal · Match Odds' });
	expect((await confirmed(other, settlement)).result).toMatchObject({ amount: -200 });
	const [bet] = (await activity(player, { kind: 'BET' })).items;
	expect((await confirmed(player, bet?.id ?? '')).result).toMatchObject({ kind: 'BET', what: 'WON', amount: 100 });
	// The rows of one player are none of another's.
	expect((await server.call('getConfirmedActivity', { ...asked, id: bet?.id ?? '' }, other.token)).code).toBe(
		'NOT_FOUND',
	);
});

it('getConfirmedActivity: refusal of a name that is none', async () => {
	const { token } = await server.demoPlayer();
	const asked = { id: 'bet 1', clientRequestId: freshRequestId() };
	expect((await server.raw('getConfirmedActivity', asked, token)).code).toBe('VALIDATION_FAILED');
});

it('getConfirmedActivity: not logged in', async () => {
	expect((await server.call('getConfirmedActivity', { id: 'bet-1', clientRequestId: freshRequestId() })).status).toBe(
		401,
	);
});

it('getActivity: refusal of a kind that is none', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.raw('getActivity', { kind: 'MOOD' }, token)).code).toBe('VALIDATION_FAILED');
});

it('getActivity: not logged in', async () => {
	expect((await server.call('getActivity', {})).status).toBe(401);
});
