/** A back end that acts for a player: the authorization-code exchange. */
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';

const REDIRECT = 'https://partner.example/return';

let server: TestServer;
let client: { clientId: string; clientSecret: string };
beforeAll(async () => {
	server = await sharedServer();
	client = await server.running.players.createClient('Partner', 'localhost', REDIRECT);
});

async function codeFor(token: string): Promise<string> {
	const input = { clientId: client.clientId, redirectUri: REDIRECT };
	return (await server.result('createAuthorizationCode', input, token)).code;
}

const grant = (code: string, changes: Record<string, unknown> = {}) => ({
	client_id: client.clientId,
	client_secret: client.clientSecret,
	redirect_uri: REDIRECT,
	grant_type: 'authorization_code' as const,
	code,
	...changes,
});

describe('a code', () => {
	it('createAuthorizationCode: success', async () => {
		const { token } = await server.demoPlayer();
		const input = { clientId: client.clientId, redirectUri: REDIRECT };
		const { code, expireInSeconds } = await server.result('createAuthorizationCode', input, token);
		expect(code.length).toBeGreaterThan(40);
		expect(expireInSeconds).toBe(60);
	});

	it.each([
		['an unknown client', { clientId: 'nobody', redirectUri: REDIRECT }],
		['an address the client did not name', { clientId: '', redirectUri: 'https://thief.example/' }],
	])('createAuthorizationCode: refusal of %s', async (_, input) => {
		const { token } = await server.demoPlayer();
		const asked = { ...input, clientId: input.clientId || client.clientId };
		expect((await server.call('createAuthorizationCode', asked, token)).code).toBe('WRONG_GRANT');
	});

	it('createAuthorizationCode: not logged in', async () => {
		const input = { clientId: client.clientId, redirectUri: REDIRECT };
		expect((await server.call('createAuthorizationCode', input)).code).toBe('NOT_LOGGED_IN');
	});
});

describe('the exchange', () => {
	it('exchangeToken: success, tokens of the player, once', async () => {
		const { token, userId } = await server.demoPlayer();
		const code = await codeFor(token);
		const tokens = await server.result('exchangeToken', grant(code));
		expect(tokens.userId).toBe(String(userId));
		expect((await server.result('getUserInfo', {}, tokens.accessToken)).userId).toBe(String(userId));
		expect((await server.call('exchangeToken', grant(code))).code).toBe('WRONG_GRANT');
	});

	const asForm = (fields: string, path: string = CALLS.exchangeToken.path) =>
		server.send<{ access_token: string }>(`/${path}`, {
			method: 'POST',
			body: fields,
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});

	it('exchangeToken: success, as a form and under the names of OAuth', async () => {
		const { token, userId } = await server.demoPlayer();
		const fields = new URLSearchParams(grant(await codeFor(token))).toString();
		// Refused forms leave the code as it was.
		expect((await asForm(`${fields}&code=another`)).code).toBe('VALIDATION_FAILED');
		expect((await asForm(fields.replace('client_secret', 'secret'))).code).toBe('VALIDATION_FAILED');
		const { body } = await asForm(fields);
		expect(body.result).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });
		const user = await server.result('getUserInfo', {}, body.result?.access_token ?? '');
		expect(user.userId).toBe(String(userId));
	});

	it('a form is no body of any other call', async () => {
		expect((await asForm('password=x', CALLS.authenticate.path)).code).toBe('UNSUPPORTED_MEDIA_TYPE');
	});

	it.each([
		['a wrong secret', { client_secret: 'guess' }],
		['an unknown client', { client_id: 'nobody' }],
	])('exchangeToken: refusal of %s, which neither spends the code nor ends what it opened', async (_, changes) => {
		const { token } = await server.demoPlayer();
		const code = await codeFor(token);
		expect((await server.call('exchangeToken', grant(code, changes))).code).toBe('WRONG_GRANT');
		const { accessToken } = await server.result('exchangeToken', grant(code));
		expect((await server.call('exchangeToken', grant(code, changes))).code).toBe('WRONG_GRANT');
		expect((await server.call('getUserInfo', {}, accessToken)).status).toBe(200);
	});

	it('exchangeToken: refusal of another address and of another client’s code, and the code is spent', async () => {
		const { token } = await server.demoPlayer();
		const other = await server.running.players.createClient('Other', 'localhost', REDIRECT);
		for (const changes of [
			{ redirect_uri: 'https://thief.example/' },
			{ client_id: other.clientId, client_secret: other.clientSecret },
		]) {
			const code = await codeFor(token);
			expect((await server.call('exchangeToken', grant(code, changes))).code).toBe('WRONG_GRANT');
			expect((await server.call('exchangeToken', grant(code))).code).toBe('WRONG_GRANT');
		}
	});

	it('exchangeToken: refusal under another host', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.callElsewhere('exchangeToken', grant(await codeFor(token)))).code).toBe('WRONG_GRANT');
	});

	it('exchangeToken: refusal once the player has logged out', async () => {
		const { token } = await server.demoPlayer();
		const code = await codeFor(token);
		await server.result('logout', {}, token);
		expect((await server.call('exchangeToken', grant(code))).code).toBe('WRONG_GRANT');
	});

	it('a code that is used twice ends its tokens, also after a restart and in parallel', async () => {
		const { token } = await server.demoPlayer();
		const code = await codeFor(token);
		const tokens = await server.result('exchangeToken', grant(code));
		server = await restartShared();
		expect((await server.call('getUserInfo', {}, tokens.accessToken)).status).toBe(200);
		expect((await server.call('exchangeToken', grant(code))).code).toBe('WRONG_GRANT');
		expect((await server.call('getUserInfo', {}, tokens.accessToken)).status).toBe(401);
		expect((await server.call('refreshToken', { refreshToken: tokens.refreshToken })).status).toBe(401);
		// The player, who did nothing, stays.
		expect((await server.call('getUserInfo', {}, token)).status).toBe(200);

		const another = await codeFor(token);
		const answers = await Promise.all(Array.from({ length: 5 }, () => server.call('exchangeToken', grant(another))));
		const given = answers.flatMap(({ body }) => body.result?.accessToken ?? []);
		// The second use may end the first one before it is answered.
		expect(given.length).toBeLessThan(2);
		for (const one of given) expect((await server.call('getUserInfo', {}, one)).status).toBe(401);
	});

	it('tokens end with the player’s log-out only where the client was created so', async () => {
		const { players } = server.running;
		const bound = await players.createClient('Bound', 'localhost', REDIRECT, true);
		const { token } = await server.demoPlayer();
		const { code } = await server.result(
			'createAuthorizationCode',
			{ clientId: bound.clientId, redirectUri: REDIRECT },
			token,
		);
		const secrets = { client_id: bound.clientId, client_secret: bound.clientSecret };
		const ending = await server.result('exchangeToken', grant(code, secrets));
		const lasting = await server.result('exchangeToken', grant(await codeFor(token)));
		server = await restartShared();
		await server.result('logout', {}, token);
		expect((await server.call('getUserInfo', {}, ending.accessToken)).status).toBe(401);
		expect((await server.call('refreshToken', { refreshToken: ending.refreshToken })).status).toBe(401);
		expect((await server.call('getUserInfo', {}, lasting.accessToken)).status).toBe(200);
	});

	it('exchangeToken: refusal of another grant type', async () => {
		expect((await server.raw('exchangeToken', grant('x', { grant_type: 'password' }))).code).toBe('VALIDATION_FAILED');
	});
});
