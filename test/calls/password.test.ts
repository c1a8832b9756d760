/** Changing the password, who tried it, and how often it may be tried. */
import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HubClient } from '../hub/hub-client.ts';
import { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const OLD = 'kingfisher#7';
const NEW = 'Nightingale 8!';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

let count = 0;
/** A new player's name. */
async function player(): Promise<string> {
	count += 1;
	const userName = `keeper${count}`;
	const brand = { host: 'localhost', pool: 'PLAY' } as const;
	await server.running.players.createPlayer({ userName, password: OLD, brand });
	return userName;
}

const logIn = (userName: string, password: string) =>
	server.call('authenticate', { userNameOrEmailAddress: userName, password });

async function tokenOf(userName: string, password = OLD): Promise<string> {
	return (await logIn(userName, password)).body.result?.accessToken ?? '';
}

const change = (currentPassword: string, newPassword: string, confirmPassword = newPassword) => ({
	currentPassword,
	newPassword,
	confirmPassword,
});

it('a password is hashed as OWASP recommends at least, unless a test run asks for less', async () => {
	// A copy of the module, to which the test run has said nothing.
	const copy = '#server/people/players/passwords.ts?as-in-production';
	const { hashPassword } = (await import(copy)) as typeof import('#server/people/players/passwords.ts');
	const [salt = '', hash] = (await hashPassword(OLD)).split('.');
	const nonce = Buffer.from(salt, 'base64url');
	const recommended = { parallelism: 1, tagLength: 32, memory: 19 * 1024, passes: 2 };
	expect(hash).toBe(argon2Sync('argon2id', { message: OLD, nonce, ...recommended }).toString('base64url'));
});

describe('changing the password', () => {
	it('changePassword: success, the old password is invalid and the new one is stored verbatim', async () => {
		const name = await player();
		const token = await tokenOf(name);
		expect((await server.call('changePassword', change(OLD, NEW), token)).status).toBe(200);
		expect((await server.call('getUserInfo', {}, token)).status).toBe(200);
		expect((await logIn(name, OLD)).code).toBe('WRONG_CREDENTIALS');
		expect((await logIn(name, ` ${NEW}`)).code).toBe('WRONG_CREDENTIALS');
		expect((await logIn(name, NEW)).status).toBe(200);
	});

	it('ends the other logins, their refresh tokens and their hub connections', async () => {
		const name = await player();
		const [here, there] = [await tokenOf(name), (await logIn(name, OLD)).body.result];
		const [keeping, losing] = [
			await HubClient.connect(server.url, here),
			await HubClient.connect(server.url, there?.accessToken ?? ''),
		];
		const closed = losing.closed();
		await server.result('changePassword', change(OLD, NEW), here);
		expect(await losing.message('LoggedOut')).toEqual({ reason: 'PASSWORD_CHANGED' });
		await closed;
		expect((await server.call('getUserInfo', {}, there?.accessToken ?? '')).status).toBe(401);
		expect((await server.call('refreshToken', { refreshToken: there?.refreshToken ?? '' })).status).toBe(401);
		expect((await keeping.register(here)).success).toBe(true);
		await keeping.stop();
	});

	it('is done by one of several at once, and the others’ passwords and logins are worth nothing', async () => {
		const name = await player();
		const logins = await Promise.all([1, 2, 3].map(() => tokenOf(name)));
		const passwords = logins.map((_, at) => `${NEW} ${at}`);
		const changing = logins.map((token, at) => server.call('changePassword', change(OLD, passwords[at] ?? ''), token));
		const winners = (await Promise.all(changing)).map(({ status }) => status === 200);
		expect(winners.filter((won) => won)).toHaveLength(1);
		for (const [at, won] of winners.entries()) {
			expect((await logIn(name, passwords[at] ?? '')).status === 200).toBe(won);
			expect((await server.call('getUserInfo', {}, logins[at] ?? '')).status === 200).toBe(won);
		}
	});

	it('keeps out a login with the old one that is on its way', async () => {
		const [name, other] = [await player(), await player()];
		const token = await tokenOf(name);
		const headers = { 'Content-Type': 'application/json' };
		const logInWith = async (userName: string, cookie: string) =>
			await fetch(`${server.url}/Account/Authenticate`, {
				method: 'POST',
				body: JSON.stringify({ userNameOrEmailAddress: userName, password: OLD }),
				headers: { ...headers, Cookie: cookie },
			});
		const [cookie = ''] = (await logInWith(other, '')).headers.getSetCookie();
		const held = await server.database.db.connect();
		await held.query('begin; lock table shared_device in exclusive mode');
		// The password is right, and the browser is another player's: that is written first.
		const loggingIn = logInWith(name, cookie.split(';')[0] ?? '');
		const isWaiting = `select 1 from pg_locks where relation = 'shared_device'::regclass and not granted`;
		await expect.poll(async () => (await server.database.db.query(isWaiting)).rowCount).toBe(1);
		await server.result('changePassword', change(OLD, NEW), token);
		await held.query('rollback');
		held.release();
		expect((await loggingIn).status).toBe(401);
	});

	it('changePassword: refusal of a wrong current password, with a status that ends no login', async () => {
		const token = await tokenOf(await player());
		const { status, code } = await server.call('changePassword', change('not the one #1', NEW), token);
		expect([status, code]).toEqual([422, 'WRONG_PASSWORD']);
	});

	it.each([
		['a common one', change(OLD, 'P@ssw0rd1!'), 'PASSWORD_TOO_COMMON'],
		['a short one', change(OLD, 'a1#'), 'VALIDATION_FAILED'],
		['two that differ', change(OLD, NEW, `${NEW}x`), 'VALIDATION_FAILED'],
	])('changePassword: refusal of %s', async (_, passwords, code) => {
		const token = await tokenOf(await player());
		expect((await server.call('changePassword', passwords, token)).code).toBe(code);
	});

	it('changePassword: refusal for a demo player', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('changePassword', change(OLD, NEW), token)).code).toBe('FORBIDDEN');
	});

	it('changePassword: not logged in', async () => {
		expect((await server.call('changePassword', change(OLD, NEW))).code).toBe('NOT_LOGGED_IN');
	});
});

