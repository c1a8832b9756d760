import { beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';

const login = { userNameOrEmailAddress: 'Rohini', password: 'a long enough Passw0rd!' };
let server: TestServer;
let playerId: number;
beforeAll(async () => {
	server = await sharedServer();
	const brand = { host: 'localhost', pool: 'PLAY' } as const;
	({ playerId } = await server.running.players.createPlayer({ userName: 'Rohini', password: login.password, brand }));
});

it('setLanguage: success, the next login has the language', async () => {
	const { accessToken, language } = await server.result('authenticate', login);
	expect(language).toBeNull();
	expect(await server.result('setLanguage', { language: 'en' }, accessToken)).toBeNull();
	expect(await server.result('setLanguage', { language: 'hi' }, accessToken)).toBeNull();
	expect((await server.result('authenticate', login)).language).toBe('hi');
});

it('a language that a later version had is as none chosen', async () => {
	const { accessToken } = await server.result('authenticate', login);
	await server.result('setLanguage', { language: 'bn' }, accessToken);
	expect((await server.result('authenticate', login)).language).toBe('bn');
	server = await restartShared(() =>
		server.database.db.query(`update player_preference set language = 'xx' where player_id = $1`, [playerId]),
	);
	expect((await server.result('authenticate', login)).language).toBeNull();
});

it('setLanguage: refusal of a language without texts', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.raw('setLanguage', { language: 'fr' }, token)).code).toBe('VALIDATION_FAILED');
});

it('setLanguage: not logged in', async () => {
	expect((await server.call('setLanguage', { language: 'hi' })).status).toBe(401);
});
