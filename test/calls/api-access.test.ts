/** App keys, and the log-ins of bots that they open: apart from the site's, ended at once, never stored or logged. */

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { InputOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Player, TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const ASKED: InputOf<Calls['createApiKey']> = {
	name: 'my bot',
	mayTrade: true,
	addresses: [],
	callsPerSecond: 20,
	password: PASSWORD,
};
const create = (player: Player, changes: Partial<InputOf<Calls['createApiKey']>> = {}) =>
	server.call('createApiKey', { ...ASKED, ...changes }, player.token);
const created = async (player: Player, changes: Parameters<typeof create>[1] = {}) => {
	const { body } = await create(player, changes);
	if (!body.result) throw new Error(JSON.stringify(body.error));
	return body.result;
};

interface Identity {
	token: string;
	product: string;
	status: string;
	error: string;
}

async function identity(path: string, headers: Record<string, string>, form?: Record<string, string>) {
	const response = await fetch(`${server.url}/api/${path}`, {
		method: 'POST',
		headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
		...(form ? { body: new URLSearchParams(form).toString() } : {}),
	});
	expect(response.status).toBe(200);
	return (await response.json()) as Identity;
}
const logIn = (userName: string, appKey: string, password = PASSWORD) =>
	identity('login', { 'X-Application': appKey }, { username: userName, password });
const keepAlive = (token: string, appKey = 'any') =>
	identity('keepAlive', { 'X-Application': appKey, 'X-Authentication': token });

describe('app keys', () => {
	it('createApiKey: success, the answer alone has the key, and the table holds a digest', async () => {
		const player = await signUp(server);
		const { appKey, key } = await created(player, { addresses: ['10.0.0.0/8', '2001:db8::1'] });
		expect(key).toMatchObject({
			name: 'my bot',
			mayTrade: true,
			addresses: ['10.0.0.0/8', '2001:db8::1'],
			usedAt: null,
		});
		expect(appKey.endsWith(key.hint)).toBe(true);
		const { rows } = await server.running.db.query('select to_jsonb(api_key) as row from api_key');
		expect(JSON.stringify(rows)).not.toContain(appKey);
		const { rows: acts } = await server.running.db.query('select to_jsonb(journal) as row from journal');
		expect(JSON.stringify(acts)).not.toContain(appKey);
	});

	it('getApiAccess: success, the keys newest first, each player’s own', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		await created(player, { name: 'first' });
		await created(player, { name: 'second' });
		await created(other);
		const { keys } = await server.result('getApiAccess', {}, player.token);
		expect(keys.map(({ name }) => name)).toEqual(['second', 'first']);
	});

	it('createApiKey: refusal, a wrong password, an address that is none, a demo player, one key too many', async () => {
		const player = await signUp(server);
		expect((await create(player, { password: 'wrong' })).code).toBe('WRONG_PASSWORD');
		for (const address of ['10.0.0.300', 'example.org', '10.0.0.0/33', '10.0.0.0/', '::1/129', '1.2.3.4/8/8'])
			expect((await create(player, { addresses: [address] })).code, address).toBe('INVALID_ADDRESS');
		expect((await create(await server.demoPlayer())).code).toBe('FORBIDDEN');
		const codes = (await Promise.all(Array.from({ length: 12 }, () => create(player)))).map(({ code }) => code);
		expect(codes.filter((code) => code === null)).toHaveLength(10);
		expect(codes.filter((code) => code === 'TOO_MANY_API_KEYS')).toHaveLength(2);
	});

	it('revokeApiKey: success, the key opens nothing any more; refusal, another player’s key', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const { appKey, key } = await created(player);
		expect((await server.call('revokeApiKey', { keyId: key.keyId }, other.token)).code).toBe('NOT_FOUND');
		const { token } = await logIn(player.userName, appKey);
		expect((await keepAlive(token)).status).toBe('SUCCESS');
		const { keys } = await server.result('revokeApiKey', { keyId: key.keyId }, player.token);
		expect(keys).toEqual([]);
		expect(await keepAlive(token)).toMatchObject({ status: 'FAIL', error: 'NO_SESSION' });
		expect(await logIn(player.userName, appKey)).toMatchObject({ error: 'INVALID_USERNAME_OR_PASSWORD' });
	});

	it('getApiAccess: refusal, unknown fields do nothing, and no answer has the key', async () => {
		const player = await signUp(server);
		const { appKey } = await created(player);
		const { body } = await server.raw('getApiAccess', { appKey: 'x' }, player.token);
		expect(JSON.stringify(body)).not.toContain(appKey);
	});

	it('getApiAccess: not logged in is refused', async () => {
		expect((await server.raw('getApiAccess', {})).code).toBe('NOT_LOGGED_IN');
	});
	it('createApiKey: not logged in is refused', async () => {
		expect((await server.raw('createApiKey', {})).code).toBe('NOT_LOGGED_IN');
	});
	it('revokeApiKey: not logged in is refused', async () => {
		expect((await server.raw('revokeApiKey', {})).code).toBe('NOT_LOGGED_IN');
	});
	it('revokeApiKey: refusal, a key that is none', async () => {
		const { token } = await server.demoPlayer();
		for (const keyId of ['0', 'x', '99999999999999999999'])
			expect((await server.call('revokeApiKey', { keyId }, token)).code, keyId).toBe('NOT_FOUND');
	});
});