describe('log-in attempts', () => {
	it('getUserLoginAttempts: success, newest first, all or by result, in pages', async () => {
		const name = await player();
		await tokenOf(name);
		await logIn(name, 'a guess');
		const token = await tokenOf(name);
		const all = await server.result('getUserLoginAttempts', {}, token);
		expect(all.items.map(({ result }) => result)).toEqual(['SUCCESS', 'FAILURE', 'SUCCESS']);
		expect(all.items[0]?.userIp).toMatch(/127\.0\.0\.1$/);
		const failed = await server.result('getUserLoginAttempts', { Result: 'FAILURE' }, token);
		expect(failed).toEqual({ totalCount: 1, items: [all.items[1]] });
		const second = await server.result('getUserLoginAttempts', { MaxResultCount: '1', SkipCount: '1' }, token);
		expect(second).toEqual({ totalCount: 3, items: [all.items[1]] });
	});

	it('getUserLoginAttempts: refusal of an unknown result', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.raw('getUserLoginAttempts', { Result: 'MAYBE' }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getUserLoginAttempts: not logged in', async () => {
		expect((await server.call('getUserLoginAttempts', {})).code).toBe('NOT_LOGGED_IN');
	});
});

describe('the lifetime of a token', () => {
	it('getAccessTokenValidateTime: success, and 0 for an ended or invalid token', async () => {
		const { token } = await server.demoPlayer();
		const { secondsLeft } = await server.result('getAccessTokenValidateTime', { accessToken: token });
		expect(secondsLeft).toBeGreaterThan(29 * 60);
		expect(secondsLeft).toBeLessThanOrEqual(30 * 60);
		await server.result('logout', {}, token);
		for (const accessToken of [token, 'rubbish']) {
			expect(await server.result('getAccessTokenValidateTime', { accessToken })).toEqual({ secondsLeft: 0 });
		}
	});

	it('getAccessTokenValidateTime: refusal without a token', async () => {
		expect((await server.raw('getAccessTokenValidateTime', {})).code).toBe('VALIDATION_FAILED');
	});
});

