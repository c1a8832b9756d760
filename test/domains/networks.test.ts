/** Limits by address: an IPv6 network of 64 bits is one visitor, wherever addresses are counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';

/** One demo player a minute. */
const FACTOR = 0.05;
const MOST_CONNECTIONS = 50;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, {
		rateLimitFactor: FACTOR,
		hubLimits: { perAddress: MOST_CONNECTIONS, perPlayer: MOST_CONNECTIONS },
		trustedProxies: ['127.0.0.1'],
	});
});
afterAll(() => server.dispose());

const statusFrom = async (address: string, path: string, method: string): Promise<number> =>
	(await fetch(`${server.url}${path}`, { method, headers: { 'X-Forwarded-For': address } })).status;

describe('an IPv6 network of 64 bits', () => {
	it('has the hub connections of one address', async () => {
		const negotiate = async (address: string): Promise<string> => {
			const headers = { 'X-Forwarded-For': address };
			const response = await fetch(`${server.url}/hub/negotiate?negotiateVersion=1`, { method: 'POST', headers });
			return ((await response.json()) as { connectionToken: string }).connectionToken;
		};
		const stands = async (token: string) => (await statusFrom('2001:db8:9::1', `/hub?id=${token}`, 'GET')) === 200;
		const [oldest, second] = [await negotiate('2001:db8:1:2::1'), await negotiate('2001:db8:1:2::2')];
		for (let at = 2; at < MOST_CONNECTIONS; at++) await negotiate(`2001:db8:1:2::${at}`);
		await negotiate('2001:db8:1:3::1');
		await negotiate('2001:db8:1:2:3::3');
		expect([await stands(oldest), await stands(second)]).toEqual([false, true]);
	});

	it('has the calls of one address', async () => {
		const logIn = (address: string) => statusFrom(address, '/Account/LoginAsDemoUser', 'GET');
		expect([await logIn('2001:db8:1:2::1'), await logIn('2001:db8:1:2::2')]).toEqual([200, 429]);
		expect(await logIn('2001:db8:1:3::1')).toBe(200);
	});
});
