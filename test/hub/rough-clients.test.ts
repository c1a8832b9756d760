/** Clients that speak badly: each is answered with an error or closed, and the others notice nothing. */
import { once } from 'node:events';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { call, negotiateToken, openBareHub, RawClient, RECORD_END } from './bare-hub.ts';
import { EVERY_WAY, HubClient, nameOfWay, tagsOf } from './hub-client.ts';

let server: TestServer;
let bystander: HubClient;
beforeAll(async () => {
	server = await sharedServer();
	bystander = await HubClient.connect(server.url);
});
afterAll(() => bystander.stop());
/** The same connection as before the test, and it is still served. */
afterEach(async () => {
	expect(await bystander.subscribe('sports')).toEqual({ success: true, unknown: [], refused: [] });
});

type Protocol = 'json' | 'messagepack';
const handshakeOf = (protocol: Protocol): string => `{"protocol":"${protocol}","version":1}${RECORD_END}`;

async function shaken(protocol: Protocol = 'json'): Promise<WebSocket> {
	const socket = new WebSocket(`${server.url.replace('http', 'ws')}/hub`);
	socket.on('error', () => {});
	await once(socket, 'open');
	socket.send(handshakeOf(protocol));
	await once(socket, 'message');
	return socket;
}

/** A MessagePack record with its length before it. */
const packed = (content: Uint8Array): Buffer => {
	const size = content.length;
	const prefix =
		size < 128
			? [size]
			: size < 16_384
				? [(size & 127) | 128, size >> 7]
				: [(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14];
	return Buffer.concat([Buffer.from(prefix), content]);
};

/** Lists in lists, each of one entry. */
const nested = (depth: number): Buffer => Buffer.concat([Buffer.alloc(depth, 0x91), Buffer.of(0xc0)]);

describe('a connection of JSON is closed', () => {
	it.each([
		['on no JSON at all', `hello${RECORD_END}`],
		['on a record without its end', '{"type":1'],
		['on an empty record', RECORD_END],
		['on a list', `[1]${RECORD_END}`],
		['on a message without a type', `{}${RECORD_END}`],
		['on a type that is no number', `{"type":"1"}${RECORD_END}`],
		['on a call without a target', `{"type":1,"arguments":[]}${RECORD_END}`],
		['on a call whose arguments are no list', `{"type":1,"target":"Subscribe","arguments":{"length":1}}${RECORD_END}`],
		['on an id that is no text', `{"type":1,"invocationId":{},"target":"Subscribe","arguments":[]}${RECORD_END}`],
		['on more than 32 KiB', `{"type":6,"x":"${'x'.repeat(33_000)}"}${RECORD_END}`],
		['on a frame above all limits', `${'x'.repeat(200_000)}${RECORD_END}`],
		['on brackets in brackets', `${'['.repeat(30_000)}${RECORD_END}`],
		['on a binary frame', Buffer.from(`{"type":6}${RECORD_END}`)],
		['on bytes that are no text', Buffer.of(0xff, 0xfe, 0x1e)],
	])('%s', async (_, frame) => {
		const socket = await shaken();
		socket.send(frame);
		await once(socket, 'close');
	});
});

describe('a connection of MessagePack is closed', () => {
	it.each([
		['on a text frame', `{"type":6}${RECORD_END}`],
		['on a length without its end', Buffer.of(0xff, 0xff)],
		['on a length of gigabytes', Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0x91)],
		['on a record that is cut', packed(encode([6])).subarray(0, 1)],
		['on an empty record', Buffer.of(0)],
		['on a map', packed(encode({ type: 6 }))],
		['on more than one value', packed(Buffer.concat([encode([6]), encode([6])]))],
		['on a list that claims four thousand million entries', packed(Buffer.of(0xdd, 0xff, 0xff, 0xff, 0xff))],
		['on a map that claims four thousand million entries', packed(Buffer.of(0xdf, 0xff, 0xff, 0xff, 0xff))],
		['on a text that claims four thousand million bytes', packed(Buffer.of(0xdb, 0xff, 0xff, 0xff, 0xff))],
		['on lists in lists', packed(nested(30_000))],
		['on a key that is a prototype’s', packed(encode([1, {}, 'a', 'Subscribe', [JSON.parse('{"__proto__":{}}')]]))],
		['on a call without arguments', packed(encode([1, {}, 'a', 'Subscribe']))],
	])('%s', async (_, frame) => {
		const socket = await shaken('messagepack');
		socket.send(frame);
		await once(socket, 'close');
	});
});

it.each(['json', 'messagepack'] as const)(
	'any bytes on a %s connection leave the server as it was',
	async (protocol) => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, framed) => {
				const socket = await shaken(protocol);
				socket.send(
					framed
						? protocol === 'json'
							? Buffer.from(bytes).toString() + RECORD_END
							: packed(bytes)
						: Buffer.from(bytes),
				);
				socket.close();
				await once(socket, 'close');
			}),
			{ numRuns: 60 },
		);
	},
);

