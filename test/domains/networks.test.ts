/** Limits by address: an IPv6 network of 64 bits is one visitor, wherever addresses are counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';

/** Fifty hub connections of an address, and one demo player a minute. */
const FACTOR = 0.05;
const MOST_CONNECTIONS = 1000 * FACTOR;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { rateLimitFactor: FACTOR, trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.dispose());

const statusFrom = async (address: string, path: string, method: string): Promise<number> =>
	(await fetch(`${server.url}${path}`, { method, headers: { 'X-Forwarded-For': address } })).status;

describe('an IPv6 network of 64 bits', () => {
	it('has the hub connections of one address, in all its addresses', async () => {
		const negotiate = (address: string) => statusFrom(address, '/hub/negotiate?negotiateVersion=1', 'POST');
		for (let at = 0; at < MOST_CONNECTIONS; at++) expect(await negotiate(`2001:db8:1:2::${at}`)).toBe(200);
		expect(await negotiate('2001:db8:1:2:3::3')).toBe(429);
		expect(await negotiate('2001:db8:1:3::1')).toBe(200);
	});

	it('has the calls of one address', async () => {
		const logIn = (address: string) => statusFrom(address, '/Account/LoginAsDemoUser', 'GET');
		expect([await logIn('2001:db8:1:2::1'), await logIn('2001:db8:1:2::2')]).toEqual([200, 429]);
		expect(await logIn('2001:db8:1:3::1')).toBe(200);
	});
});
