/** Wrong passwords lock an account under a profile that says so; a code to the proven mobile or an operator unlocks it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ProfileName } from '#values/profile-names.ts';
import { MINUTE_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { askFrom } from '../support/asking.ts';
import { TestServer } from '../support/server.ts';
import { codeSentTo, PASSWORD, signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	server = await TestServer.start(undefined, { trustedProxies: ['127.0.0.1'] });
	await switchTo('malta');
});
afterAll(async () => {
	await server.dispose();
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

const logIn = async (userNameOrEmailAddress: string, password = PASSWORD) =>
	await server.call('authenticate', { userNameOrEmailAddress, password });
const code = async (name: string, password = PASSWORD) => (await logIn(name, password)).code;
const wrong = (name: string) => code(name, 'a wrong one');
const unlock = async (name: string, otp: string) =>
	(await server.call('unlockAccount', { userNameOrEmailAddress: name, otp })).code;
/** Of two codes that are sent in one step of the clock, none is the newer one. */
function askForCode(name: string) {
	pass(1);
	return server.result('sendUnlockCode', { userNameOrEmailAddress: name });
}
async function lock(name: string): Promise<void> {
	for (let time = 0; time < 3; time++) await wrong(name);
	expect(await code(name)).toBe('ACCOUNT_LOCKED');
}

it('unlockAccount: success, by the code of the mobile, after three wrong passwords in half an hour locked the account', async () => {
	const { userName, mobile, refreshToken } = await signUp(server);
	expect([await wrong(userName), await wrong(userName)]).toEqual(['WRONG_CREDENTIALS', 'WRONG_CREDENTIALS']);
	// The count begins again after a right password, and after half an hour.
	expect(await code(userName)).toBeNull();
	await wrong(userName);
	await wrong(userName);
	pass(30 * MINUTE_MS);
	await wrong(userName);
	expect(await code(userName)).toBeNull();
	await lock(userName);
	for (let time = 0; time < 3; time++) expect(await wrong('nobody-of-that-name')).toBe('WRONG_CREDENTIALS');
	expect(await wrong('nobody-of-that-name')).toBe('ACCOUNT_LOCKED');
	// Who is in stays in, and time alone unlocks nothing.
	expect((await server.call('refreshToken', { refreshToken })).code).toBeNull();
	pass(60 * MINUTE_MS);
	expect(await code(userName)).toBe('ACCOUNT_LOCKED');
	await askForCode(userName);
	await askForCode('nobody-of-that-name');
	const otp = await codeSentTo(server, mobile);
	const unlocked = await Promise.all([unlock(userName, otp), unlock(userName, otp)]);
	expect(unlocked.toSorted()).toEqual(['WRONG_CODE', null]);
	expect(await code(userName)).toBeNull();
});

it('sendUnlockCode: success, alike for a name without an account and one that is not locked, which get none', async () => {
	const [{ userName, mobile }, other] = [await signUp(server), await signUp(server)];
	const sent = async (to: string) => await codeSentTo(server, to);
	const before = [await sent(mobile), await sent(other.mobile)];
	await lock(userName);
	const answers = await Promise.all([userName, other.userName, 'nobody-of-a-name'].map(askForCode));
	expect(answers).toEqual([null, null, null]);
	expect(await sent(mobile)).not.toBe(before[0]);
	expect(await sent(other.mobile)).toBe(before[1]);
});

it('sendUnlockCode: refusal of a sixth code in an hour, whether or not there is an account', async () => {
	const { userName } = await signUp(server);
	await lock(userName);
	for (const name of [userName, 'nobody-at-all']) {
		for (let time = 0; time < 5; time++) await askForCode(name);
		expect((await server.call('sendUnlockCode', { userNameOrEmailAddress: name })).code).toBe('THROTTLED');
	}
});

it('unlockAccount: success for the owner, however often a stranger asked for codes and guessed', async () => {
	const { userName, mobile } = await signUp(server);
	await lock(userName);
	const named = { userNameOrEmailAddress: userName };
	const [stranger, owner] = ['192.0.2.9', '203.0.113.9'];
	const ask = (address: string) => {
		pass(1);
		return askFrom(server, address, 'sendUnlockCode', named);
	};
	const give = async (address: string, otp: string, cookie = '') =>
		(await askFrom(server, address, 'unlockAccount', { ...named, otp }, cookie)).code;
	for (let asked = 0; asked < 5; asked++) {
		const { cookie } = await ask(stranger);
		const guesses = Array.from({ length: 5 }, () => give(stranger, '000000', cookie));
		expect(new Set(await Promise.all(guesses))).toEqual(new Set(['WRONG_CODE']));
	}
	expect((await ask(stranger)).code).toBe('THROTTLED');
	const { code: refusal, cookie } = await ask(owner);
	expect(refusal).toBeNull();
	const otp = await codeSentTo(server, mobile);
	for (let tries = 0; tries < 5; tries++) expect(await give(stranger, '000000')).toBe('WRONG_CODE');
	expect(await give(owner, otp, cookie)).toBeNull();
	expect(await code(userName)).toBeNull();
});

