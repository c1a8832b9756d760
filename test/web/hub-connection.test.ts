/** The site's hub connection: its five states, when it tries again, the heartbeat, and who it is after a login. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HubEnvelope } from '#contract/hub-messages.ts';
import { HEARTBEAT_MS, HubConnection, type HubState, reconnectDelay, type Wire } from '#web/live/hub-connection.ts';

/** A connection in the test's hands: its calls, and whether it answers. */
class TestWire implements Wire {
	readonly calls: { method: string; argument: unknown }[] = [];
	/** Methods that fail. */
	readonly fails: Set<string>;
	stopped = false;
	#onMessage: (envelope: HubEnvelope) => void = () => {};
	#onClose: (reason: string) => void = () => {};

	constructor(fails: Set<string>) {
		this.fails = fails;
	}
	async start(): Promise<void> {
		if (this.fails.has('start')) throw new Error('no connection');
	}
	async stop(): Promise<void> {
		this.stopped = true;
	}
	async invoke(method: string, argument: unknown): Promise<unknown> {
		this.calls.push({ method, argument });
		if (this.fails.has(method)) throw new Error(method);
		return { success: true };
	}
	onMessage(listener: (envelope: HubEnvelope) => void): void {
		this.#onMessage = listener;
	}
	onClose(listener: (reason: string) => void): void {
		this.#onClose = listener;
	}
	say(envelope: HubEnvelope): void {
		this.#onMessage(envelope);
	}
	break(reason = ''): void {
		this.#onClose(reason);
	}
	methods(): string[] {
		return this.calls.map(({ method }) => method);
	}
}

let wires: TestWire[];
let fails: Set<string>;
let states: HubState[];
let refusals: number;
let logged: string[];
let token: string;
let hub: HubConnection;
const wire = (): TestWire => wires.at(-1) as TestWire;
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
	vi.useFakeTimers();
	[wires, fails, states, refusals, logged, token] = [[], new Set(), [], 0, [], 'first'];
	hub = new HubConnection({
		makeWire: async () => {
			const wire = new TestWire(fails);
			wires.push(wire);
			return wire;
		},
		registration: () => ({ Browser: 'Test 1', Domain: 'http://here', CurrentPage: 'http://here/', Token: token }),
		onState: (state) => states.push(state),
		onRefused: () => {
			refusals += 1;
		},
		log: (what) => logged.push(what),
		random: () => 0.5,
	});
});
afterEach(async () => {
	await hub.stop();
	vi.useRealTimers();
});