describe.each(EVERY_WAY.map((way) => ({ name: nameOfWay(way), way })))('over $name', ({ way }) => {
	const tags = tagsOf(way);

	it('unknown methods, prototypes’ names, wrong arguments and streams are answered with an error', {
		tags,
	}, async () => {
		const client = await HubClient.connect(server.url, '', way);
		const { connection } = client;
		for (const target of ['DropTables', 'constructor', '__proto__', 'toString', 'invoke']) {
			await expect(connection.invoke(target, {})).rejects.toThrow('There is no method');
		}
		await expect(connection.invoke('Subscribe', { channels: 'all' })).rejects.toThrow('VALIDATION_FAILED');
		await expect(connection.invoke('Subscribe', { channels: Array(101).fill('sports') })).rejects.toThrow(
			'VALIDATION_FAILED',
		);
		await expect(connection.invoke('RegisterClient')).rejects.toThrow('VALIDATION_FAILED');
		const streamed = new Promise((resolve) => {
			connection.stream('Subscribe', {}).subscribe({ next: () => {}, complete: () => resolve(null), error: resolve });
		});
		expect(String(await streamed)).toContain('No stream goes with the method');
		expect(
			await client.subscribe("market:1'; drop table bet; --", 'market:-1', 'event:1e3', '__proto__'),
		).toMatchObject({
			success: false,
		});
		await client.stop();
	});
});

describe('a registration and a heartbeat', () => {
	const fields = { Browser: 'Chrome', Domain: 'localhost', CurrentPage: '/', Token: '' };
	const methods = [
		['RegisterClient', fields],
		['SendHeartbeat', { ...fields, GroupBy: 'http://localhost' }],
	] as const;

	it.each(methods)('%s is taken with the fields of the specification', async (method, registration) => {
		const { connection, stop } = await registered();
		await expect(connection.invoke(method, registration)).resolves.toBeDefined();
		await stop();
	});

	it.each(
		methods.flatMap(([method, registration]) => Object.keys(fields).map((field) => [method, field, registration])),
	)('%s is refused without %s, and with a number in its place', async (method, field, registration) => {
		const { connection, stop } = await registered();
		const { [String(field)]: _, ...others } = registration as Record<string, unknown>;
		for (const given of [others, { ...others, [String(field)]: 7 }]) {
			await expect(connection.invoke(String(method), given)).rejects.toThrow('VALIDATION_FAILED');
		}
		await stop();
	});

	async function registered() {
		const client = await HubClient.connect(server.url);
		return { connection: client.connection, stop: () => client.stop() };
	}
});

it('a call with nested lists is answered, at any depth', async () => {
	const client = await RawClient.open(server.url);
	const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
	client.socket.send(`{"type":1,"invocationId":"1","target":"Subscribe","arguments":[${deep}]}${RECORD_END}`);
	expect(await client.next()).toEqual({ type: 3, invocationId: '1', error: 'VALIDATION_FAILED' });
});

describe('a handshake is refused', () => {
	it.each([
		['of another protocol', '{"protocol":"smoke-signals","version":1}', 'is not supported'],
		['of a later version', '{"protocol":"json","version":99}', 'does not support version 99'],
		['of a prototype’s name', '{"protocol":"__proto__","version":1}', 'is not supported'],
	])('%s, with the reason', async (_, handshake, reason) => {
		const client = new RawClient(`${server.url}/hub`);
		await once(client.socket, 'open');
		client.socket.send(handshake + RECORD_END);
		expect((await client.next())['error']).toContain(reason);
		await client.closed();
	});

	it('of a binary protocol on a transport of text, with the reason', async () => {
		const address = `${server.url}/hub?id=${await negotiateToken(server.url)}`;
		const stream = await fetch(address, { headers: { Accept: 'text/event-stream' } });
		await fetch(address, { method: 'POST', body: handshakeOf('messagepack') });
		expect(await stream.text()).toContain('needs a transport that carries Binary');
	});

	it.each(['hello', '', 'null', '[]', '{"protocol":1}', 'x'.repeat(2_000)])('when it is %j', async (handshake) => {
		const client = new RawClient(`${server.url}/hub`);
		await once(client.socket, 'open');
		client.socket.send(handshake + RECORD_END);
		await client.closed();
	});
});

describe('a flood', () => {
	it('of calls closes only its own connection', async () => {
		const { url } = await openBareHub();
		const [flooding, quiet] = [await RawClient.open(url), await RawClient.open(url)];
		for (let sent = 0; sent < 1000; sent++) flooding.say(call(String(sent), 'Subscribe', { channels: [] }));
		await flooding.closed();
		quiet.say(call('1', 'Unsubscribe', { channels: [] }));
		expect(await quiet.next()).toMatchObject({ type: 3, result: { success: true } });
	});

	it('of pings is closed', async () => {
		const client = await RawClient.open((await openBareHub()).url);
		client.socket.send(`{"type":6}${RECORD_END}`.repeat(1000));
		await client.closed();
	});

	it('of 2,000 negotiations from one address keeps at most its limit, and open connections are served', {
		tags: 'thorough',
	}, async () => {
		const { url, hub } = await openBareHub({ perAddress: 200, perPlayer: 20 });
		const standing = await RawClient.open(url);
		const tokens: string[] = [];
		for (let round = 0; round < 20; round++) {
			tokens.push(...(await Promise.all(Array.from({ length: 100 }, () => negotiateToken(url)))));
		}
		expect(hub.connections()).toBe(200);
		expect((await fetch(`${url}/hub?id=${tokens[0]}`)).status).toBe(404);
		expect((await fetch(`${url}/hub?id=${tokens.at(-1)}`)).status).toBe(200);
		standing.say({ type: 1, invocationId: '1', target: 'Unsubscribe', arguments: [{ channels: [] }] });
		expect(await standing.next()).toMatchObject({ type: 3, result: { success: true } });
	});

	it('of bytes on a poll is refused before it is read', async () => {
		const address = `${server.url}/hub?id=${await negotiateToken(server.url)}`;
		await fetch(address);
		const answer = await fetch(address, { method: 'POST', body: 'x'.repeat(1_000_000) });
		expect(answer.status).toBe(400);
		expect(await answer.json()).toMatchObject({ error: { code: 'BODY_TOO_LARGE' } });
	});
});
