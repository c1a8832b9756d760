/** Before a hub connection stands: negotiation, the ways in, tokens, other origins, and requests at the wrong door. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { connectionOf, EVERY_WAY, HubClient, nameOfWay, tagsOf } from './hub-client.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

interface Negotiated {
	negotiateVersion: number;
	connectionId: string;
	connectionToken?: string;
	availableTransports: { transport: string; transferFormats: string[] }[];
	useStatefulReconnect?: boolean;
}

const KEY = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
const HANDSHAKE = '{"protocol":"json","version":1}\u001e';

/** `fetch` hides headers that a browser sends by itself, so this writes the request by hand. */
async function ask(method: string, path: string, headers: Record<string, string> = {}, body = '') {
	const outgoing = request(`${server.url}${path}`, { method, headers });
	outgoing.end(body);
	const [answer] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
	let text = '';
	for await (const chunk of answer) text += String(chunk);
	return { status: answer.statusCode, headers: answer.headers, text };
}

async function negotiate(query = '?negotiateVersion=1', headers: Record<string, string> = {}): Promise<Negotiated> {
	const { status, text } = await ask('POST', `/hub/negotiate${query}`, headers);
	expect(status).toBe(200);
	return JSON.parse(text) as Negotiated;
}

const codeOf = (text: string): string => (JSON.parse(text) as { error: { code: string } }).error.code;

