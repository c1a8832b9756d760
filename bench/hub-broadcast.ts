/**
 * `npm run bench -- hub-broadcast`: one message of 300 bytes to 5,000 connections of the hub, many times, against the same
 * bytes by bare `ws`. `ms` is the median time from publishing a message until the last connection has it. Both servers
 * run in this process, one after the other, and the same client processes count the arrivals. `ratio` is bare ws's time
 * divided by the hub's, so 1 is as fast. Prints one JSON line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { plainServer } from '#server/doors/http/plain-server.ts';
import { oneBus } from '#server/doors/hub/hub.ts';
import { openHub } from '#server/doors/hub/open-hub.ts';
import { type BusMessage, LocalBus } from '#server/platform/bus/bus.ts';
import { percentile, print, round } from './support/figures.ts';

const CONNECTIONS = 5_000;
const MESSAGE_BYTES = 300;
const WARM_UP = 20;
const ROUNDS = 60;
/** The two take turns, so that other load on the machine affects both. */
const TURNS = 3;
const MUST = { ratio: 0.7 };
const AIM = { ratio: 0.95 };
const CLIENTS = join(import.meta.dirname, 'support', 'broadcast-clients.ts');

/** A server that broadcasts a message. */
interface Teller {
	port: number;
	tell(): void;
	stop(): Promise<void>;
}

/** The length of the hub's message for `broadcast`. */
const text = 'x'.repeat(MESSAGE_BYTES);

const portOf = (server: Server): number => {
	const address = server.address();
	return typeof address === 'object' && address ? address.port : 0;
};

async function bareTeller(): Promise<Teller> {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
	const clients = new Set<WebSocket>();
	server.on('connection', (client) => {
		clients.add(client);
		// It answers the handshake as the hub does, so that the clients treat both alike.
		client.once('message', () => client.send('{}\u001e'));
		client.on('close', () => clients.delete(client));
	});
	await once(server, 'listening');
	return {
		port: (server.address() as { port: number }).port,
		tell: () => {
			for (const client of clients) client.send(text);
		},
		stop: async () => {
			server.close();
			await once(server, 'close');
		},
	};
}

async function hubTeller(): Promise<Teller> {
	const log = pino({ level: 'error' });
	const bus = new LocalBus();
	const http = plainServer({ trustedProxies: [], log, clientTimeoutMs: 30_000, isReady: async () => true });
	const hub = openHub({
		buses: oneBus(bus),
		log,
		trustedProxies: [],
		hubLimits: { perAddress: CONNECTIONS, perPlayer: CONNECTIONS },
		rateLimitFactor: 1,
		nodeId: 'bench',
		backend: {
			brandOf: async () => ({ host: '127.0.0.1', pool: 'PLAY' }),
			refusals: async () => [],
			findLogin: async () => null,
			images: async () => [],
			balance: async () => null,
			notices: async () => [],
		},
	});
	hub.attach(http.server);
	await http.listen({ port: 0, host: '127.0.0.1' });
	return {
		port: portOf(http.server),
		tell: () => bus.publish('brand.127.0.0.1', noticeOfSize()),
		stop: async () => {
			await hub.close();
			await http.close();
		},
	};
}

/** A new message each time, so that its encoding is part of the figure. */
function noticeOfSize(): BusMessage {
	const frame = '{"type":1,"target":"Message","arguments":[{"Code":"Notice","Data":"{\\"text\\":\\"\\"}"}]}\u001e';
	return { code: 'Notice', data: { text: 'x'.repeat(MESSAGE_BYTES - frame.length) } };
}

/** Milliseconds of each round of one turn. */
async function turnOf(open: () => Promise<Teller>): Promise<number[]> {
	const teller = await open();
	const clients: ChildProcess = fork(CLIENTS, [String(teller.port), String(CONNECTIONS)]);
	await once(clients, 'message');
	const took: number[] = [];
	for (let round = 0; round < WARM_UP + ROUNDS; round++) {
		const all = once(clients, 'message');
		const from = performance.now();
		teller.tell();
		await all;
		if (round >= WARM_UP) took.push(performance.now() - from);
	}
	clients.disconnect();
	await once(clients, 'exit');
	await teller.stop();
	return took;
}

const bare: number[] = [];
const hub: number[] = [];
for (let turn = 0; turn < TURNS; turn++) {
	bare.push(...(await turnOf(bareTeller)));
	hub.push(...(await turnOf(hubTeller)));
}
const [bareMs, hubMs] = [percentile(bare, 0.5), percentile(hub, 0.5)];
print({
	connections: CONNECTIONS,
	messageBytes: MESSAGE_BYTES,
	rounds: ROUNDS * TURNS,
	bareMs: round(bareMs, 2),
	hubMs: round(hubMs, 2),
	hubP99ms: round(percentile(hub, 0.99), 2),
	ratio: round(bareMs / hubMs, 2),
	must: MUST,
	aim: AIM,
});
process.exit(0);
