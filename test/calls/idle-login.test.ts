/** Under a profile that asks for it, a player who moved no money for half an hour gives the password before money moves. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Call, takesRequestId } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { MINUTE_MS } from '#values/time.ts';
import { StreamClient } from '../bots-api/stream-client.ts';
import { betOf, StudioSite } from '../providers/studio-site.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, STREAM, TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { validInput } from '../support/valid-input.ts';

const IDLE_MS = 30 * MINUTE_MS;

let site: StudioSite;
let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	site = await StudioSite.open(undefined, { stream: STREAM });
	({ server } = site);
	match = await openTestMatch(server);
});
afterAll(async () => {
	await site.close();
	vi.useRealTimers();
});

const now = () => server.running.exchange.now();
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
}
async function switchTo(profile: ProfileName): Promise<void> {
	await server.running.brands.chooseProfile('localhost', { profile, fromMs: now() + 10_000 }, now());
	pass(10_001);
}

/** The page keeps its login alive, as it does while it is open. */
async function refresh(player: Player): Promise<void> {
	const { accessToken, refreshToken } = await server.result('refreshToken', { refreshToken: player.refreshToken });
	Object.assign(player, { token: accessToken, refreshToken });
}
/** @param ms through which the page is open, and the player does nothing */
async function idle(player: Player, ms: number): Promise<void> {
	for (let left = ms; left > 0; left -= 20 * MINUTE_MS) {
		pass(Math.min(left, 20 * MINUTE_MS));
		await refresh(player);
	}
}
const bet = async ({ token }: Player, input = betOn(match)) => await server.call('placeBetV2', input, token);
const confirm = async ({ token }: Player, password = PASSWORD) =>
	(await server.call('confirmPassword', { password }, token)).code;

it('confirmPassword: success, a bet that an idle player was refused goes on with the same request, once', async () => {
	const player = await signUp(server);
	// Play money asks for nothing.
	await idle(player, 2 * IDLE_MS);
	expect((await bet(player)).code).toBeNull();
	await switchTo('malta');
	await idle(player, IDLE_MS - 20_000);
	const asked = betOn(match);
	expect((await bet(player, asked)).code).toBeNull();
	await idle(player, IDLE_MS);
	const before = server.money(player);
	const again = betOn(match);
	const refused = await Promise.all([bet(player, again), bet(player, again), bet(player)]);
	expect(refused.map(({ status, code }) => [status, code])).toEqual([0, 1, 2].map(() => [403, 'PASSWORD_NEEDED']));
	expect(await confirm(player, `not ${PASSWORD}`)).toBe('WRONG_PASSWORD');
	expect((await bet(player, again)).code).toBe('PASSWORD_NEEDED');
	expect(server.money(player)).toEqual(before);
	expect(await confirm(player)).toBeNull();
	const bets = await Promise.all([bet(player, again), bet(player, again)]);
	expect(new Set(bets.map(({ body }) => body.result?.betId)).size).toBe(1);
	expect(server.money(player)[0]).toBe(before[0] - 100);
	// Cancelling moves no money, and neither does looking.
	await idle(player, IDLE_MS);
	const cancel = { betId: bets[0]?.body.result?.betId ?? '', clientRequestId: freshRequestId() };
	expect((await server.call('cancelBet', cancel, player.token)).code).toBeNull();
	expect((await bet(player)).code).toBe('PASSWORD_NEEDED');
	await switchTo('play');
	expect((await bet(player)).code).toBeNull();
});

it('confirmPassword: refusal of a wrong password and of demo players, who have none', async () => {
	expect(await confirm(await signUp(server), 'wrong')).toBe('WRONG_PASSWORD');
	expect(await confirm(await server.demoPlayer())).toBe('FORBIDDEN');
});

it('confirmPassword: not logged in', async () => {
	expect((await server.call('confirmPassword', { password: PASSWORD })).code).toBe('NOT_LOGGED_IN');
});