describe('negotiation', () => {
	it('of version 1 has a secret token beside the id, and offers three transports', async () => {
		const { connectionToken, connectionId, negotiateVersion, availableTransports, useStatefulReconnect } =
			await negotiate();
		expect(negotiateVersion).toBe(1);
		expect(connectionToken).not.toBe(connectionId);
		expect(useStatefulReconnect).toBeUndefined();
		expect(availableTransports).toEqual([
			{ transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
			{ transport: 'ServerSentEvents', transferFormats: ['Text'] },
			{ transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
		]);
	});

	it('of version 0, explicit or by default, has one id for both', async () => {
		for (const query of ['', '?negotiateVersion=0']) {
			const negotiated = await negotiate(query);
			expect(negotiated.negotiateVersion).toBe(0);
			expect(negotiated.connectionToken).toBeUndefined();
			expect((await ask('GET', `/hub?id=${negotiated.connectionId}`)).status).toBe(200);
		}
	});

	it('grants stateful reconnect on request, and refuses a version that is not a number', async () => {
		expect((await negotiate('?negotiateVersion=1&useStatefulReconnect=true')).useStatefulReconnect).toBe(true);
		const { status, text } = await ask('POST', '/hub/negotiate?negotiateVersion=one');
		expect([status, codeOf(text)]).toEqual([400, 'VALIDATION_FAILED']);
	});

	it('may be skipped by a client that begins with a WebSocket', async () => {
		const socket = new WebSocket(`${server.url.replace('http', 'ws')}/HUB/`);
		await once(socket, 'open');
		socket.send(HANDSHAKE);
		expect(String((await once(socket, 'message'))[0])).toBe('{}\u001e');
		socket.terminate();
	});

	it('answers the id that registration answers, too', async () => {
		const client = await HubClient.connect(server.url);
		expect((await client.register('')).connectionId).toBe(client.connection.connectionId);
		await client.stop();
	});
});

describe.each(EVERY_WAY.map((way) => ({ name: nameOfWay(way), way })))('a token over $name', ({ way }) => {
	const tags = tagsOf(way);

	it('of the connection logs in a registration without one', { tags }, async () => {
		const { token } = await server.demoPlayer();
		const client = await HubClient.connect(server.url, '', { ...way, accessToken: token });
		expect(await client.message('UserBalance')).toMatchObject({ Balance: 20_000 });
		await client.stop();
	});

	it('that is forged ends the connection before it is open', { tags }, async () => {
		const { token } = await server.demoPlayer();
		const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
		await expect(connectionOf(server.url, { ...way, accessToken: forged }).start()).rejects.toThrow('401');
	});
});

describe('a dead token', () => {
	const algNone = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.';

	it.each([
		['without a signature', algNone],
		['of another form', "' or 1=1 --"],
	])('%s is refused at negotiation, at the upgrade and at registration', async (_, token) => {
		const query = `access_token=${encodeURIComponent(token)}`;
		const { status, text } = await ask('POST', `/hub/negotiate?negotiateVersion=1&${query}`);
		expect([status, codeOf(text)]).toEqual([401, 'LOGIN_EXPIRED']);
		const socket = new WebSocket(`${server.url.replace('http', 'ws')}/hub?${query}`);
		socket.on('error', () => {});
		const [, refusal] = await once(socket, 'unexpected-response');
		expect(refusal.statusCode).toBe(401);
		await expect(HubClient.connect(server.url, token)).rejects.toThrow('LOGIN_EXPIRED');
	});

	it('of another domain is refused in every place', async () => {
		const otherHost = 'royal.localhost';
		const port = new URL(server.url).port;
		const { text } = await ask('GET', '/Account/LoginAsDemoUser', { Host: `${otherHost}:${port}` });
		const { accessToken } = (JSON.parse(text) as { result: { accessToken: string } }).result;
		await expect(HubClient.connect(server.url, accessToken)).rejects.toThrow('LOGIN_EXPIRED');
		const there = await ask('POST', `/hub/negotiate?access_token=${accessToken}`, { Host: `${otherHost}:${port}` });
		expect(there.status).toBe(200);
		const here = await ask('POST', `/hub/negotiate?access_token=${accessToken}`);
		expect(here.status).toBe(401);
	});

	it('at a heartbeat ends the connection; a valid one keeps it', async () => {
		const { token } = await server.demoPlayer();
		const client = await HubClient.connect(server.url, token);
		expect(await client.heartbeat(token)).toMatchObject({ success: true });
		const closed = client.closed();
		await expect(client.heartbeat('made.1.up')).rejects.toThrow('LOGIN_EXPIRED');
		await closed;
	});

	it('of another player at a heartbeat ends the connection, too', async () => {
		const [one, other] = [await server.demoPlayer(), await server.demoPlayer()];
		const client = await HubClient.connect(server.url, one.token);
		const closed = client.closed();
		await expect(client.heartbeat(other.token)).rejects.toThrow('LOGIN_EXPIRED');
		await closed;
	});

	it('is renewed by the heartbeat after a refresh', async () => {
		const { token, refreshToken } = await server.demoPlayer();
		const client = await HubClient.connect(server.url, token);
		const { accessToken } = await server.result('refreshToken', { refreshToken });
		expect(await client.heartbeat(accessToken)).toMatchObject({ success: true });
		await client.stop();
	});
});

describe('a page of another origin', () => {
	const own = 'http://localhost:5173';

	it('of the same host may read every answer, with credentials, errors too', async () => {
		const answers = [
			await ask('POST', '/hub/negotiate?negotiateVersion=1', { Origin: own }),
			await ask('POST', '/hub/negotiate?access_token=dead', { Origin: own }),
			await ask('GET', '/hub?id=nobody', { Origin: own }),
			await ask('POST', '/hub?id=nobody', { Origin: own, 'Content-Type': 'text/plain' }, 'x'.repeat(200_000)),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 400]);
		for (const { headers } of answers) {
			expect(headers['access-control-allow-origin']).toBe(own);
			expect(headers['access-control-allow-credentials']).toBe('true');
			expect(headers.vary).toContain('Origin');
		}
	});

	it('gets the allowed methods and headers from a preflight request', async () => {
		const { status, headers } = await ask('OPTIONS', '/hub', {
			Origin: own,
			'Access-Control-Request-Method': 'DELETE',
			'Access-Control-Request-Headers': 'authorization,x-signalr-user-agent',
		});
		expect(status).toBe(204);
		expect(headers['access-control-allow-methods']).toContain('DELETE');
		expect(headers['access-control-allow-headers']).toBe('authorization,x-signalr-user-agent');
	});

	it('carries its headers on event streams and polls', async () => {
		const { connectionToken } = await negotiate();
		const poll = await ask('GET', `/hub?id=${connectionToken}`, { Origin: own });
		expect(poll.headers['access-control-allow-origin']).toBe(own);
		const other = await negotiate();
		const headers = { Origin: own, Accept: 'text/event-stream' };
		const stream = request(`${server.url}/hub?id=${other.connectionToken}`, { headers }).end();
		const [answer] = await once(stream, 'response');
		expect(answer.headers['content-type']).toBe('text/event-stream');
		expect(answer.headers['access-control-allow-origin']).toBe(own);
		stream.destroy();
	});

	it.each([
		'https://elsewhere.example',
		'http://localhost.elsewhere.example',
		'null',
		'http://localhost@elsewhere.example',
		'*',
	])('%s is refused, and cannot read the reason', async (origin) => {
		const { status, headers } = await ask('POST', '/hub/negotiate', { Origin: origin });
		expect(status).toBe(403);
		expect(headers['access-control-allow-origin']).toBeUndefined();
		const socket = new WebSocket(`${server.url.replace('http', 'ws')}/hub`, { origin });
		socket.on('error', () => {});
		const [, refusal] = await once(socket, 'unexpected-response');
		expect(refusal.statusCode).toBe(403);
	});
});

describe('a request at the wrong door', () => {
	it.each([
		['a host without a site', 'POST', '/hub/negotiate', { Host: 'nowhere.example' }, 404, 'UNKNOWN_DOMAIN'],
		[
			'a forwarded host nobody vouches for',
			'POST',
			'/hub/negotiate',
			{ Host: 'nowhere.example', 'X-Forwarded-Host': 'localhost' },
			404,
			'UNKNOWN_DOMAIN',
		],
		['a poll without an id', 'GET', '/hub', {}, 400, 'VALIDATION_FAILED'],
		['a poll with an unknown id', 'GET', '/hub?id=x', {}, 404, 'UNKNOWN_CONNECTION'],
		['a message to an unknown id', 'POST', '/hub?id=x', {}, 404, 'UNKNOWN_CONNECTION'],
		['an end of an unknown id', 'DELETE', '/hub?id=__proto__', {}, 404, 'UNKNOWN_CONNECTION'],
	])('%s is refused', async (_, method, path, headers, status, code) => {
		const answer = await ask(method, path, headers as Record<string, string>);
		expect([answer.status, codeOf(answer.text)]).toEqual([status, code]);
	});

	it.each([
		['a second Host header', ['Host: localhost', 'Host: royal.localhost'], '/hub'],
		['a host that is no name', ['Host: local host'], '/hub'],
		['a target that names another host', ['Host: localhost'], 'http://royal.localhost/hub'],
	])('an upgrade with %s is refused', async (_, hosts, target) => {
		const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
		const lines = [
			`GET ${target} HTTP/1.1`,
			...hosts,
			'Connection: Upgrade',
			'Upgrade: websocket',
			'Sec-WebSocket-Version: 13',
			'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
		];
		socket.write(`${lines.join('\r\n')}\r\n\r\n`);
		const [answer] = await once(socket, 'data');
		expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
		socket.destroy();
	});

	it('another transport on a connection that has one is refused', async () => {
		const { connectionToken } = await negotiate();
		const path = `/hub?id=${connectionToken}`;
		expect((await ask('POST', path, {}, HANDSHAKE)).status).toBe(400);
		expect((await ask('GET', path)).status).toBe(200);
		const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`);
		socket.on('error', () => {});
		const [, refusal] = await once(socket, 'unexpected-response');
		expect(refusal.statusCode).toBe(400);
	});

	it.each([
		['an event stream', { Accept: 'text/event-stream' }],
		['a WebSocket', { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', ...KEY }],
		['a WebSocket whose upgrade a proxy took away', KEY],
	])('%s on a polling connection is refused at once, and polling continues', async (_, headers) => {
		const { connectionToken } = await negotiate('?negotiateVersion=1&useStatefulReconnect=true');
		const path = `/hub?id=${connectionToken}`;
		await ask('GET', path);
		const waiting = ask('GET', path);
		await ask('GET', '/healthz');
		const { status, text } = await ask('GET', path, headers);
		expect([status, codeOf(text)]).toEqual([400, 'WRONG_TRANSPORT']);
		await ask('POST', path, {}, `{"protocol":"json","version":2}\u001e`);
		expect((await waiting).text).toBe('{}\u001e');
		const { status: refused } = await ask('GET', path, headers);
		expect(refused).toBe(400);
		const further = ask('GET', path);
		await ask(
			'POST',
			path,
			{},
			'{"type":1,"invocationId":"1","target":"Unsubscribe","arguments":[{"channels":[]}]}\u001e',
		);
		expect((await further).text).toContain('"invocationId":"1"');
	});

	it('a connection of another domain is not found', async () => {
		const { connectionToken } = await negotiate();
		const { status } = await ask('GET', `/hub?id=${connectionToken}`, { Host: 'royal.localhost' });
		expect(status).toBe(404);
	});
});

describe('a long poll', () => {
	it('ends with 204 when the connection is over', async () => {
		const { connectionToken } = await negotiate();
		const path = `/hub?id=${connectionToken}`;
		await ask('GET', path);
		const poll = ask('GET', path);
		await ask('POST', path, { 'Content-Type': 'text/plain;charset=UTF-8' }, HANDSHAKE);
		expect((await poll).text).toBe('{}\u001e');
		const last = ask('GET', path);
		expect((await ask('DELETE', path)).status).toBe(202);
		expect((await last).status).toBe(204);
		expect((await ask('GET', path)).status).toBe(404);
	});

	it('carries the close message before it ends', async () => {
		const { connectionToken } = await negotiate();
		const path = `/hub?id=${connectionToken}`;
		await ask('GET', path);
		await ask('POST', path, {}, HANDSHAKE);
		expect((await ask('GET', path)).text).toBe('{}\u001e');
		await ask('POST', path, {}, 'nonsense\u001e');
		const farewell = await ask('GET', path);
		expect(farewell.text).toBe('{"type":7,"error":"That message cannot be read.","allowReconnect":false}\u001e');
		expect((await ask('GET', path)).status).toBe(204);
	});

	it('ends when another poll replaces it', async () => {
		const { connectionToken } = await negotiate();
		const path = `/hub?id=${connectionToken}`;
		await ask('GET', path);
		const first = ask('GET', path);
		await ask('GET', '/healthz');
		const second = ask('GET', path);
		expect((await first).status).toBe(204);
		await ask('POST', path, {}, HANDSHAKE);
		expect((await second).text).toBe('{}\u001e');
	});
});
