/** The hub alone on a real port, with a bus and a clock in the test's hands: for what takes minutes or floods. */
import { once } from 'node:events';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import { plainServer } from '#server/doors/http/plain-server.ts';
import { oneBus } from '#server/doors/hub/hub.ts';
import { type Hub, openHub } from '#server/doors/hub/open-hub.ts';
import type { Login } from '#server/people/players/logins.ts';
import { type BusMessage, LocalBus } from '#server/platform/bus/bus.ts';

export const RECORD_END = '\u001e';

export interface BareHub {
	url: string;
	bus: LocalBus;
	hub: Hub;
	/** By token. */
	logins: Map<string, Login>;
	/** By player. */
	balances: Map<number, BusMessage<'UserBalance'>>;
	/** Moves the hub's time on; what is due then happens within a pulse. */
	pass(ms: number): void;
}

/** Gone when the test is over. The one token is `good`, of player 7, and lasts an hour; a test may add others. */
export async function openBareHub(
	hubLimits = { perAddress: 1000, perPlayer: 1000 },
	rateLimitFactor = 1,
	pulseMs = 50,
): Promise<BareHub> {
	let now = Date.now();
	const log = pino({ level: 'silent' });
	const bus = new LocalBus();
	const http = plainServer({ trustedProxies: [], log, clientTimeoutMs: 30_000, isReady: async () => true });
	const login: Login = {
		loginId: 'login',
		playerId: 7,
		userName: 'seven',
		isDemo: false,
		pool: 'PLAY',
		brand: 'localhost',
		expiresAtMs: now + 3_600_000,
	};
	const logins = new Map([['good', login]]);
	const balances = new Map<number, BusMessage<'UserBalance'>>();
	const hub = openHub({
		buses: oneBus(bus),
		log,
		hubLimits,
		rateLimitFactor,
		trustedProxies: [],
		nodeId: 'bare',
		clock: () => now,
		pulseMs,
		backend: {
			brandOf: async () => ({ host: 'localhost', pool: 'PLAY' }),
			refusals: async () => [],
			findLogin: async (token) => logins.get(token) ?? null,
			images: async () => [],
			balance: async (playerId) => balances.get(playerId) ?? null,
			notices: async () => [],
		},
	});
	await http.register(hub.routes);
	hub.attach(http.server);
	await http.listen({ port: 0, host: '127.0.0.1' });
	onTestFinished(async () => {
		await hub.close();
		http.server.closeAllConnections();
		await http.close();
	});
	const { port } = http.server.address() as { port: number };
	return {
		url: `http://localhost:${port}`,
		bus,
		hub,
		logins,
		balances,
		pass: (ms) => {
			now += ms;
		},
	};
}

/** A WebSocket whose records are awaited one by one. */
export class RawClient {
	readonly socket: WebSocket;
	readonly records: string[] = [];
	#arrived: (() => void)[] = [];

	constructor(url: string) {
		this.socket = new WebSocket(url.replace('http', 'ws'));
		this.socket.on('error', () => {});
		this.socket.on('message', (data: RawData) => {
			this.records.push(...String(data).split(RECORD_END).filter(Boolean));
			for (const wake of this.#arrived.splice(0)) wake();
		});
		onTestFinished(() => this.socket.terminate());
	}

	/** After the handshake. */
	static async open(hubUrl: string, query = '', version = 1): Promise<RawClient> {
		const client = new RawClient(`${hubUrl}/hub${query}`);
		await once(client.socket, 'open');
		client.say({ protocol: 'json', version });
		await client.next();
		return client;
	}

	say(...messages: object[]): void {
		this.socket.send(messages.map((message) => JSON.stringify(message) + RECORD_END).join(''));
	}

	/** The next record not yet taken. */
	async next(): Promise<Record<string, unknown>> {
		while (this.records.length === 0) await new Promise<void>((resolve) => this.#arrived.push(resolve));
		return JSON.parse(this.records.shift() as string) as Record<string, unknown>;
	}

	/** Resolves when the server ended it. */
	async closed(): Promise<void> {
		if (this.socket.readyState !== WebSocket.CLOSED) await once(this.socket, 'close');
	}
}

/** The token of a negotiated connection. */
export async function negotiateToken(hubUrl: string, query = ''): Promise<string> {
	const response = await fetch(`${hubUrl}/hub/negotiate?negotiateVersion=1${query}`, { method: 'POST' });
	return ((await response.json()) as { connectionToken: string }).connectionToken;
}

export const call = (invocationId: string, target: string, argument: object) => ({
	type: 1,
	invocationId,
	target,
	arguments: [argument],
});
