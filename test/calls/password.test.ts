/** Changing the password, who tried it, and how often it may be tried. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HubClient } from '../hub/hub-client.ts';
import { TestServer } from '../support/server.ts';

const OLD = 'kingfisher#7';
const NEW = 'Nightingale 8!';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

let count = 0;
/** A new player's name. */
async function player(): Promise<string> {
	count += 1;
	const userName = `keeper${count}`;
	const brand = { host: 'localhost', pool: 'PLAY' } as const;
	await server.running.accounts.createPlayer({ userName, password: OLD, brand });
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

describe('changing the password', () => {
	it('changePassword: success, the old one is worth nothing and the new one is taken as it was typed', async () => {
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

	it('changePassword: refusal for a demo player, who has none', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('changePassword', change(OLD, NEW), token)).code).toBe('FORBIDDEN');
	});

	it('changePassword: not logged in', async () => {
		expect((await server.call('changePassword', change(OLD, NEW))).code).toBe('NOT_LOGGED_IN');
	});
});

describe('who tried', () => {
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

	it('getUserLoginAttempts: refusal of another result', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.raw('getUserLoginAttempts', { Result: 'MAYBE' }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getUserLoginAttempts: not logged in', async () => {
		expect((await server.call('getUserLoginAttempts', {})).code).toBe('NOT_LOGGED_IN');
	});
});

describe('how long a token is good for', () => {
	it('getAccessTokenValidateTime: success, and 0 for one that is dead or none', async () => {
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

describe('guessing', () => {
	let strict: TestServer;
	beforeAll(async () => {
		strict = await TestServer.start(undefined, { rateLimitFactor: 1 });
		const brand = { host: 'localhost', pool: 'PLAY' } as const;
		await strict.running.accounts.createPlayer({ userName: 'target', password: OLD, brand });
	});
	afterAll(() => strict.dispose());

	/** Codes of so many tries of one name. */
	async function guess(userNameOrEmailAddress: string, tries: number): Promise<(string | null)[]> {
		const codes: (string | null)[] = [];
		for (let at = 0; at < tries; at++) {
			codes.push((await strict.call('authenticate', { userNameOrEmailAddress, password: `guess ${at}` })).code);
		}
		return codes;
	}

	it('is throttled by account after ten tries, alike whether the account exists, and by address after twenty', async () => {
		const eleven = [...Array.from({ length: 10 }, () => 'WRONG_CREDENTIALS'), 'THROTTLED'];
		expect(await guess('target', 11)).toEqual(eleven);
		expect(await guess('nobody-here', 9)).toEqual(Array.from({ length: 9 }, () => 'WRONG_CREDENTIALS'));
		// The twenty-first from this address, whatever the name; the right password does not help either.
		const right = await strict.call('authenticate', { userNameOrEmailAddress: 'target', password: OLD });
		expect([right.status, right.code]).toEqual([429, 'THROTTLED']);
	});
});
