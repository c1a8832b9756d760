/** Two SMS gateways with receipts: what the first refuses, or does not deliver, goes by the second, once. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { TestServer } from '../support/server.ts';

const RECEIPT_KEY = 'the key that gateways show with receipts';
let gateway: Server;
let server: TestServer;
/** What each gateway was asked for, and answers. */
const asked: { to: string; id: string; by: string }[] = [];
let refusing = '';
beforeAll(async () => {
	gateway = createServer(async (request: IncomingMessage, response) => {
		const by = request.url ?? '';
		asked.push({ ...(JSON.parse(await text(request)) as { to: string; id: string }), by });
		response.writeHead(by === refusing ? 500 : 202).end();
	}).listen(0, '127.0.0.1');
	await once(gateway, 'listening');
	const at = (path: string) => `http://127.0.0.1:${(gateway.address() as AddressInfo).port}${path}`;
	const second = { url: at('/second'), key: '' };
	const sms = { url: at('/first'), key: '', sender: 'BACKLAY', second, receiptKey: RECEIPT_KEY };
	const database = await freshDatabase();
	await database.db.query(`insert into brand (host, setting) values ('localhost', '{"allowSignUp": true}')`);
	server = await TestServer.start(database, { sms });
});
afterAll(async () => {
	await server.dispose();
	gateway.close();
});
beforeEach(() => {
	refusing = '';
});

let number = 9_100_000_000;
/** A player registers. @returns the mobile */
async function codeFor(userName: string): Promise<string> {
	const mobile = String(++number);
	const password = 'kingfisher#7';
	await server.result('register', { userName, mobile, password, confirmPassword: password });
	return `+91${mobile}`;
}
const sentTo = (mobile: string) => asked.filter(({ to }) => to === mobile);
const waysTo = (mobile: string) => sentTo(mobile).map(({ by }) => by);
const receipt = async (id: string, status: string, key = RECEIPT_KEY) =>
	(await server.post('api/Sms/Receipt', JSON.stringify({ id, status }), { Authorization: `Bearer ${key}` })).status;
const kept = async (mobile: string) =>
	(
		await server.database.db.query<{ text: string; deliveredAt: number | null }>(
			'select text, delivered_at as "deliveredAt" from outbox where mobile = $1',
			[mobile],
		)
	).rows[0];

it('a message that the first gateway refuses goes by the second at once', async () => {
	refusing = '/first';
	const mobile = await codeFor('gita');
	await expect.poll(() => waysTo(mobile)).toEqual(['/first', '/second']);
});

it('a message that was delivered is sent no more, and its text is gone', async () => {
	const mobile = await codeFor('hema');
	await expect.poll(() => sentTo(mobile).length).toBe(1);
	const { id = '' } = sentTo(mobile)[0] ?? {};
	await expect.poll(() => receipt(id, 'DELIVERED')).toBe(200);
	await expect.poll(() => kept(mobile)).toMatchObject({ text: '', deliveredAt: expect.any(Number) });
	expect([await receipt(id, 'FAILED'), waysTo(mobile)]).toEqual([200, ['/first']]);
});

it('a message that was not delivered goes by the second gateway once, however often the first says so', async () => {
	const mobile = await codeFor('indra');
	await expect.poll(async () => (await kept(mobile))?.text).not.toBe('');
	await expect.poll(() => sentTo(mobile).length).toBe(1);
	const { id = '' } = sentTo(mobile)[0] ?? {};
	// The row may not say yet that the message was sent.
	await expect
		.poll(async () => {
			await Promise.all([1, 2, 3].map(() => receipt(id, 'FAILED')));
			return waysTo(mobile);
		})
		.toEqual(['/first', '/second']);
	expect(new Set(sentTo(mobile).map((sent) => sent.id)).size).toBe(2);
});

it('refuses receipts without the key, and those that name no message', async () => {
	expect(await receipt('x', 'DELIVERED', 'another key')).toBe(403);
	expect(await receipt('x', 'DELIVERED')).toBe(400);
	expect(await receipt(`${crypto.randomUUID()}.0`, 'FAILED')).toBe(200);
});