it('asks before each call that moves money, also one that would be refused, and never asks demo players', async () => {
	await switchTo('malta');
	const [player, demo] = [await signUp(server), await server.demoPlayer()];
	for (const ms of [20 * MINUTE_MS, 20 * MINUTE_MS]) {
		pass(ms);
		await refresh(player);
		await refresh(demo);
	}
	const moving = (Object.keys(CALLS) as CallName[]).filter((name) => (CALLS[name] as Call).movesMoney);
	const details = { method: 'UPI', upiId: 'asha@bank' };
	const withdrawal = { amount: 500, details, clientRequestId: freshRequestId() };
	// Fields that have a form by their kind.
	const given: Partial<Record<CallName, object>> = {
		createWithdrawal: withdrawal,
		placePlan: {
			marketId: '1',
			runnerId: '1',
			side: 'BACK',
			price: 2,
			stake: 100,
			plan: { kind: 'PEG' },
			clientRequestId: freshRequestId(),
		},
		createRequestForDepositWithdrawal: { type: 'WITHDRAWAL', ...withdrawal },
	};
	const codeOf = async (name: CallName, { token }: Player) => {
		const input = given[name] ?? validInput(CALLS[name].request);
		return (await server.raw(name, input, token)).code;
	};
	for (const name of moving) {
		expect([name, await codeOf(name, player)]).toEqual([name, 'PASSWORD_NEEDED']);
		expect([name, await codeOf(name, demo)]).not.toEqual([name, 'PASSWORD_NEEDED']);
	}
	// A call with a request id moves money, or takes back what moved it, or moves none by its purpose.
	const others = (Object.keys(CALLS) as CallName[]).filter(
		(name) => takesRequestId(CALLS[name]) && !moving.includes(name),
	);
	expect(others.toSorted()).toEqual(
		[
			'cancelAll',
			'cancelBet',
			'cancelTrigger',
			'cashOutCrash',
			'getConfirmedActivity',
			'openTicket',
			'writeTicket',
			'submitDocument',
		].toSorted(),
	);
	await switchTo('play');
});

it('ends a provider’s game for an idle player until the password is given', async () => {
	const player = await signUp(server);
	const session = await site.session(player);
	await switchTo('malta');
	expect((await site.ask('bet', betOf(session))).status).toBe('OK');
	await idle(player, IDLE_MS - 60_000);
	const last = betOf(session);
	expect((await site.ask('bet', last)).status).toBe('OK');
	await idle(player, IDLE_MS);
	expect((await site.ask('bet', betOf(session))).status).toBe('TOKEN_EXPIRED');
	// A repetition of what was taken is answered as before.
	expect((await site.ask('bet', last)).status).toBe('OK');
	expect(await confirm(player)).toBeNull();
	await switchTo('play');
});