describe('a hub connection', () => {
	it('connects, registers, and sends a heartbeat every 20 s with the registered fields and its group', async () => {
		hub.start();
		await settle();
		expect(states).toEqual(['Connecting', 'Connected']);
		await vi.advanceTimersByTimeAsync(HEARTBEAT_MS * 2);
		expect(wire().methods()).toEqual(['RegisterClient', 'SendHeartbeat', 'SendHeartbeat']);
		expect(wire().calls[1]?.argument).toMatchObject({ Domain: 'http://here', GroupBy: 'http://here', Token: 'first' });
	});

	it('goes through every one of its five states', async () => {
		hub.start();
		await settle();
		wire().break();
		await settle();
		await hub.stop();
		expect(states).toEqual(['Connecting', 'Connected', 'Reconnecting', 'Connected', 'Disconnecting', 'Disconnected']);
	});

	it('logs a failed connection, heartbeat or message, and continues', async () => {
		fails.add('start');
		hub.start();
		await settle();
		fails.clear();
		await vi.advanceTimersByTimeAsync(5000);
		wire().say({ Code: 'UserBalance', Data: 'no JSON' });
		hub.on('UserBalance', () => undefined);
		wire().say({ Code: 'UserBalance', Data: 'no JSON' });
		fails.add('SendHeartbeat');
		await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
		expect([...new Set(logged)]).toEqual(['connect', 'message UserBalance', 'heartbeat']);
	});

	it('that was one too many waits 30 s or more before it comes back, or until the page is shown', async () => {
		hub.start();
		await settle();
		wire().break('Server returned an error on close: TOO_MANY_CONNECTIONS');
		await vi.advanceTimersByTimeAsync(30_000);
		expect(wires).toHaveLength(1);
		hub.wake();
		await settle();
		expect(hub.state).toBe('Connected');
	});

	it('tries again at once, then after 2, 10 and 30 s, then every 30 s, a little spread, and never gives up', async () => {
		fails.add('start');
		hub.start();
		await settle();
		const tried: number[] = [];
		const from = Date.now();
		let known = wires.length;
		while (tried.length < 6) {
			await vi.advanceTimersByTimeAsync(100);
			for (; known < wires.length; known++) tried.push(Date.now() - from);
		}
		// Half of a fifth is added to each wait.
		const waits = [2_200, 11_000, 33_000, 33_000, 33_000, 33_000];
		let at = 0;
		tried.forEach((time, attempt) => {
			at += waits[attempt] as number;
			expect(Math.abs(time - at)).toBeLessThanOrEqual(100 * (attempt + 1));
		});
		expect(reconnectDelay(0, () => 0.9)).toBe(0);
		expect(reconnectDelay(50, () => 0)).toBe(30_000);
		expect(reconnectDelay(50, () => 1)).toBe(36_000);
	});

	it('starts its back-off anew after a connection', async () => {
		fails.add('start');
		hub.start();
		await vi.advanceTimersByTimeAsync(15_000);
		fails.clear();
		hub.wake();
		await settle();
		const before = wires.length;
		wire().break();
		await settle();
		expect(wires).toHaveLength(before + 1);
	});

	it('restarts and registers again when a heartbeat fails', async () => {
		hub.start();
		await settle();
		const first = wire();
		first.fails.add('SendHeartbeat');
		await vi.advanceTimersByTimeAsync(HEARTBEAT_MS + 1);
		expect(first.stopped).toBe(true);
		expect(wires).toHaveLength(2);
		expect(wire().methods()[0]).toBe('RegisterClient');
		expect(hub.state).toBe('Connected');
	});

	it('reports and logs a refused registration, sends no heartbeat, and tries again', async () => {
		fails.add('RegisterClient');
		hub.start();
		await settle();
		expect([refusals > 0, hub.state, logged.at(-1)]).toEqual([true, 'Reconnecting', 'connect']);
		expect(wire().methods()).toEqual(['RegisterClient']);
		expect(wires[0]?.stopped).toBe(true);
		fails.clear();
		await vi.advanceTimersByTimeAsync(3_000);
		expect(hub.state).toBe('Connected');
	});

	it('disconnects at a login, and connects as the new player', async () => {
		hub.start();
		await settle();
		const first = wire();
		token = 'second';
		await hub.restart();
		await settle();
		expect(first.stopped).toBe(true);
		expect(wire().calls[0]?.argument).toMatchObject({ Token: 'second' });
		expect(states).toEqual(['Connecting', 'Connected', 'Disconnecting', 'Connecting', 'Connected']);
	});

	it('ignores messages of a connection it has left', async () => {
		const heard: number[] = [];
		hub.on('UserBalance', ({ Balance }) => heard.push(Balance));
		hub.start();
		await settle();
		const first = wire();
		const balance = (Balance: number): HubEnvelope => ({
			Code: 'UserBalance',
			Data: JSON.stringify({ Balance, Exposure: 0, Version: 1 }),
		});
		first.say(balance(1));
		await hub.restart();
		await settle();
		first.say(balance(2));
		first.break();
		wire().say(balance(3));
		expect(heard).toEqual([100, 300]);
		expect(hub.state).toBe('Connected');
	});

	it('subscribes again to what it watched, once each', async () => {
		hub.start();
		await settle();
		const leave = hub.subscribe('market:1');
		hub.subscribe('market:1');
		hub.subscribe('event:2');
		leave();
		wire().break();
		await settle();
		expect(wire().calls.filter(({ method }) => method === 'Subscribe')).toEqual([
			{ method: 'Subscribe', argument: { channels: ['market:1', 'event:2'] } },
		]);
	});
});
