/** Passkeys of players, and the authenticator that is asked for after the password. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConsoleClient } from '../operator/console-client.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type Player, TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { SoftwareKey } from '../support/software-key.ts';

let server: TestServer;
beforeAll(async () => {
	// Codes of an app change every half a minute, and `pass` moves both clocks.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	server = await TestServer.start();
});
afterAll(async () => {
	await server.dispose();
	vi.useRealTimers();
});

type Person = Player & { userName: string };
const pass = (ms: number) => vi.advanceTimersByTime(ms);
/** Of two acts in one step of the clock, none is the newer one. */
const nextMoment = () => pass(1);
const HERE = { origin: 'http://localhost' };
const origin = () => new URL(server.url).origin;
const logIn = async ({ userName }: Pick<Person, 'userName'>, code?: string) =>
	await server.call('authenticate', {
		userNameOrEmailAddress: userName,
		password: PASSWORD,
		...(code ? { code } : {}),
	});
const isIn = async (token: string) => (await server.call('getUserInfo', {}, token)).status === 200;

async function member(name: string): Promise<ConsoleClient> {
	const about = { name, passwordHash: 'none', roles: ['compliance'], brands: null };
	const { directory, sessions } = server.running.staff;
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await sessions.begin(staffId, { address: '127.0.0.1', userAgent: '' }, true));
	return client;
}

async function addKey({ token }: Pick<Player, 'token'>, key = new SoftwareKey(), name = 'my phone') {
	const { challenge } = await server.result('beginAddingPasskey', { password: PASSWORD }, token);
	const response = key.added(challenge, { origin: origin() });
	await server.result('addPasskey', { name, response }, token);
	return key;
}
const challenge = async () => (await server.result('beginPasskeyLogin', {})).challenge;
const show = async (response: ReturnType<SoftwareKey['shown']>) =>
	await server.call('authenticateWithPasskey', { response });
const factors = async (token: string) => await server.result('getFactors', {}, token);

