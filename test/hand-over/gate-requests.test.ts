/**
 * Requests at the gate of a hand-over, between two servers with real ports: what is held, what is passed on as it came, and
 * what happens when the successor is not there.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answerOf } from '#server/doors/http/envelope.ts';
import { closeHttp, plainServer, send } from '#server/doors/http/plain-server.ts';
import { Gate } from '#server/process/hand-over/gate.ts';
import { gateRequests } from '#server/process/hand-over/gate-requests.ts';
import { passedRequestRoute, passRequestsTo } from '#server/process/hand-over/pass-requests.ts';
import { RawClient } from '../faults/support/raw-clients.ts';
import { rawRequest } from '../support/raw-request.ts';

const KEY = 'a-key-of-operators';
const DEADLINE_MS = 10_000;
const SHORT_DEADLINE_MS = 300;
const MEBIBYTE = 1024 * 1024;

interface Process {
	http: FastifyInstance;
	url: string;
	gate: Gate;
	/** Bodies of requests that its handlers got. */
	begun: string[];
	/** Called before a handler answers. */
	atAnswer: (breakOff: () => void) => Promise<void> | void;
}

/** What was asked, so that a test that fails before it awaits an answer leaves neither a request nor a rejection behind. */
let asked: Promise<unknown>[] = [];
function kept<Result>(answer: Promise<Result>): Promise<Result> {
	asked.push(answer.catch(() => {}));
	return answer;
}

let processes: Process[] = [];
let old: Process;
let successor: Process;
beforeEach(async () => {
	[old, successor] = [await start('old'), await start('successor')];
	processes = [old, successor];
});
afterEach(async () => {
	for (const { http } of processes) await closeHttp(http);
	await Promise.all(asked);
	asked = [];
});

/** @param trustedProxies our own, in front of the process */
async function start(
	name: string,
	{ trustedProxies = [] as string[], callDeadlineMs = DEADLINE_MS } = {},
): Promise<Process> {
	const log = pino({ level: 'silent' });
	const http = plainServer({ trustedProxies, log, clientTimeoutMs: 5_000, isReady: async () => true });
	const process: Process = { http, url: '', gate: new Gate(), begun: [], atAnswer: () => {} };
	passedRequestRoute(http, KEY);
	await http.register(async (scope) => {
		gateRequests(scope, { gate: process.gate, passTo: passRequestsTo(KEY), callDeadlineMs });
		await scope.register(async (raw) => {
			raw.removeAllContentTypeParsers();
			raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 60 * MEBIBYTE }, (_, body, done) =>
				done(null, body),
			);
			for (const [path, isRepeatable] of [
				['/raw/*', true],
				['/once/*', false],
			] as const) {
				raw.post(path, { config: { isRepeatable }, bodyLimit: 60 * MEBIBYTE }, async (request, reply) => {
					const bytes = request.body as Buffer;
					process.begun.push(bytes.toString('latin1'));
					await process.atAnswer(() => reply.raw.destroy());
					reply.code(201).header('Set-Cookie', ['one=1', 'other=2']);
					const { url, headers, ip, protocol } = request;
					return { name, url, ip, protocol, signature: headers['x-signature'], digest: hash('sha256', bytes) };
				});
			}
		});
		scope.post('/json', async ({ body }) => ({ name, body }));
		scope.post('/looks', { config: { onlyReads: true } }, async () => {
			await process.atAnswer(() => {});
			return { name };
		});
		scope.get('/page', async () => ({ name }));
	});
	process.url = await http.listen({ port: 0, host: '127.0.0.1' });
	return process;
}

/** A process beside the two. */
async function another(...[name, options]: Parameters<typeof start>): Promise<Process> {
	const process = await start(name, options);
	processes.push(process);
	return process;
}

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}, { url } = old) =>
	kept(fetch(`${url}${path}`, { method: 'POST', body: body as BodyInit, headers }));
const fieldsIn = async <Fields>(response: Promise<Response>): Promise<Fields> =>
	(await (await response).json()) as Fields;
