/**
 * Streams come over https, or from this machine: the addresses that operators may set, and those set before that rule.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const MIGRATION = join(import.meta.dirname, '..', '..', 'db', 'migrations', '0192-streams-over-https.sql');
const ALLOWED = ['https://tv.example/a.m3u8', 'http://localhost:8080/a.m3u8', 'http://127.0.0.1/a.m3u8'];
const REFUSED = ['http://tv.example/a.m3u8', 'http://localhost.example/a.m3u8', 'http://127.0.0.1.example/a.m3u8'];

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

describe('the service that streams come from', () => {
	const set = (value: string) => server.operator('brand-set', { host: 'localhost', field: 'streamUrl', value });

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

it('older addresses are removed, and the server starts', async () => {
	const { eventId } = await openTestMatch(server);
	const { db } = server.database;
	await server.stop();
	for (const address of [...ALLOWED, ...REFUSED]) {
		await db.query('update fixture set stream_url = $1 where id = $2', [address, eventId]);
		const setting = JSON.stringify({ streamUrl: address });
		await db.query(`update brand set setting = $1 where host = 'localhost'`, [setting]);
		await db.query(readFileSync(MIGRATION, 'utf8'));
		const fixtures = await db.query('select stream_url as url from fixture where id = $1', [eventId]);
		const brands = await db.query(`select setting->>'streamUrl' as url from brand where host = 'localhost'`);
		const kept = ALLOWED.includes(address) ? address : null;
		expect([fixtures.rows[0].url, brands.rows[0].url]).toEqual([kept, kept]);
	}
	server = await TestServer.start(server.database);
});
