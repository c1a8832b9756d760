/** Streams come over https, or from this machine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const ALLOWED = ['https://tv.example/a.m3u8', 'http://localhost:8080/a.m3u8', 'http://127.0.0.1/a.m3u8'];
const REFUSED = ['http://tv.example/a.m3u8', 'http://localhost.example/a.m3u8', 'http://127.0.0.1.example/a.m3u8'];

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

describe('the service that streams come from', () => {
	const set = (value: string) => server.operator('brand-set', { host: 'localhost', field: 'streamUrl', value });
	afterAll(() => set(''));

	it.each([...ALLOWED, '/streams', ''])('may be %j', async (address) => {
		expect((await set(address)).status).toBe(200);
	});

	it.each(REFUSED)('may not be %s', async (address) => {
		expect((await set(address)).code).toBe('VALIDATION_FAILED');
	});
});

it('a match accepts streams of these services alone', async () => {
	const { eventId } = await openTestMatch(server);
	for (const address of ALLOWED) expect((await server.operator('stream', { eventId, address })).status).toBe(200);
	for (const address of REFUSED) {
		expect((await server.operator('stream', { eventId, address })).code).toBe('VALIDATION_FAILED');
	}
});