it('unlockAccount: refusal of codes for other purposes, of guesses, and of a sixth try of the right one', async () => {
	const { userName, mobile } = await signUp(server);
	await lock(userName);
	expect(await unlock(userName, await codeSentTo(server, mobile))).toBe('WRONG_CODE');
	await askForCode(userName);
	const otp = await codeSentTo(server, mobile);
	const guesses = ['000000', '000001', '000002', '000003', '000004'].map((guess) => unlock(userName, guess));
	expect(new Set(await Promise.all(guesses))).toEqual(new Set(['WRONG_CODE']));
	expect(await unlock(userName, otp)).toBe('WRONG_CODE');
	expect(await unlock('nobody-of-the-name', otp)).toBe('WRONG_CODE');
	expect(await code(userName)).toBe('ACCOUNT_LOCKED');
});

it('has no more passwords tried at once than in turn, by log-ins, bots and confirmations together', async () => {
	const { userName, token } = await signUp(server);
	const tries = await Promise.all([
		...Array.from({ length: 6 }, () => wrong(userName)),
		...Array.from({ length: 6 }, async () => (await server.call('confirmPassword', { password: 'no' }, token)).code),
	]);
	const checked = tries.filter((one) => one === 'WRONG_CREDENTIALS' || one === 'WRONG_PASSWORD');
	expect(checked).toHaveLength(3);
	expect(await code(userName)).toBe('ACCOUNT_LOCKED');
});

it('is unlocked by an operator, who sees it, once; and each lock and unlocking is in the journal', async () => {
	const { userName, userId } = await signUp(server);
	const playerId = String(userId);
	const shown = async () =>
		(await server.act<{ protection: { what: string }[] }>('player', { playerId })).protection.map(({ what }) => what);
	expect(await shown()).not.toContain('locked');
	await lock(userName);
	expect(await shown()).toContain('locked');
	const asked = { playerId, reason: 'called, and knew the account' };
	expect((await server.operator('player-unlock', asked)).code).toBeNull();
	expect((await server.operator('player-unlock', asked)).code).toBe('WRONG_STATE');
	expect(await code(userName)).toBeNull();
	const { rows } = await server.database.db.query<{ act: string }>(
		"select act from journal where subject = $1 and act like 'ACCOUNT_%' order by seq",
		[`player ${userId}`],
	);
	expect(rows.map(({ act }) => act)).toEqual(['ACCOUNT_LOCKED', 'ACCOUNT_UNLOCKED']);
});

it('stays locked over a restart, which forgets no failure either, and locks nothing in play money', async () => {
	const [locked, tried] = [await signUp(server), await signUp(server)];
	await lock(locked.userName);
	await wrong(tried.userName);
	await wrong(tried.userName);
	await server.stop();
	server = await TestServer.start(server.database);
	expect(await code(locked.userName)).toBe('ACCOUNT_LOCKED');
	await wrong(tried.userName);
	expect(await code(tried.userName)).toBe('ACCOUNT_LOCKED');
	await switchTo('play');
	expect([await code(locked.userName), await code(tried.userName)]).toEqual([null, null]);
	const { userName } = await signUp(server);
	for (let time = 0; time < 6; time++) await wrong(userName);
	expect(await code(userName)).toBeNull();
	await switchTo('malta');
});

it.each([1, 2])(
	'agrees with a slow count of failures through random attempts, times and switches, seed %s',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const { userName, userId } = await signUp(server);
		let failed: number[] = [];
		let isLocked = false;
		let profile: ProfileName = 'malta';
		for (let turn = 0; turn < 40; turn++) {
			const act = numbers.from(['wrong', 'wrong', 'wrong', 'right', 'pass', 'profile', 'unlock'] as const);
			if (act === 'pass') pass(numbers.from([1, 11, 31]) * MINUTE_MS);
			else if (act === 'profile') {
				profile = numbers.from(['malta', 'malta', 'play'] as const);
				await switchTo(profile);
			} else if (act === 'unlock') {
				const asked = { playerId: String(userId), reason: 'called' };
				expect((await server.operator('player-unlock', asked)).code).toBe(isLocked ? null : 'WRONG_STATE');
				if (isLocked) [isLocked, failed] = [false, []];
			} else {
				const binds = profile === 'malta';
				const answer = await code(userName, act === 'right' ? PASSWORD : 'a wrong one');
				if (binds && isLocked) expect([turn, answer]).toEqual([turn, 'ACCOUNT_LOCKED']);
				else {
					expect([turn, answer]).toEqual([turn, act === 'right' ? null : 'WRONG_CREDENTIALS']);
					if (!binds) continue;
					failed = act === 'right' ? [] : [...failed.filter((atMs) => atMs > now() - 30 * MINUTE_MS), now()];
					isLocked = failed.length >= 3;
				}
			}
		}
		await switchTo('malta');
	},
);

it('shows the log-in before to a player who logs in, where the profile says so', async () => {
	const { userName } = await signUp(server);
	const registeredAt = Date.now();
	pass(MINUTE_MS);
	const { result } = (await logIn(userName)).body;
	expect(result?.lastLogin).toEqual({ at: expect.any(String), userIp: expect.stringMatching(/127\.0\.0\.1$|^::1$/) });
	expect(Math.abs(Date.parse(result?.lastLogin?.at ?? '') - registeredAt)).toBeLessThan(MINUTE_MS / 2);
	await switchTo('play');
	expect((await logIn(userName)).body.result?.lastLogin).toBeNull();
	await switchTo('malta');
});