describe('log-ins of bots', () => {
	it('succeed with the player’s password and a key of the same player, in both shapes of the service', async () => {
		const player = await signUp(server);
		const { appKey, key } = await created(player);
		const answer = await logIn(player.userName, appKey);
		expect(answer).toEqual({ token: answer.token, product: appKey, status: 'SUCCESS', error: '' });
		const form = { username: player.userName, password: PASSWORD };
		const cert = await identity('certlogin', { 'X-Application': appKey }, form);
		expect(Object.keys(cert)).toEqual(['sessionToken', 'loginStatus']);
		const { keys } = await server.result('getApiAccess', {}, player.token);
		expect(keys.find(({ keyId }) => keyId === key.keyId)).toMatchObject({ usedAt: expect.any(String) });
	});

	it('fail alike for a wrong password, an unknown name and another player’s key', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const { appKey } = await created(player);
		const { appKey: others } = await created(other);
		const tries = [
			logIn(player.userName, appKey, 'wrong'),
			logIn('nobody-here', appKey),
			logIn(player.userName, others),
		];
		for (const answer of await Promise.all(tries))
			expect(answer).toMatchObject({ token: '', status: 'FAIL', error: 'INVALID_USERNAME_OR_PASSWORD' });
		const form = { username: player.userName, password: PASSWORD };
		expect((await identity('login', {}, form)).error).toBe('INPUT_VALIDATION_ERROR');
		expect(await identity('certlogin', { 'X-Application': appKey }, { ...form, password: 'x' })).toEqual({
			loginStatus: 'INVALID_USERNAME_OR_PASSWORD',
		});
	});

	it('are not shut by strangers: with an own key the owner gets in, however often others try the name', async () => {
		const strict = await TestServer.start(undefined, { rateLimitFactor: 1 });
		onTestFinished(() => strict.dispose());
		const player = await signUp(strict);
		const { appKey } = await strict.result('createApiKey', ASKED, player.token);
		const at = async (key: string, password: string) => {
			const response = await fetch(`${strict.url}/api/login`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Application': key },
				body: new URLSearchParams({ username: player.userName, password }).toString(),
			});
			return ((await response.json()) as Identity).error;
		};
		for (let tries = 0; tries < 12; tries++) await at('stranger', 'wrong');
		expect(await at('stranger', PASSWORD)).toBe('TEMPORARY_BAN_TOO_MANY_REQUESTS');
		expect(await at(appKey, PASSWORD)).toBe('');
		// Who has the key and guesses the password is slowed down as well.
		const guesses: string[] = [];
		for (let tries = 0; tries < 12; tries++) guesses.push(await at(appKey, 'wrong'));
		expect(guesses.at(-1)).toBe('TEMPORARY_BAN_TOO_MANY_REQUESTS');
	});

	it('take a client’s own name instead of a key, but no call does, and a player without keys has none', async () => {
		const [player, without] = [await signUp(server), await signUp(server)];
		const [{ appKey }, { appKey: reading }] = [await created(player), await created(player, { mayTrade: false })];
		const { token, status } = await logIn(player.userName, 'BetfairAPI');
		expect(status).toBe('SUCCESS');
		expect((await logIn(without.userName, 'BetfairAPI')).status).toBe('FAIL');
		const code = async (key: string, operation: string) => {
			const headers = { 'X-Application': key, 'X-Authentication': token };
			const path = `${server.url}/exchange/betting/rest/v1.0/${operation}/`;
			const response = await fetch(path, {
				method: 'POST',
				headers,
				body: '{"filter":{},"marketId":"1.1","instructions":[]}',
			});
			return ((await response.json()) as { detail?: { APINGException?: { errorCode: string } } }).detail?.APINGException
				?.errorCode;
		};
		expect(await code(appKey, 'listEventTypes')).toBeUndefined();
		expect(await code(reading, 'listEventTypes')).toBeUndefined();
		expect(await code(reading, 'placeOrders')).toBe('ACCESS_DENIED');
		expect(await code('BetfairAPI', 'listEventTypes')).toBe('INVALID_APP_KEY');
	});

	it('are refused from an address that the key does not allow', async () => {
		const player = await signUp(server);
		const { appKey } = await created(player, { addresses: ['203.0.113.0/24'] });
		expect((await logIn(player.userName, appKey)).status).toBe('FAIL');
		const { appKey: local } = await created(player, { addresses: ['127.0.0.0/8', '::1'] });
		expect((await logIn(player.userName, local)).status).toBe('SUCCESS');
	});

	it('and logins of the site open nothing of each other', async () => {
		const player = await signUp(server);
		const { appKey } = await created(player);
		const { token } = await logIn(player.userName, appKey);
		expect((await server.call('getUserInfo', {}, token)).code).toBe('LOGIN_EXPIRED');
		expect((await keepAlive(player.token)).error).toBe('NO_SESSION');
		await server.result('logout', {}, player.token);
		expect((await keepAlive(token)).status).toBe('SUCCESS');
	});

	it('end by a log-out, by a new password, and outlive a restart otherwise', async () => {
		const player = await signUp(server);
		const { appKey } = await created(player);
		const tokens = await Promise.all([1, 2, 3].map(async () => (await logIn(player.userName, appKey)).token));
		const headers = { 'X-Application': appKey, 'X-Authentication': tokens[0] ?? '' };
		expect(await identity('logout', headers)).toEqual({
			token: tokens[0],
			product: appKey,
			status: 'SUCCESS',
			error: '',
		});
		expect(await identity('logout', headers)).toMatchObject({ status: 'FAIL', error: 'NO_SESSION' });
		server = await restartShared();
		expect((await keepAlive(tokens[0] ?? '')).error).toBe('NO_SESSION');
		expect((await keepAlive(tokens[1] ?? '')).status).toBe('SUCCESS');
		const newPassword = `${PASSWORD}2`;
		const change = { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword };
		await server.result('changePassword', change, player.token);
		expect((await keepAlive(tokens[1] ?? '')).error).toBe('NO_SESSION');
		expect(await keepAlive('', appKey)).toEqual({
			token: '',
			product: appKey,
			status: 'FAIL',
			error: 'INPUT_VALIDATION_ERROR',
		});
	});
});
