/**
 * `/live` and `/ready` while the database is frozen, killed, or out of room.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultyServer } from './support/faulty-server.ts';
import { SmallDisk } from './support/small-disk.ts';

/** An answer that comes later than this is none. */
const ANSWERED_WITHIN_MS = 10_000;
const RECOVERED = { timeout: 30_000 };

let disk: SmallDisk | null = null;
let server: FaultyServer;
beforeAll(async () => {
	disk = SmallDisk.mount(256);
	server = await FaultyServer.start({ args: ['--no-feeds'], ...(disk ? { disk } : {}) });
});
afterAll(async () => {
	await server?.dispose();
	disk?.dispose();
});

async function statusOf(path: string): Promise<number> {
	return (await fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })).status;
}

const ready = () => statusOf('/ready');

it('a server with a working database is live and ready at every address', async () => {
	expect([await statusOf('/live'), await statusOf('/ready'), await statusOf('/healthz')]).toEqual([200, 200, 200]);
});

it('a server whose database is frozen is live and not ready while its whole pool waits, and ready again when it goes on', async () => {
	server.postgres.freeze();
	const calls = Array.from({ length: 50 }, () =>
		fetch(`${server.url}/Account/LoginAsDemoUser`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) }).catch(
			() => null,
		),
	);
	await expect.poll(ready, RECOVERED).toBe(503);
	expect([await statusOf('/live'), await statusOf('/healthz')]).toEqual([200, 503]);
	server.postgres.thaw();
	await Promise.all(calls);
	await expect.poll(ready, RECOVERED).toBe(200);
});

it('a server whose disk is full is live and not ready, and ready again when there is room', {
	tags: 'thorough',
}, async ({ skip }) => {
	if (!disk) skip();
	disk?.fill();
	await expect.poll(ready, RECOVERED).toBe(503);
	expect(await statusOf('/live')).toBe(200);
	disk?.free();
	await expect.poll(ready, RECOVERED).toBe(200);
});

it('a server whose database was killed is ready again when the database is back', async () => {
	server.postgres.kill();
	expect(await statusOf('/live')).toBe(200);
	await expect.poll(ready, RECOVERED).toBe(200);
});