const nameIn = (response: Promise<Response>): Promise<string> =>
	kept(fieldsIn<{ name: string }>(response).then(({ name }) => name));
const codeIn = (response: Promise<Response>): Promise<string> =>
	kept(fieldsIn<{ error: { code: string } }>(response).then(({ error }) => error.code));

async function unusedUrl(): Promise<string> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return `http://127.0.0.1:${port}`;
}

describe('a request', () => {
	it('waits while the gate is closed, and goes on here when the hand-over is taken back', async () => {
		await old.gate.hold();
		const waiting = nameIn(post('/json', '{}', { 'Content-Type': 'application/json' }));
		// A page is not held, and is answered after the request has come.
		expect(await nameIn(fetch(`${old.url}/page`))).toBe('old');
		expect(old.begun).toEqual([]);
		old.gate.open();
		expect(await waiting).toBe('old');
	});

	it('reaches the successor as it came: bytes, path, head; and so does the answer', async () => {
		const body = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
		await old.gate.hold();
		const waiting = post('/raw/Some%20Path?a=1&b=%2F', body, { 'X-Signature': 'of these bytes' });
		old.gate.open(successor.url);
		const response = await waiting;
		expect(response.status).toBe(201);
		expect(response.headers.getSetCookie()).toEqual(['one=1', 'other=2']);
		expect(await response.json()).toEqual({
			name: 'successor',
			url: '/raw/Some%20Path?a=1&b=%2F',
			ip: '127.0.0.1',
			protocol: 'http',
			signature: 'of these bytes',
			digest: hash('sha256', body),
		});
		const json = { text: '₹ „“', numbers: [1, 0.1, null] };
		const parsed = await post('/json', JSON.stringify(json), { 'Content-Type': 'application/json' });
		expect(await parsed.json()).toEqual({ name: 'successor', body: json });
	});

	it.each([
		{ trusted: ['127.0.0.1'], ip: '203.0.113.7', protocol: 'https' },
		{ trusted: [], ip: '127.0.0.1', protocol: 'http' },
	])('has the client’s address there that it has here, proxies $trusted', async ({ trusted, ip, protocol }) => {
		const behind = await another('behind', { trustedProxies: trusted });
		const next = await another('next', { trustedProxies: trusted });
		const ask = async () => {
			const headers = ['X-Forwarded-For: 203.0.113.7', 'X-Forwarded-Proto: https', 'Content-Length: 2'];
			const answer = await rawRequest(behind.url, ['POST /raw/x HTTP/1.1', 'Host: localhost', ...headers], 'ab');
			return JSON.parse(answer.body) as object;
		};
		expect(await ask()).toMatchObject({ name: 'behind', ip, protocol });
		behind.gate.open(next.url);
		expect(await ask()).toMatchObject({ name: 'next', ip, protocol });
	});

	it('passes on for those alone who know the key', async () => {
		const passed = { method: 'POST', url: '/json', headers: {}, remoteAddress: '127.0.0.1', body: '' };
		const response = await fetch(`${successor.url}/operator/passed-request`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: 'Operator another' },
			body: JSON.stringify(passed),
		});
		expect(response.status).toBe(401);
	});
});

describe('the drain', () => {
	it('waits for a request that may change something, and not for one that only reads', async () => {
		const answering = Promise.withResolvers<void>();
		old.atAnswer = () => answering.promise;
		const looking = nameIn(post('/looks', ''));
		const changing = post('/once/x', 'x');
		await expect.poll(() => old.begun).toEqual(['x']);
		const drained = old.gate.hold().then(() => 'drained');
		expect(await Promise.race([drained, nameIn(fetch(`${old.url}/page`))])).toBe('old');
		// Held, so that only what came before is waited for.
		const late = nameIn(post('/once/x', 'late'));
		answering.resolve();
		await drained;
		expect((await changing).status).toBe(201);
		expect(await looking).toBe('old');
		old.gate.open(successor.url);
		expect(await late).toBe('successor');
		expect([old.begun, successor.begun]).toEqual([['x'], ['late']]);
	});

	it('does not wait for a client that sends its body slowly', async () => {
		const client = await RawClient.open(Number(new URL(old.url).port));
		client.send('POST /once/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nsl');
		expect(await nameIn(fetch(`${old.url}/page`))).toBe('old');
		await old.gate.hold();
		old.gate.open(successor.url);
		client.send('ow');
		await client.closed;
		expect(client.received).toContain('"name":"successor"');
		expect([old.begun, successor.begun]).toEqual([[], ['slow']]);
	});
});

