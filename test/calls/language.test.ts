import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';

const login = { userNameOrEmailAddress: 'Ravi', password: 'a long enough Passw0rd!' };
let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
	const brand = { host: 'localhost', pool: 'PLAY' } as const;
	await server.running.players.createPlayer({ userName: 'Ravi', password: login.password, brand });
});
afterAll(() => server.dispose());

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
	await server.database.db.query(`update player_preference set language = 'xx'`);
	await server.stop();
	server = await TestServer.start(server.database);
	expect((await server.result('authenticate', login)).language).toBeNull();
});

it('setLanguage: refusal of a language without texts', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.raw('setLanguage', { language: 'fr' }, token)).code).toBe('VALIDATION_FAILED');
});

it('setLanguage: not logged in', async () => {
	expect((await server.call('setLanguage', { language: 'hi' })).status).toBe(401);
});
