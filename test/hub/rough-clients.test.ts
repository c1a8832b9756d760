/** Clients that speak badly: each is answered with an error or closed, and the others notice nothing. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestServer } from '../support/server.ts';
import { HubClient } from './hub-client.ts';

let server: TestServer;
let bystander: HubClient;
beforeAll(async () => {
	server = await TestServer.start();
	bystander = await HubClient.connect(server.url);
});
afterAll(async () => {
	await bystander.stop();
	await server.dispose();
});

const RECORD_END = '\u001e';
const HANDSHAKE = `{"protocol":"json","version":1}${RECORD_END}`;

function open(origin?: string): WebSocket {
	return new WebSocket(`${server.url.replace('http', 'ws')}/hub`, origin === undefined ? {} : { origin });
}

async function shaken(): Promise<WebSocket> {
	const socket = open();
	await once(socket, 'open');
	socket.send(HANDSHAKE);
	await once(socket, 'message');
	return socket;
}

const stillThere = () => bystander.subscribe('sports');

it.each([
	['no JSON at all', `hello${RECORD_END}`],
	['a record without its end', '{"type":1'],
	['a list', `[1]${RECORD_END}`],
	['more than 32 KiB', `${'x'.repeat(40_000)}${RECORD_END}`],
	['brackets in brackets', `${'['.repeat(30_000)}${RECORD_END}`],
])('closes on %s', async (_, frame) => {
	const socket = await shaken();
	socket.on('error', () => {});
	socket.send(frame);
	await once(socket, 'close');
	await stillThere();
});

it('answers an unknown method and a prototype’s name with an error', async () => {
	for (const target of ['DropTables', 'constructor', '__proto__', 'toString']) {
		await expect(bystander.connection.invoke(target, {})).rejects.toThrow('There is no method');
	}
});

it('answers arguments of the wrong shape with an error', async () => {
	await expect(bystander.connection.invoke('Subscribe', { channels: 'all' })).rejects.toThrow('VALIDATION_FAILED');
	await expect(bystander.connection.invoke('RegisterClient')).rejects.toThrow('VALIDATION_FAILED');
});

it('refuses a handshake of another protocol', async () => {
	const socket = open();
	await once(socket, 'open');
	socket.send(`{"protocol":"smoke-signals","version":1}${RECORD_END}`);
	const [answer] = await once(socket, 'message');
	expect(String(answer)).toContain('error');
	await once(socket, 'close');
});

it('refuses a page of another origin', async () => {
	const socket = open('https://elsewhere.example');
	const [response] = await once(socket, 'unexpected-response').then(([, incoming]) => [incoming]);
	expect(response.statusCode).toBe(403);
	socket.on('error', () => {});
	socket.terminate();
});

it('throttles a connection that calls too often, closes one that floods, and only that one', async () => {
	const socket = await shaken();
	const closed = once(socket, 'close');
	for (let call = 0; call < 1000; call++) {
		socket.send(`{"type":1,"invocationId":"${call}","target":"Subscribe","arguments":[{"channels":[]}]}${RECORD_END}`);
	}
	await closed;
	await stillThere();
});
