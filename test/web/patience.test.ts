/**
 * How long the site waits: for the hub as long as the SignalR client's own limits, for a call as long as it takes, and
 * before it says that a call failed.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { askAgain, Loaded } from '#ui/loaded.tsx';
import { call } from '#web/api/client.ts';
import { CallFailure } from '#web/api/failure.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { makeSignalrWire } from '#web/live/signalr-wire.ts';
import { queryClient } from '#web/store/query-client.ts';

const RECORD_END = '\u001e';
const NEGOTIATION = JSON.stringify({
	negotiateVersion: 0,
	connectionId: '1',
	availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
});
const MESSAGE = `{"type":1,"target":"Message","arguments":[{}]}${RECORD_END}`;
const PING = `{"type":6}${RECORD_END}`;

let server: Server;
let url: string;
/** Sockets of the hub that shook hands. */
let sockets: WebSocket[];
let pings: number;
/** Ends the request of a call. */
let answerCall: (() => void) | null;

beforeEach(async () => {
	[sockets, pings, answerCall] = [[], 0, null];
	server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		const isNegotiation = request.url?.startsWith('/hub/negotiate');
		if (!isNegotiation) answerCall = () => response.end('{"success":true,"result":[]}');
		else response.end(NEGOTIATION);
	});
	new WebSocketServer({ server }).on('connection', (socket) => {
		socket.on('message', (message) => {
			const text = message.toString();
			if (text === PING) pings += 1;
			if (!text.includes('"protocol"')) return;
			socket.send(`{}${RECORD_END}`);
			sockets.push(socket);
		});
	});
	server.listen(0);
	await once(server, 'listening');
	url = `http://localhost:${(server.address() as AddressInfo).port}`;
	writeStored('baseUrl', url);
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
	vi.useRealTimers();
	clearStored();
	for (const socket of sockets) socket.terminate();
	server.closeAllConnections();
	server.close();
});

/** Lets the sockets deliver what is on its way, and runs timers that are due; the clock stands meanwhile. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) {
		await vi.advanceTimersByTimeAsync(0);
		await new Promise((resolve) => setImmediate(resolve));
	}
}

/** Waits for a promise while the sockets deliver. */
async function delivered<T>(promise: Promise<T>): Promise<T> {
	let isSettled = false;
	const settled = promise.finally(() => {
		isSettled = true;
	});
	await until(() => isSettled);
	return await settled;
}

async function connected(): Promise<{ closed: string[]; heard: unknown[] }> {
	const wire = await delivered(makeSignalrWire(`${url}/hub`));
	const [closed, heard]: [string[], unknown[]] = [[], []];
	wire.onClose((reason) => closed.push(reason));
	wire.onMessage((message) => heard.push(message));
	await delivered(wire.start());
	return { closed, heard };
}

it('closes a hub connection that is silent for 30 s, and keeps one that is heard from', async () => {
	const silent = await connected();
	const alive = await connected();
	await vi.advanceTimersByTimeAsync(20_000);
	expect(silent.closed).toEqual([]);
	sockets[1]?.send(MESSAGE);
	await until(() => alive.heard.length > 0);
	await vi.advanceTimersByTimeAsync(9_900);
	expect(silent.closed).toEqual([]);
	await vi.advanceTimersByTimeAsync(200);
	expect(silent.closed).toEqual([expect.stringContaining('Server timeout')]);
	expect(alive.closed).toEqual([]);
});

it('sends the hub a ping after 15 s without another message', async () => {
	const { heard } = await connected();
	sockets[0]?.send(MESSAGE);
	await until(() => heard.length === 1 && pings === 1);
	await vi.advanceTimersByTimeAsync(14_900);
	sockets[0]?.send(MESSAGE);
	await until(() => heard.length === 2);
	expect(pings).toBe(1);
	await vi.advanceTimersByTimeAsync(200);
	await until(() => pings === 2);
});

it('waits for the answer to a call without a time limit', async () => {
	const answer = call('getBonuses', {}).then(
		() => 'answered',
		(failure: Error) => failure.message,
	);
	await until(() => answerCall !== null);
	// The client of these tests has a limit of its own at five minutes; a browser has none.
	await vi.advanceTimersByTimeAsync(240_000);
	answerCall?.();
	expect(await delivered(answer)).toBe('answered');
});

/** A screen whose call fails while `line.isDown`. */
function failingScreen() {
	const line = { isDown: true, tries: 0 };
	const asked = new QueryObserver(queryClient, {
		queryKey: ['patience'],
		queryFn: async () => {
			line.tries += 1;
			if (line.isDown) throw new CallFailure('HTTP', 503, 'HTTP error 503');
			return 'The answer';
		},
	});
	const leave = asked.subscribe(() => undefined);
	onTestFinished(() => {
		leave();
		queryClient.clear();
	});
	/** What it shows, in a word. */
	const shown = () => {
		const Screen = () =>
			Loaded<string>({
				asked: asked.getCurrentResult(),
				words: { failed: 'Failed', retry: 'Try again' },
				waiting: 'Waiting',
				empty: 'Empty',
				isEmpty: () => false,
				children: (answer) => answer,
			});
		const page = renderToStaticMarkup(
			createElement(QueryClientProvider, { client: queryClient }, createElement(Screen)),
		);
		return ['Waiting', 'HTTP error 503', 'The answer'].filter((word) => page.includes(word)).join();
	};
	return { line, shown };
}

it('says why a call failed a second after its first failure, and tries on behind it', async () => {
	const { line, shown } = failingScreen();
	await vi.advanceTimersByTimeAsync(950);
	expect([shown(), line.tries]).toEqual(['Waiting', 1]);
	await vi.advanceTimersByTimeAsync(100);
	expect([shown(), line.tries]).toEqual(['HTTP error 503', 2]);
	await vi.advanceTimersByTimeAsync(2000);
	expect([shown(), line.tries]).toEqual(['HTTP error 503', 3]);
	line.isDown = false;
	await vi.advanceTimersByTimeAsync(4000);
	expect([shown(), line.tries]).toEqual(['The answer', 4]);
});

it('asks again at once when the player says so, although a quiet try is seconds away', async () => {
	const { line, shown } = failingScreen();
	await vi.advanceTimersByTimeAsync(1050);
	askAgain(queryClient);
	expect([shown(), line.tries]).toEqual(['Waiting', 3]);
	await vi.advanceTimersByTimeAsync(1050);
	expect([shown(), line.tries]).toEqual(['HTTP error 503', 4]);
	line.isDown = false;
	askAgain(queryClient);
	await vi.advanceTimersByTimeAsync(0);
	expect([shown(), line.tries]).toEqual(['The answer', 5]);
});