it('refuses what would take more memory than the gate may keep, and frees it afterwards', async () => {
	// A body without a length may be as long as the route allows: three of them are too much.
	const flood = async () => {
		await old.gate.hold();
		const clients = await Promise.all([1, 2, 3].map(() => RawClient.open(Number(new URL(old.url).port))));
		for (const client of clients)
			client.send(
				'POST /raw/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
			);
		await Promise.race(clients.map(({ closed }) => closed));
		const refused = clients.filter(({ received }) => received !== '');
		expect(refused.map(({ received }) => received)).toEqual([expect.stringContaining('OVERLOADED')]);
		old.gate.open();
		await Promise.all(clients.map(({ closed }) => closed));
		expect(clients.filter(({ received }) => received.includes('"name":"old"'))).toHaveLength(2);
	};
	await flood();
	await flood();
});

describe('a successor', () => {
	it('that does not serve yet is asked again, and nothing is done when it does not in time', async () => {
		const impatient = await another('impatient', { callDeadlineMs: SHORT_DEADLINE_MS });
		const starting = plainServer({
			trustedProxies: [],
			log: pino({ level: 'silent' }),
			clientTimeoutMs: 5_000,
			isReady: async () => false,
		});
		onTestFinished(() => closeHttp(starting));
		starting.setNotFoundHandler((request, reply) => send(request, reply, answerOf('STARTING')));
		const url = await starting.listen({ port: 0, host: '127.0.0.1' });
		old.gate.open(url);
		const waiting = nameIn(post('/once/x', 'x'));
		impatient.gate.open(url);
		// The last time it asks may be on its way when the deadline passes: then it cannot know.
		const given = await codeIn(post('/once/x', 'never', {}, impatient));
		expect(given).toMatch(/^(DEADLINE_PASSED|OUTCOME_UNKNOWN)$/);
		starting.server.removeAllListeners('request').on('request', successor.http.routing);
		expect(await waiting).toBe('successor');
		// Nothing listens there, and no connection to it was ever open.
		impatient.gate.open(await unusedUrl());
		expect(await codeIn(post('/once/x', 'never', {}, impatient))).toBe('DEADLINE_PASSED');
		expect(successor.begun).toEqual(['x']);
	});

	it('that fails says so as it does to its own clients', async () => {
		old.gate.open(successor.url);
		successor.atAnswer = () => {
			throw new Error('a fault');
		};
		const response = await post('/raw/x', 'x');
		expect([response.status, await codeIn(Promise.resolve(response))]).toEqual([500, 'INTERNAL']);
	});

	it('whose answer is lost gets a request again only where it is done once', async () => {
		const breaks = (times: number) => (breakOff: () => void) => {
			if (times-- > 0) breakOff();
		};
		old.gate.open(successor.url);
		successor.atAnswer = breaks(1);
		expect(await nameIn(post('/raw/x', 'repeated'))).toBe('successor');
		successor.atAnswer = breaks(1);
		expect(await codeIn(post('/once/x', 'once'))).toBe('OUTCOME_UNKNOWN');
		expect(successor.begun).toEqual(['repeated', 'repeated', 'once']);
	});

	it('that never answers leaves the outcome open', async () => {
		const impatient = await another('impatient', { callDeadlineMs: SHORT_DEADLINE_MS });
		impatient.gate.open(successor.url);
		const answering = Promise.withResolvers<void>();
		successor.atAnswer = () => answering.promise;
		for (const path of ['/raw/x', '/once/x'])
			expect(await codeIn(post(path, path, {}, impatient))).toBe('OUTCOME_UNKNOWN');
		answering.resolve();
		expect(successor.begun).toEqual(['/raw/x', '/once/x']);
	});
});
