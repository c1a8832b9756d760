/**
 * Clients that connect and then say, or take, little or nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm, isLongForm } from './support/form.ts';
import { demoPlayer } from './support/player-client.ts';
import { RawClient } from './support/raw-clients.ts';

const CLIENTS = byForm(20, 1_000);
/**
 * The long form waits for what the server does when it is told nothing. The short one is as long as a busy machine may stand
 * still: a client that could not speak for so long is a slow one.
 */
const TIMEOUT_SECONDS = byForm(4, 30);
const BYTE_EVERY_MS = byForm(200, 1_000);
/** A cut that comes later than this fails the test; the server looks once a second. */
const CUT_WITHIN_MS = TIMEOUT_SECONDS * 1000 + 10_000;

let server: FaultyServer;
beforeAll(async () => {
	server = await FaultyServer.start({
		args: ['--no-feeds'],
		environment: { CLIENT_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) },
	});
});
afterAll(() => server?.dispose());

const HOST = 'Host: localhost\r\n';
const ANSWERS = 1_000;
/** A busy machine takes a while to make as many of them as fit on the line. */
const ANSWERS_MADE_WITHIN_MS = 8_000;
const ENDLESS = 'x'.repeat(10_000);

/** Resolves with the server's last words before it closed the connection. @throws Error when it did not in time */
async function cut(client: RawClient): Promise<string> {
	const limit = new Promise<never>((_, reject) => {
		setTimeout(() => reject(new Error('The server still holds the connection.')), CUT_WITHIN_MS).unref();
	});
	await Promise.race([client.closed, limit]);
	return client.received;
}

async function negotiated(): Promise<string> {
	const response = await fetch(`${server.url}/hub/negotiate?negotiateVersion=1`, { method: 'POST' });
	return ((await response.json()) as { connectionToken: string }).connectionToken;
}

// All of them wait for the same thing.
describe.concurrent('the server', () => {
	it('silent sockets are cut off, and other players are served meanwhile', async () => {
		const silent = await Promise.all(Array.from({ length: CLIENTS }, () => RawClient.open(server.port)));
		expect(await demoPlayer(server)).toEqual(expect.any(String));
		await Promise.all(silent.map(cut));
	});

	it.each([
		['the head of a request', 'GET / HTTP/1.1\r\nX-Slow: '],
		[
			'the handshake of a WebSocket',
			`GET /hub HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nX-Slow: `,
		],
		[
			'the body of a call',
			`POST /Account/Authenticate HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n`,
		],
	])('%s that comes byte by byte is cut off', async (_, begin) => {
		const client = await RawClient.open(server.port);
		client.send(begin);
		client.trickle(ENDLESS, BYTE_EVERY_MS);
		expect(await cut(client)).toContain('REQUEST_TOO_SLOW');
	});

	it('a poller that sends byte by byte is cut off', async () => {
		const path = `/hub?id=${await negotiated()}`;
		await fetch(`${server.url}${path}`);
		const client = await RawClient.open(server.port);
		client.send(`POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 10000\r\n\r\n`);
		client.trickle(ENDLESS, BYTE_EVERY_MS);
		expect(await cut(client)).toContain('REQUEST_TOO_SLOW');
	});

	it('a connection that is kept alive and not used is cut off', async () => {
		const client = await RawClient.open(server.port);
		client.send(`GET /live HTTP/1.1\r\n${HOST}\r\n`);
		expect(await cut(client)).toContain('200 OK');
	});

	it('a client that does not take its answers is cut off', { tags: 'thorough' }, async () => {
		const client = await RawClient.open(server.port);
		client.stopReading();
		// More than the buffers of the operating system hold.
		client.send(`GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(ANSWERS));
		// A client that does not read learns nothing of the cut, so that there is no event to wait for.
		await delay(TIMEOUT_SECONDS * 1000 + ANSWERS_MADE_WITHIN_MS);
		client.readOn();
		const answers = (await cut(client)).match(/200 OK/g) ?? [];
		expect(answers.length).toBeLessThan(ANSWERS);
	});

	it('a refused WebSocket whose client does not hang up is cut off', async () => {
		const client = await RawClient.open(server.port);
		client.send(
			`GET /hub?id=unknown HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`,
		);
		expect(await cut(client)).toContain('UNKNOWN_CONNECTION');
	});

	it.runIf(isLongForm)('a WebSocket that says nothing after its handshake is cut off', async ({ expect }) => {
		const client = await RawClient.open(server.port);
		client.send(
			`GET /hub HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
				'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
		);
		await expect.poll(() => client.received).toContain('101 Switching Protocols');
		// The hub has a patience of its own: 15 s.
		const limit = new Promise<string>((resolve) => setTimeout(resolve, 25_000, 'still open').unref());
		expect(await Promise.race([client.closed, limit])).toBeUndefined();
	});

	// In the long form the hub's own patience of 15 s answers the poll first.
	it.skipIf(isLongForm)('a waiting poll does not count as a slow client', async ({ expect }) => {
		const path = `/hub?id=${await negotiated()}`;
		await fetch(`${server.url}${path}`);
		const poll = await RawClient.open(server.port);
		poll.send(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
		const silent = await RawClient.open(server.port);
		await cut(silent);
		expect(poll.isOpen).toBe(true);
		await fetch(`${server.url}${path}`, { method: 'POST', body: '{"protocol":"json","version":1}\u001e' });
		await expect.poll(() => poll.received).toContain('{}\u001e');
	});
});
