/** Logging in and out, and the tokens of a login afterwards. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { PASSWORD as SIGNED_UP, signUp } from '../support/sign-up.ts';

const PASSWORD = 'a long enough Passw0rd!';
let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
	const brand = { host: 'localhost', pool: 'PLAY' } as const;
	await server.running.players.createPlayer({ userName: 'Asha', password: PASSWORD, brand });
});

const logIn = (userNameOrEmailAddress: string, password: string) =>
	server.call('authenticate', { userNameOrEmailAddress, password });

describe('authenticate', () => {
	it('authenticate: success, whatever case the name is written in', async () => {
		const { status, body } = await logIn('ASHA', PASSWORD);
		expect(status).toBe(200);
		expect(body.result?.user).toMatchObject({ userName: 'Asha', isDemo: false, pool: 'PLAY', balance: 0, exposure: 0 });
		expect(body.result?.expireInSeconds).toBeGreaterThan(60);
	});

	it('authenticate: refusal of a wrong password and of an unknown name in the same words', async () => {
		const wrong = await logIn('asha', 'not the password');
		const unknown = await logIn('nobody-of-that-name', 'not the password');
		expect([wrong.status, wrong.code]).toEqual([401, 'WRONG_CREDENTIALS']);
		expect(unknown.body).toEqual(wrong.body);
	});

	it('authenticate: refusal of an empty form names both fields', async () => {
		const { status, body } = await logIn('', '');
		expect(status).toBe(400);
		expect(body.error?.validationErrors).toEqual([
			{ member: 'userNameOrEmailAddress', message: 'username is a required field' },
			{ member: 'password', message: 'password is a required field' },
		]);
	});

	it('authenticate: refusal under another host, where the name is unknown', async () => {
		const other = await fetch(`${server.url.replace('localhost', '127.0.0.1')}/Account/Authenticate`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ userNameOrEmailAddress: 'asha', password: PASSWORD }),
		});
		expect(other.status).toBe(401);
	});

	it('a token is dead under another host, and still good under its own', async () => {
		const { token } = await server.demoPlayer();
		const headers = { Authorization: `Bearer ${token}` };
		const elsewhere = server.url.replace('localhost', '127.0.0.1');
		expect((await server.send('/Account/GetUserInfo', { headers }, elsewhere)).code).toBe('LOGIN_EXPIRED');
		expect((await server.send('/Account/GetUserInfo', { headers })).status).toBe(200);
	});
});

describe('demo login', () => {
	it('loginAsDemoUser: success, each call creates a new player with play money', async () => {
		const first = await server.result('loginAsDemoUser', {});
		const second = await server.result('loginAsDemoUser', {});
		expect(first.user).toMatchObject({ isDemo: true, pool: 'DEMO', balance: 20_000, exposure: 0 });
		expect(first.user.userId).not.toBe(second.user.userId);
		expect(first.stakes.map(({ value }) => value)).toEqual([100, 500, 1000, 2000, 3000, 4000, 5000, 6000]);
	});

	it('loginAsDemoUser: refusal under a host without a brand', async () => {
		const { hostname, port } = new URL(server.url);
		const { request } = await import('node:http');
		const status = await new Promise((resolve, reject) => {
			request(
				{ hostname, port, path: '/Account/LoginAsDemoUser', headers: { host: 'elsewhere.example' } },
				(response) => {
					response.resume();
					resolve(response.statusCode);
				},
			)
				.on('error', reject)
				.end();
		});
		expect(status).toBe(404);
	});
});

describe('a login', () => {
	it('getUserInfo: success', async () => {
		const { token, userId } = await server.demoPlayer();
		expect(await server.result('getUserInfo', {}, token)).toMatchObject({ userId: String(userId), balance: 20_000 });
	});

	it('getUserInfo: refusal of a refresh token in the access token’s place', async () => {
		const { refreshToken } = await server.demoPlayer();
		expect((await server.call('getUserInfo', {}, refreshToken)).status).toBe(401);
	});

	it('getUserInfo: not logged in', async () => {
		expect((await server.call('getUserInfo', {})).status).toBe(401);
	});

	it('refreshToken: success, the new pair works', async () => {
		const player = await server.demoPlayer();
		const fresh = await server.result('refreshToken', { refreshToken: player.refreshToken });
		expect(fresh.accessToken).not.toBe(player.token);
		expect((await server.call('getUserInfo', {}, fresh.accessToken)).status).toBe(200);
	});

	it('refreshToken: refusal of a used token, which ends the login', async () => {
		const player = await server.demoPlayer();
		const second = await server.result('refreshToken', { refreshToken: player.refreshToken });
		const third = await server.result('refreshToken', { refreshToken: second.refreshToken });
		expect((await server.call('refreshToken', { refreshToken: player.refreshToken })).status).toBe(401);
		expect((await server.call('getUserInfo', {}, third.accessToken)).status).toBe(401);
	});

	it('refreshToken: refusal of text that is not a token', async () => {
		expect((await server.call('refreshToken', { refreshToken: 'x.1.y' })).status).toBe(401);
	});

	it('logout: success, the token is invalid at once', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('logout', {}, token)).status).toBe(200);
		expect((await server.call('getUserInfo', {}, token)).status).toBe(401);
	});

	it('logout: refusal of unknown fields', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.raw('logout', { everywhere: true }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('logout: not logged in', async () => {
		expect((await server.call('logout', {})).status).toBe(401);
	});

	it('logoutElsewhere: success, every other login of the player ends at once, and nobody else’s', async () => {
		const player = await signUp(server);
		const stranger = await signUp(server);
		const logIn = async () =>
			await server.result('authenticate', { userNameOrEmailAddress: player.userName, password: SIGNED_UP });
		const [one, two] = [await logIn(), await logIn()];
		const isIn = async (token: string) => (await server.call('getUserInfo', {}, token)).status === 200;
		expect(await server.result('logoutElsewhere', {}, one.accessToken)).toEqual({ ended: 2 });
		expect(await Promise.all([one.accessToken, two.accessToken, player.token].map(isIn))).toEqual([true, false, false]);
		expect((await server.call('refreshToken', { refreshToken: two.refreshToken })).status).toBe(401);
		expect(await isIn(stranger.token)).toBe(true);
		expect(await server.result('logoutElsewhere', {}, one.accessToken)).toEqual({ ended: 0 });
	});

	it('logoutElsewhere: refusal of unknown fields', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.raw('logoutElsewhere', { all: true }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('logoutElsewhere: not logged in', async () => {
		expect((await server.call('logoutElsewhere', {})).status).toBe(401);
	});

	it('outlives a restart of the server', async () => {
		const { token } = await server.demoPlayer();
		server = await restartShared();
		expect((await server.call('getUserInfo', {}, token)).status).toBe(200);
	});
});
