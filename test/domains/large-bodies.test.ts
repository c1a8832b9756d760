/** Large bodies: they are read for senders who show a key alone, and none has more values than the server can read at once. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { type Bot, openBot, post } from '../bots-api/bot.ts';
import { bearer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const LARGE = 200_000;
const TOO_MANY = 50_001;

let server: TestServer;
let bot: Bot;
beforeAll(async () => {
	server = await sharedServer();
	bot = await openBot(server);
});

/** Sends the head of a request, and nothing of the body that it announces. */
async function answerToHead(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
	const asked = request(`${server.url}${path}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', 'Content-Length': String(LARGE), ...headers },
	});
	asked.flushHeaders();
	const [answer] = (await once(asked, 'response')) as [IncomingMessage];
	const answered = { status: answer.statusCode ?? 0, text: await text(answer) };
	asked.on('error', () => undefined).destroy();
	return answered;
}

const console = { Host: 'console.test', 'X-Console': '1' };

it.each([
	['a picture', '/Setting/StoreImage', {}, 'NOT_LOGGED_IN'],
	['a call that another process passes', '/operator/passed-call', {}, 'NOT_LOGGED_IN'],
	['a request that another process passes', '/operator/passed-request', {}, 'NOT_LOGGED_IN'],
	['a call of the console', '/api/brand-picture', console, 'NOT_LOGGED_IN'],
	['a callback of the payment provider', '/api/Payment/Webhook', { 'Content-Length': '16000' }, 'FORBIDDEN'],
	['a batch of a bot', '/exchange/betting/json-rpc/v1', {}, 'NO_APP_KEY'],
	['a call of a bot', '/exchange/betting/rest/v1.0/placeOrders/', { 'X-Application': 'none' }, 'NO_SESSION'],
	['a log-in of a bot', '/api/login', {}, 'REQUEST_SIZE_EXCEEDS_LIMIT'],
])('%s is refused before its body is read, if it shows no key', async (_, path, headers, code) => {
	const answer = await answerToHead(path, headers);
	expect(answer.text).toContain(code);
});

const zeros = (count: number) => JSON.stringify(Array.from({ length: count }, () => 0));

it('a call with too many values is refused', async () => {
	const { token } = await server.demoPlayer();
	const answer = await server.send('/Setting/StoreImage', {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...bearer(token) },
		body: `{"image":${zeros(TOO_MANY)}}`,
	});
	expect([answer.status, answer.code]).toEqual([400, 'BODY_TOO_LARGE']);
});

it('a text counts once, whatever is in it', async () => {
	const { token } = await server.demoPlayer();
	const answer = await server.send('/Setting/StoreImage', {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...bearer(token) },
		body: `{"image":"\\"${',['.repeat(TOO_MANY)}"}`,
	});
	expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
});

it('a batch of a bot with too many values is refused', async () => {
	const asked = `[{"method":"SportsAPING/v1.0/listEventTypes","params":{"filter":{"textQuery":${zeros(TOO_MANY)}}},"id":1}]`;
	expect(await post(server, bot, '/exchange/betting/json-rpc/v1', asked)).toMatchObject({
		error: { data: { APINGException: { errorCode: 'REQUEST_SIZE_EXCEEDS_LIMIT' } } },
	});
});

it('a large batch of a bot with its key is answered', async () => {
	const asked = JSON.stringify([
		{ method: 'SportsAPING/v1.0/listEventTypes', params: { filter: {} }, id: 1 },
		{ method: 'SportsAPING/v1.0/listEventTypes', params: { filter: { textQuery: 'x'.repeat(LARGE) } }, id: 2 },
	]);
	expect(await post(server, bot, '/exchange/betting/json-rpc/v1', asked)).toMatchObject([
		{ id: 1, result: expect.any(Array) },
		{ id: 2 },
	]);
});