it('asks a bot that was silent as long to log in again; a keep-alive is a sign of it', async () => {
	const player = await signUp(server);
	const asked = { name: 'bot', mayTrade: true, addresses: [], callsPerSecond: 10, password: PASSWORD };
	const { appKey } = await server.result('createApiKey', asked, player.token);
	const ask = async (path: string, more: Record<string, string>, body?: string) => {
		const headers = { 'X-Application': appKey, ...more };
		const answer = await fetch(`${server.url}/api/${path}`, { method: 'POST', headers, ...(body ? { body } : {}) });
		return (await answer.json()) as { token: string; status: string };
	};
	const form = new URLSearchParams({ username: player.userName, password: PASSWORD }).toString();
	const logIn = async () => (await ask('login', { 'Content-Type': 'application/x-www-form-urlencoded' }, form)).token;
	const keepAlive = async (token: string) => (await ask('keepAlive', { 'X-Authentication': token })).status;
	await switchTo('malta');
	const token = await logIn();
	for (let time = 0; time < 3; time++) {
		pass(IDLE_MS - MINUTE_MS);
		expect(await keepAlive(token)).toBe('SUCCESS');
	}
	pass(IDLE_MS);
	expect(await keepAlive(token)).toBe('FAIL');
	expect(await keepAlive(await logIn())).toBe('SUCCESS');
	const session = await logIn();
	const stream = await StreamClient.open(server);
	onTestFinished(() => stream.close());
	stream.say({ op: 'authentication', id: 1, appKey, session });
	expect(await stream.line(({ id }) => id === 1)).toMatchObject({ statusCode: 'SUCCESS' });
	// The server's looks at the open connection are no signs of the bot, whose lines are.
	const looks = vi.spyOn(server.running.players.apiKeys, 'find');
	const passLookedAt = async (ms: number) => {
		pass(ms);
		looks.mockClear();
		await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(0);
	};
	await passLookedAt(20 * MINUTE_MS);
	stream.say({ op: 'heartbeat', id: 2 });
	expect(await stream.line(({ id }) => id === 2)).toMatchObject({ statusCode: 'SUCCESS' });
	await passLookedAt(20 * MINUTE_MS);
	expect(stream.ended).toBe(false);
	pass(10 * MINUTE_MS);
	await stream.end();
	expect(await keepAlive(session)).toBe('FAIL');
	await switchTo('play');
	expect(await keepAlive(token)).toBe('SUCCESS');
});

it.each([1, 2, 3])(
	'agrees with a slow reading of the rule through switches, jumps, restarts of the page and requests at once, seed %s',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const player = await signUp(server);
		let activeAtMs = now();
		let profile: ProfileName = 'play';
		for (let turn = 0; turn < 25; turn++) {
			const act = numbers.from(['bet', 'bet', 'pass', 'pass', 'password', 'profile', 'back'] as const);
			if (act === 'pass') await idle(player, numbers.from([MINUTE_MS, 20 * MINUTE_MS, 31 * MINUTE_MS]));
			else if (act === 'profile') {
				profile = numbers.from(['play', 'malta', 'uk'] as const);
				await switchTo(profile);
			} else if (act === 'back') {
				// The wall clock is set back, and the exchange's goes on.
				vi.setSystemTime(Date.now() - numbers.below(IDLE_MS));
				server.running.funds.ledger.now();
			} else if (act === 'password') {
				expect(await confirm(player)).toBeNull();
				activeAtMs = now();
			} else {
				const isIdle = profile === 'malta' && now() - activeAtMs >= IDLE_MS;
				const codes = (await Promise.all([bet(player), bet(player)])).map(({ code }) => code);
				expect([turn, codes]).toEqual([turn, Array(2).fill(isIdle ? 'PASSWORD_NEEDED' : null)]);
				if (!isIdle) activeAtMs = now();
			}
		}
		await switchTo('play');
	},
);

it('knows after a restart when a player was active last, though the last minutes before are not written', async () => {
	const own = await TestServer.start();
	onTestFinished(() => own.dispose());
	const player = await signUp(own);
	const there = await openTestMatch(own);
	const begin = own.running.exchange.now();
	await own.running.brands.chooseProfile('localhost', { profile: 'malta', fromMs: begin + 1 }, begin);
	vi.advanceTimersByTime(10 * MINUTE_MS);
	own.running.funds.ledger.now();
	const place = async (at: TestServer) => (await at.call('placeBetV2', betOn(there), player.token)).code;
	expect(await place(own)).toBeNull();
	await own.stop();
	vi.advanceTimersByTime(19 * MINUTE_MS);
	const later = await TestServer.start(own.database);
	onTestFinished(() => later.stop());
	const { accessToken } = await later.result('refreshToken', { refreshToken: player.refreshToken });
	player.token = accessToken;
	expect(await place(later)).toBeNull();
	vi.advanceTimersByTime(29 * MINUTE_MS);
	later.running.funds.ledger.now();
	expect(await place(later)).toBeNull();
});
