/**
 * The hub over WebSockets: `/hub` on the server's own port. A transport carries text both ways, the protocol file reads
 * and writes it, a session answers; other transports would put other lines under the same sessions.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Bus } from '#server/bus.ts';
import type { HubBackend } from '#server/hub/hub.ts';
import { HubRefusal, HubSession } from '#server/hub/hub-methods.ts';
import {
	closeRecord,
	completionRecord,
	errorRecord,
	handshakeAnswer,
	handshakeError,
	type Invocation,
	parseRecord,
	pingRecord,
	recordsOf,
} from '#server/hub/json-protocol.ts';
import { OutQueue } from '#server/hub/out-queue.ts';

export interface HubOptions {
	server: Server;
	bus: Bus;
	backend: HubBackend;
	log: Logger;
	clock?: () => number;
}
export interface Hub {
	close(): Promise<void>;
	connections(): number;
}

const LARGEST_FRAME_BYTES = 32 * 1024;
const PING_EVERY_MS = 15_000;
/** A client pings every 15 s; one that is silent for this long is gone. */
const SILENCE_MS = 45_000;
/** Calls a connection may make in a window. */
const CALLS_A_WINDOW = 100;
const WINDOW_MS = 10_000;
/** Who goes on calling this far beyond being told so does not listen. */
const CALLS_OF_A_FLOOD = 400;

/** The answer to `POST /hub/negotiate`: WebSockets is the one transport so far. */
export const negotiation = () => ({
	negotiateVersion: 1,
	connectionId: randomUUID(),
	connectionToken: randomUUID(),
	availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
});

export function attachHub(options: HubOptions): Hub {
	const clock = options.clock ?? Date.now;
	const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME_BYTES, clientTracking: true });
	const connections = new Set<HubConnection>();

	const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
		const url = new URL(request.url ?? '/', 'http://hub');
		if (url.pathname.toLowerCase() !== '/hub') {
			refuse(socket, '404 Not Found');
			return;
		}
		const host = hostName(request.headers.host);
		const brand = options.backend.brandOf(host);
		if (!brand) {
			refuse(socket, '404 Not Found');
			return;
		}
		// A page of another site must not speak with a visitor's browser in our name.
		const { origin } = request.headers;
		if (origin !== undefined && hostName(URL.parse(origin)?.host) !== host) {
			refuse(socket, '403 Forbidden');
			return;
		}
		sockets.handleUpgrade(request, socket, head, (webSocket) => {
			const connection = new HubConnection(webSocket, {
				...options,
				clock,
				brand,
				queryToken: url.searchParams.get('access_token') ?? '',
			});
			connections.add(connection);
			webSocket.on('close', () => connections.delete(connection));
		});
	};
	options.server.on('upgrade', onUpgrade);

	const pulse = setInterval(() => {
		for (const connection of connections) connection.pulse(clock());
	}, PING_EVERY_MS);

	return {
		connections: () => connections.size,
		close: async () => {
			clearInterval(pulse);
			options.server.off('upgrade', onUpgrade);
			for (const connection of connections) connection.end('The server is being restarted.');
			await new Promise<void>((resolve) => {
				sockets.close(() => resolve());
			});
		},
	};
}

export const hostName = (host: string | undefined): string => (host ?? '').replace(/:\d+$/, '').toLowerCase();

function refuse(socket: Duplex, status: string): void {
	socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

interface ConnectionOptions {
	bus: Bus;
	backend: HubBackend;
	log: Logger;
	clock: () => number;
	brand: NonNullable<ReturnType<HubBackend['brandOf']>>;
	queryToken: string;
}

class HubConnection {
	readonly #socket: WebSocket;
	readonly #options: ConnectionOptions;
	readonly #session: HubSession;
	readonly #queue: OutQueue;
	#greeted = false;
	#heardAtMs: number;
	#windowFromMs = 0;
	#callsInWindow = 0;

	constructor(socket: WebSocket, options: ConnectionOptions) {
		this.#socket = socket;
		this.#options = options;
		this.#heardAtMs = options.clock();
		this.#queue = new OutQueue(
			{
				send: (text) => socket.send(text, () => this.#queue.drain()),
				get bufferedAmount() {
					return socket.bufferedAmount;
				},
			},
			() => socket.terminate(),
		);
		this.#session = new HubSession({
			...options,
			send: (message) => this.#queue.push(message),
			end: (reason) => this.end(reason),
		});
		socket.on('message', (data, isBinary) => this.#heard(isBinary ? null : String(data)));
		socket.on('close', () => this.#session.close());
		socket.on('error', () => socket.terminate());
	}

	end(reason: string): void {
		if (this.#greeted) this.#socket.send(closeRecord(reason));
		this.#socket.close(1000);
	}

	pulse(nowMs: number): void {
		if (nowMs - this.#heardAtMs > SILENCE_MS) this.#socket.terminate();
		else if (this.#greeted) this.#socket.send(pingRecord());
	}

	#heard(frame: string | null): void {
		this.#heardAtMs = this.#options.clock();
		try {
			if (frame === null) throw new Error('a binary frame');
			for (const record of recordsOf(frame)) {
				if (this.#greeted) this.#read(record);
				else this.#greet(record);
			}
		} catch (error) {
			this.#options.log.debug({ err: error }, 'a hub client spoke nonsense');
			this.end('That message cannot be read.');
		}
	}

	#greet(record: string): void {
		const error = handshakeError(record);
		this.#socket.send(handshakeAnswer(error));
		if (error) this.#socket.close(1000);
		else this.#greeted = true;
	}

	#read(record: string): void {
		const incoming = parseRecord(record);
		if (incoming.kind === 'close') this.#socket.close(1000);
		if (incoming.kind === 'invocation') this.#answer(incoming.invocation);
	}

	#answer({ invocationId, target, arguments: args }: Invocation): void {
		const answer = (text: string) => {
			if (invocationId !== null) this.#socket.send(text);
		};
		try {
			if (!this.#mayCall()) throw new HubRefusal('THROTTLED');
			answer(completionRecord(invocationId ?? '', this.#session.invoke(target, args)));
		} catch (error) {
			if (!(error instanceof HubRefusal)) this.#options.log.error({ err: error, target }, 'a hub call failed');
			answer(errorRecord(invocationId ?? '', error instanceof HubRefusal ? error.message : 'INTERNAL'));
		}
	}

	#mayCall(): boolean {
		const now = this.#options.clock();
		if (now - this.#windowFromMs >= WINDOW_MS) {
			this.#windowFromMs = now;
			this.#callsInWindow = 0;
		}
		this.#callsInWindow += 1;
		if (this.#callsInWindow > CALLS_OF_A_FLOOD) this.#socket.terminate();
		return this.#callsInWindow <= CALLS_A_WINDOW;
	}
}