describe('guessing a password', () => {
	let strict: TestServer;
	beforeAll(async () => {
		strict = await TestServer.start(undefined, { rateLimitFactor: 1, trustedProxies: ['127.0.0.1'] });
	});
	afterAll(() => strict.dispose());

	let targets = 0;
	/** A new player with that password. */
	async function target(): Promise<string> {
		targets += 1;
		const userName = `target${targets}`;
		const brand = { host: 'localhost', pool: 'PLAY' } as const;
		await strict.running.players.createPlayer({ userName, password: OLD, brand });
		return userName;
	}

	interface Answer {
		code: string | null;
		message: string;
		retryAfter: string | null;
		/** The cookie that the answer sets, as it is sent back. */
		cookie: string;
		setCookie: string;
		token: string;
	}

	/** A log-in as a browser on that network makes it. */
	async function tryAs(
		userNameOrEmailAddress: string,
		password: string,
		address: string,
		more: Record<string, string> = {},
	): Promise<Answer> {
		const input = { userNameOrEmailAddress, password };
		const body = more['X-Enc'] ? { d: Buffer.from(JSON.stringify(input)).toString('base64url') } : input;
		const response = await fetch(`${strict.url}/Account/Authenticate`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address, ...more },
			body: JSON.stringify(body),
		});
		const answered = (await response.json()) as { d?: string };
		const { result, error } = answered.d ? JSON.parse(Buffer.from(answered.d, 'base64url').toString()) : answered;
		const setCookie = response.headers.get('set-cookie') ?? '';
		return {
			code: error?.code ?? null,
			message: error?.message ?? '',
			retryAfter: response.headers.get('retry-after'),
			cookie: setCookie.split(';')[0] ?? '',
			setCookie,
			token: result?.accessToken ?? '',
		};
	}

	async function guess(name: string, tries: number, address: string): Promise<(string | null)[]> {
		const codes: (string | null)[] = [];
		for (let at = 0; at < tries; at++) codes.push((await tryAs(name, `guess ${at}`, address)).code);
		return codes;
	}
	const WRONG = (tries: number) => Array.from({ length: tries }, () => 'WRONG_CREDENTIALS');

	it('is slowed down after ten tries from one network, alike whether the account exists, and says for how long', async () => {
		const name = await target();
		expect(await guess(name, 11, '198.51.100.1')).toEqual([...WRONG(10), 'THROTTLED']);
		expect(await guess('nobody-here', 11, '198.51.100.2')).toEqual([...WRONG(10), 'THROTTLED']);
		// The right password does not help there either.
		const right = await tryAs(name, OLD, '198.51.100.1');
		expect(right.code).toBe('THROTTLED');
		expect(Number(right.retryAfter)).toBeGreaterThan(0);
		expect(Number(right.retryAfter)).toBeLessThanOrEqual(15);
		expect(right.message).toMatch(/^Too many attempts\. Please wait \d+ seconds? and try again\.$/);
	});

	it('is slowed down when all attempts are simultaneous', async () => {
		const name = await target();
		const answers = await Promise.all(
			Array.from({ length: 15 }, (_, at) => tryAs(name, `guess ${at}`, '198.51.100.3')),
		);
		expect(answers.filter(({ code }) => code === 'WRONG_CREDENTIALS')).toHaveLength(10);
	});

	it('does not lock the owner out at another network, nor from changing the password', async () => {
		const name = await target();
		const { token } = await tryAs(name, OLD, '203.0.113.1');
		await guess(name, 11, '198.51.100.4');
		expect((await strict.call('changePassword', change(OLD, NEW), token)).status).toBe(200);
		expect((await tryAs(name, NEW, '203.0.113.1')).code).toBeNull();
	});

	it('does not lock out a known device, even on the guesser’s own network', async () => {
		const name = await target();
		const { cookie, setCookie } = await tryAs(name, OLD, '198.51.100.5');
		expect(setCookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
		await guess(name, 11, '198.51.100.5');
		expect((await tryAs(name, OLD, '198.51.100.5')).code).toBe('THROTTLED');
		expect((await tryAs(name, OLD, '198.51.100.5', { Cookie: `theme=dark; ${cookie}` })).code).toBeNull();
		expect((await tryAs(name, OLD, '198.51.100.5', { Cookie: cookie, 'X-Enc': '1' })).code).toBeNull();
	});

	it('leaves a device at most twenty cookies, which are secure over https', async () => {
		const name = await target();
		const held = Array.from({ length: 20 }, (_, at) => `known-device-${at}=x`);
		const headers = { 'Content-Type': 'application/json', Cookie: held.join('; '), 'X-Forwarded-Proto': 'https' };
		const body = JSON.stringify({ userNameOrEmailAddress: name, password: OLD });
		const response = await fetch(`${strict.url}/Account/Authenticate`, { method: 'POST', headers, body });
		const [dropped, kept, ...rest] = response.headers.getSetCookie();
		expect(dropped).toMatch(/^known-device-0=; .*Max-Age=0;/);
		expect(kept).toMatch(/^known-device-\d{4,}=[\w.-]+; .*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
		expect(rest).toEqual([]);
	});

	it('is not hindered by cookies that the server never set, and of two with one name the older counts', async () => {
		const name = await target();
		const { cookie } = await tryAs(name, OLD, '198.51.100.15');
		await guess(name, 11, '198.51.100.15');
		const strange = ['é', 'a b', '"', '__proto__', '%', '-1', '<>', ',', '\\', '1\t2', '1e3'];
		const held = strange.flatMap((end) => [
			`${end}=1`,
			`known-device-${end}=%`,
			`known-device-x${end}=`,
			`known-device-${end}`,
		]);
		const Cookie = `=; ; ;=;${held.join(';')}; ${cookie}; ${cookie.split('=')[0]}=forged`;
		const { code, setCookie } = await tryAs(name, OLD, '198.51.100.15', { Cookie });
		expect(code).toBeNull();
		expect(setCookie).toMatch(/^known-device-\d+=[\w.-]+;[^,]*$/);
	});

	it('is not helped by a cookie of another player, a forged one, or one from before the password changed', async () => {
		const [name, other] = [await target(), await target()];
		const { cookie, token } = await tryAs(name, OLD, '198.51.100.6');
		const others = (await tryAs(other, OLD, '198.51.100.6')).cookie;
		const [nameOfCookie] = cookie.split('=');
		const forged = [`${nameOfCookie}=${others.split('=')[1]}`, `${cookie.slice(0, -2)}AA`, `${nameOfCookie}=x`];
		await guess(name, 10, '198.51.100.6');
		await strict.result('changePassword', change(OLD, NEW), token);
		for (const Cookie of [others, ...forged, cookie]) {
			expect((await tryAs(name, NEW, '198.51.100.6', { Cookie })).code).toBe('THROTTLED');
		}
	});

	it('is slowed down on a known device, too', async () => {
		const name = await target();
		const { cookie } = await tryAs(name, OLD, '198.51.100.7');
		const codes: (string | null)[] = [];
		for (let at = 0; at < 11; at++) {
			codes.push((await tryAs(name, `guess ${at}`, '198.51.100.7', { Cookie: cookie })).code);
		}
		expect(codes).toEqual([...WRONG(10), 'THROTTLED']);
	});

	it('is slowed down from many networks, and known devices still log in', async () => {
		const name = await target();
		const { cookie } = await tryAs(name, OLD, '203.0.113.2');
		const codes: (string | null)[] = [];
		for (let at = 0; at < 32; at++) codes.push((await tryAs(name, `guess ${at}`, `192.0.2.${at}`)).code);
		expect(codes).toEqual([...WRONG(30), 'THROTTLED', 'THROTTLED']);
		expect((await tryAs(name, OLD, '192.0.2.99', { Cookie: cookie })).code).toBeNull();
	});

	it('is slowed down through a stolen login for that login alone', async () => {
		const name = await target();
		const [stolen, own] = [await tryAs(name, OLD, '198.51.100.8'), await tryAs(name, OLD, '203.0.113.3')];
		const codes: (string | null)[] = [];
		for (let at = 0; at < 11; at++) {
			codes.push((await strict.call('changePassword', change(`guess ${at}`, NEW), stolen.token)).code);
		}
		expect(codes).toEqual([...Array.from({ length: 10 }, () => 'WRONG_PASSWORD'), 'THROTTLED']);
		expect((await strict.call('changePassword', change(OLD, NEW), own.token)).status).toBe(200);
	});

	it('of any name is limited to twenty a minute from one network, by all addresses of its /64', async () => {
		const codes: (string | null)[] = [];
		for (let at = 0; at < 21; at++) codes.push((await tryAs(`name${at}`, 'guess', `2001:db8:1:2::${at}`)).code);
		expect(codes).toEqual([...WRONG(20), 'THROTTLED']);
		expect((await tryAs('name', 'guess', '2001:db8:1:3::1')).code).toBe('WRONG_CREDENTIALS');
	});
});