describe('a passkey', () => {
	it('authenticateWithPasskey: success, without name, password and code, and removePasskey: success, ends other log-ins', async () => {
		const player = await signUp(server);
		const key = await addKey(player);
		const { body, code } = await show(key.shown(await challenge(), { origin: origin() }));
		expect(code).toBeNull();
		expect(body.result).toMatchObject({ user: { userId: String(player.userId) }, domain: 'localhost' });
		const { passkeys } = await factors(player.token);
		expect(passkeys).toMatchObject([{ keyId: key.id, name: 'my phone', lastUsedAt: expect.stringMatching(/^20/) }]);
		const other = body.result?.accessToken ?? '';
		expect(await isIn(other)).toBe(true);
		expect((await server.call('removePasskey', { keyId: key.id, password: 'wrong' }, player.token)).code).toBe(
			'WRONG_PASSWORD',
		);
		const left = await server.result('removePasskey', { keyId: key.id, password: PASSWORD }, player.token);
		expect(left.passkeys).toEqual([]);
		expect([await isIn(player.token), await isIn(other)]).toEqual([true, false]);
		expect((await show(key.shown(await challenge(), { origin: origin() }))).code).toBe('WRONG_KEY');
	});

	it('authenticateWithPasskey: refusal of a used, foreign, late or forged challenge, of another origin and host, and of a copy', async () => {
		const player = await signUp(server);
		const key = await addKey(player);
		const here = { origin: origin() };
		const synced = await addKey(player, new SoftwareKey({ isCounting: false }), 'my cloud');
		const once = synced.shown(await challenge(), here);
		const parallel = await Promise.all([show(once), show(once), show(once)]);
		expect(parallel.map(({ code }) => code).toSorted()).toEqual(['WRONG_KEY', 'WRONG_KEY', null]);
		const forAdding = (await server.result('beginAddingPasskey', { password: PASSWORD }, player.token)).challenge;
		expect((await show(key.shown(forAdding, here))).code).toBe('WRONG_KEY');
		const forged = Buffer.from(await challenge(), 'base64url');
		forged[0] = (forged[0] ?? 0) ^ 1;
		expect((await show(key.shown(forged.toString('base64url'), here))).code).toBe('WRONG_KEY');
		const late = await challenge();
		pass(5 * 60_000);
		expect((await show(key.shown(late, here))).code).toBe('WRONG_KEY');
		for (const there of [
			{ origin: 'https://localhost.example.org', host: 'localhost' },
			{ origin: 'https://evil.example', host: 'localhost' },
			{ origin: origin(), host: 'evil.example' },
			{ origin: origin(), isVerified: false },
		])
			expect((await show(key.shown(await challenge(), there))).code).toBe('WRONG_KEY');
		expect((await show(key.shown(await challenge(), here))).code).toBeNull();
		// A copy of the key does not know how often the key was used.
		key.counter -= 1;
		expect((await show(key.shown(await challenge(), here))).code).toBe('WRONG_KEY');
		const stranger = new SoftwareKey();
		expect((await show(stranger.shown(await challenge(), here))).code).toBe('WRONG_KEY');
	});

	it('opens nothing on another brand, whose relying party it does not know', async () => {
		const key = await addKey(await signUp(server));
		const given = await server.callElsewhere('beginPasskeyLogin', {});
		const response = key.shown(given.body.result?.challenge ?? '', { origin: origin() });
		expect((await server.callElsewhere('authenticateWithPasskey', { response })).code).toBe('WRONG_KEY');
	});

	it('addPasskey: refusal without the password, by another log-in, and of an eleventh, however many come at once', async () => {
		const player = await signUp(server);
		const again = (await logIn(player)).body.result?.accessToken ?? '';
		expect((await server.call('beginAddingPasskey', { password: 'wrong' }, player.token)).code).toBe('WRONG_PASSWORD');
		const begun = await server.result('beginAddingPasskey', { password: PASSWORD }, player.token);
		const response = new SoftwareKey().added(begun.challenge, { origin: origin() });
		expect((await server.call('addPasskey', { name: 'theirs', response }, again)).code).toBe('WRONG_KEY');
		const asked = await Promise.all(
			Array.from({ length: 12 }, () => server.result('beginAddingPasskey', { password: PASSWORD }, player.token)),
		);
		const added = await Promise.all(
			asked.map(({ challenge: one }) =>
				server.call(
					'addPasskey',
					{ name: 'one of many', response: new SoftwareKey().added(one, { origin: origin() }) },
					player.token,
				),
			),
		);
		expect(added.filter(({ code }) => code === null)).toHaveLength(10);
		expect(added.filter(({ code }) => code === 'TOO_MANY_KEYS')).toHaveLength(2);
		expect((await server.call('beginAddingPasskey', { password: PASSWORD }, player.token)).code).toBe('TOO_MANY_KEYS');
		const demo = await server.demoPlayer();
		expect((await server.call('beginAddingPasskey', { password: PASSWORD }, demo.token)).code).toBe('FORBIDDEN');
	});
});

/** An app with the player's secret. */
async function addApp({ token }: Pick<Player, 'token'>) {
	const begun = await server.result('beginAuthenticator', { password: PASSWORD }, token);
	expect(begun.uri).toContain(begun.secret);
	const totp = new TOTP({ secret: begun.secret });
	const code = (later = 0) => totp.generate({ timestamp: Date.now() + later });
	const { recoveryCodes } = await server.result('addAuthenticator', { code: code() }, token);
	// The code that set it up is used.
	pass(30_000);
	return { code, recoveryCodes };
}

describe('an authenticator', () => {
	it('addAuthenticator: success, its code is asked for after the password, once each, from parallel log-ins too', async () => {
		const player = await signUp(server);
		const { code, recoveryCodes } = await addApp(player);
		expect(new Set(recoveryCodes).size).toBe(10);
		expect((await logIn(player)).code).toBe('CODE_NEEDED');
		expect(
			(await server.call('authenticate', { userNameOrEmailAddress: player.userName, password: 'wrong' })).code,
		).toBe('WRONG_CREDENTIALS');
		const present = code();
		const parallel = await Promise.all([1, 2, 3].map(() => logIn(player, present)));
		expect(parallel.map((one) => one.code).toSorted()).toEqual(['WRONG_CODE', 'WRONG_CODE', null]);
		pass(60_000);
		// All of these have read that the code is unused before one of them uses it.
		const { authenticators } = server.running.players;
		const next = code();
		const admitted = await Promise.all([1, 2, 3].map(() => authenticators.admits(player.userId, next, '127.0.0.1')));
		expect(admitted.filter(Boolean)).toHaveLength(1);
		// A code from before the one that was accepted, and one from much later.
		expect((await logIn(player, code(-30_000))).code).toBe('WRONG_CODE');
		expect((await logIn(player, code(120_000))).code).toBe('WRONG_CODE');
		expect((await factors(player.token)).recoveryCodesLeft).toBe(10);
		const { rows } = await server.running.db.query(
			'select to_jsonb(player_authenticator) as row from player_authenticator',
		);
		for (const one of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(one);
	});

	it('gives way to each recovery code once, and to no more after a lost one was reset by two members', async () => {
		const player = await signUp(server);
		const { recoveryCodes } = await addApp(player);
		await addKey(player);
		const [first = '', second = ''] = recoveryCodes;
		const parallel = await Promise.all([logIn(player, first), logIn(player, first)]);
		expect(parallel.map((one) => one.code).toSorted()).toEqual(['WRONG_CODE', null]);
		expect((await logIn(player, second)).code).toBeNull();
		expect((await factors(player.token)).recoveryCodesLeft).toBe(8);
		const input = { playerId: String(player.userId) };
		const asked = { act: 'player-factors-reset', input, reason: 'lost the phone, proved by letter' };
		const [asha, bala] = [await member('asha'), await member('bala')];
		const { proposalId } = await asha.result<{ proposalId: string }>('propose', asked);
		expect(await asha.code('confirm', { proposalId })).toBe('SAME_PERSON');
		await bala.result('confirm', { proposalId });
		expect(await isIn(player.token)).toBe(false);
		const { body } = await logIn(player);
		expect(await factors(body.result?.accessToken ?? '')).toEqual({ passkeys: [], recoveryCodesLeft: null });
	});

	it('removeAuthenticator: success, for the password and a code, ends other log-ins; refusal without either', async () => {
		const player = await signUp(server);
		const other = (await logIn(player)).body.result?.accessToken ?? '';
		const { code, recoveryCodes } = await addApp(player);
		const remove = async (password: string, given: string) =>
			(await server.call('removeAuthenticator', { password, code: given }, player.token)).code;
		expect(await remove('wrong', code())).toBe('WRONG_PASSWORD');
		expect(await remove(PASSWORD, '000000')).toBe('WRONG_CODE');
		expect(await isIn(other)).toBe(true);
		expect(await remove(PASSWORD, recoveryCodes[0] ?? '')).toBeNull();
		expect([await isIn(player.token), await isIn(other)]).toEqual([true, false]);
		expect(await remove(PASSWORD, code())).toBe('WRONG_STATE');
		expect((await logIn(player)).code).toBeNull();
	});

	it('shows each change in the activity, to its player alone', async () => {
		const player = await signUp(server);
		const key = await addKey(player);
		nextMoment();
		const { recoveryCodes } = await addApp(player);
		await logIn(player, recoveryCodes[0]);
		nextMoment();
		await server.result('removePasskey', { keyId: key.id, password: PASSWORD }, player.token);
		const { items } = await server.result('getActivity', { kind: 'ACCOUNT' }, player.token);
		const shown = items.map(({ what, reference }) => [what, reference]);
		expect(shown.slice(0, 4)).toEqual([
			['PASSKEY_REMOVED', 'my phone'],
			['RECOVERY_CODE_USED', ''],
			['AUTHENTICATOR_ADDED', ''],
			['PASSKEY_ADDED', 'my phone'],
		]);
	});
});

it.each([
	['getFactors: not logged in', 'getFactors', {}],
	['beginAddingPasskey: not logged in', 'beginAddingPasskey', { password: PASSWORD }],
	['addPasskey: not logged in', 'addPasskey', { name: 'mine', response: new SoftwareKey().added('AAAA', HERE) }],
	['renamePasskey: not logged in', 'renamePasskey', { keyId: 'a', name: 'mine', password: PASSWORD }],
	['removePasskey: not logged in', 'removePasskey', { keyId: 'a', password: PASSWORD }],
	['beginAuthenticator: not logged in', 'beginAuthenticator', { password: PASSWORD }],
	['addAuthenticator: not logged in', 'addAuthenticator', { code: '123456' }],
	['removeAuthenticator: not logged in', 'removeAuthenticator', { password: PASSWORD, code: '123456' }],
] as const)('%s', async (_, name, input) => {
	expect((await server.raw(name, input)).code).toBe('NOT_LOGGED_IN');
});

it.each([
	['getFactors: refusal of a token that is none', 'getFactors', {}, 'LOGIN_EXPIRED'],
	[
		'beginPasskeyLogin: refusal of a field that it does not know',
		'beginPasskeyLogin',
		{ name: 'a' },
		'VALIDATION_FAILED',
	],
	['beginAddingPasskey: refusal of a wrong password', 'beginAddingPasskey', { password: 'no' }, 'WRONG_PASSWORD'],
	['removePasskey: refusal of a key that is none', 'removePasskey', { keyId: 'a', password: PASSWORD }, 'UNKNOWN_KEY'],
	['beginAuthenticator: refusal of a wrong password', 'beginAuthenticator', { password: 'no' }, 'WRONG_PASSWORD'],
	['addAuthenticator: refusal of a code before it has begun', 'addAuthenticator', { code: '123456' }, 'WRONG_CODE'],
	[
		'removeAuthenticator: refusal without one',
		'removeAuthenticator',
		{ password: PASSWORD, code: '123456' },
		'WRONG_STATE',
	],
] as const)('%s', async (_, name, input, code) => {
	const { token } = await signUp(server);
	expect((await server.raw(name, input, name === 'getFactors' ? 'none' : token)).code).toBe(code);
});

it('getFactors: success, of a player without any', async () => {
	const { token } = await signUp(server);
	expect(await factors(token)).toEqual({ passkeys: [], recoveryCodesLeft: null });
});

it('beginPasskeyLogin: success, another challenge each time, of the brand alone, without names', async () => {
	const [one, other] = [await server.result('beginPasskeyLogin', {}), await server.result('beginPasskeyLogin', {})];
	expect(one.challenge).not.toBe(other.challenge);
	expect(one).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
});

it('beginAddingPasskey: success, names the account by nothing personal', async () => {
	const { token, userId } = await signUp(server);
	const begun = await server.result('beginAddingPasskey', { password: PASSWORD }, token);
	const { user, authenticatorSelection } = begun as unknown as { user: { id: string }; authenticatorSelection: object };
	expect(Buffer.from(user.id, 'base64url').toString()).not.toContain(String(userId));
	expect(authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
});

it('addPasskey: success, two of one player, oldest first', async () => {
	const player = await signUp(server);
	await addKey(player, undefined, 'first');
	nextMoment();
	await addKey(player, undefined, 'second');
	expect((await factors(player.token)).passkeys.map(({ name }) => name)).toEqual(['first', 'second']);
});

it('renamePasskey: success, it logs in as before, and the same name again is no second act', async () => {
	const player = await signUp(server);
	const key = await addKey(player);
	nextMoment();
	const rename = (name: string) =>
		server.result('renamePasskey', { keyId: key.id, name, password: PASSWORD }, player.token);
	const sent = await Promise.all(Array.from({ length: 4 }, () => rename('  my old phone ')));
	for (const { passkeys } of sent) expect(passkeys).toMatchObject([{ keyId: key.id, name: 'my old phone' }]);
	await rename('my old phone');
	const { items } = await server.result('getActivity', { kind: 'ACCOUNT' }, player.token);
	expect(items.map(({ what, reference }) => [what, reference]).slice(0, 2)).toEqual([
		['PASSKEY_RENAMED', 'my old phone'],
		['PASSKEY_ADDED', 'my phone'],
	]);
	expect((await show(key.shown(await challenge(), { origin: origin() }))).code).toBeNull();
});

it('renamePasskey: refusal without the password, of another player’s key, of a removed one and of no name', async () => {
	const [player, other] = [await signUp(server), await signUp(server)];
	const key = await addKey(player);
	const rename = async ({ token }: Player, changes: Partial<{ name: string; password: string }> = {}) =>
		(await server.raw('renamePasskey', { keyId: key.id, name: 'mine', password: PASSWORD, ...changes }, token)).code;
	expect(await rename(player, { password: 'wrong' })).toBe('WRONG_PASSWORD');
	expect(await rename(player, { name: '  ' })).toBe('VALIDATION_FAILED');
	expect(await rename(player, { name: 'x'.repeat(61) })).toBe('VALIDATION_FAILED');
	expect(await rename(other)).toBe('UNKNOWN_KEY');
	expect((await factors(player.token)).passkeys.map(({ name }) => name)).toEqual(['my phone']);
	await server.result('removePasskey', { keyId: key.id, password: PASSWORD }, player.token);
	expect(await rename(player)).toBe('UNKNOWN_KEY');
});

it('removePasskey: success, the other one stays', async () => {
	const player = await signUp(server);
	const [one, other] = [await addKey(player), await addKey(player)];
	const left = await server.result('removePasskey', { keyId: one.id, password: PASSWORD }, player.token);
	expect(left.passkeys.map(({ keyId }) => keyId)).toEqual([other.id]);
});

it('beginAuthenticator: success, the same secret until it is set up', async () => {
	const { token } = await signUp(server);
	const begin = () => server.result('beginAuthenticator', { password: PASSWORD }, token);
	expect((await begin()).secret).toBe((await begin()).secret);
});

it('delays guesses of a thief of the password by player, whichever way they come', async () => {
	const strict = await TestServer.start(undefined, { rateLimitFactor: 1 });
	onTestFinished(() => strict.dispose());
	await strict.act('create-player', { userName: 'guessed', password: PASSWORD });
	const tried = async (code?: string) => {
		const { userNameOrEmailAddress, password } = { userNameOrEmailAddress: 'guessed', password: PASSWORD };
		return await strict.call('authenticate', { userNameOrEmailAddress, password, ...(code ? { code } : {}) });
	};
	const { token } = { token: (await tried()).body.result?.accessToken ?? '' };
	const { secret } = await strict.result('beginAuthenticator', { password: PASSWORD }, token);
	const right = new TOTP({ secret }).generate({ timestamp: Date.now() });
	await strict.result('addAuthenticator', { code: right }, token);
	const guesses: (string | null)[] = [];
	for (let time = 0; time < 10; time++) guesses.push((await tried(String(100_000 + time))).code);
	expect(guesses).toEqual(Array.from({ length: 10 }, () => 'WRONG_CODE'));
	// From a log-in of the thief's, too: the count is the player's, and not the log-in's or the network's.
	pass(10_000);
	const remove = { password: PASSWORD, code: '123456' };
	expect((await strict.call('removeAuthenticator', remove, token)).code).toBe('THROTTLED');
});

/** What a player has, as a list of facts; the server is asked for the same after each step. */
it('keeps what a random life of factors says', { tags: 'thorough' }, async () => {
	const random = new SeededNumbers(43);
	const player = await signUp(server);
	/** Tokens live for half an hour. */
	let { refreshToken } = player;
	const keys: SoftwareKey[] = [];
	let app: Awaited<ReturnType<typeof addApp>> | null = null;
	for (let step = 0; step < 60; step++) {
		pass(31_000);
		const fresh = await server.result('refreshToken', { refreshToken });
		refreshToken = fresh.refreshToken;
		player.token = fresh.accessToken;
		const what = random.below(5);
		if (what === 0 && keys.length < 10) keys.push(await addKey(player));
		if (what === 1 && keys.length > 0) {
			const [gone] = keys.splice(random.below(keys.length), 1);
			await server.result('removePasskey', { keyId: gone?.id ?? '', password: PASSWORD }, player.token);
			expect((await show((gone as SoftwareKey).shown(await challenge(), { origin: origin() }))).code).toBe('WRONG_KEY');
		}
		if (what === 2 && !app) app = await addApp(player);
		if (what === 3 && app) {
			await server.result('removeAuthenticator', { password: PASSWORD, code: app.code() }, player.token);
			app = null;
		}
		for (const key of keys) expect((await show(key.shown(await challenge(), { origin: origin() }))).code).toBeNull();
		pass(31_000);
		expect((await logIn(player)).code).toBe(app ? 'CODE_NEEDED' : null);
		expect((await logIn(player, app?.code())).code).toBeNull();
		expect((await factors(player.token)).passkeys).toHaveLength(keys.length);
	}
});
