/** The site's hub connection: its five states, when it tries again, the heartbeat, and who it is after a login. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Channel, HEARTBEAT_MS, type HubEnvelope, LIVE_AGE_MS } from '#contract/hub-messages.ts';
import {
	ANSWER_WITHIN_MS,
	HubConnection,
	type HubState,
	REGISTRATION_HEARTBEAT_MS,
	reconnectDelay,
	type Wire,
} from '#web/live/hub-connection.ts';
import { Channels } from '#web/store/channels.ts';

/** The server's time when the page's clock began. */
const SERVER_MS = Date.UTC(2026, 10, 27, 12);

/** A connection in the test's hands: its calls, and whether it answers. */
class TestWire implements Wire {
	readonly calls: { method: string; argument: unknown }[] = [];
	/** Methods that fail. */
	readonly fails: Set<string>;
	/** Methods whose answers are lost. */
	readonly silent = new Set<string>();
	/** Channels that are refused. */
	readonly refuses = new Set<string>();
	stopped = false;
	sent = 0;
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
		if (this.silent.has(method)) return await new Promise(() => undefined);
		const { channels = [] } = argument as { channels?: Channel[] };
		const refused = channels.filter((channel) => this.refuses.has(channel));
		return {
			success: true,
			serverTime: new Date(SERVER_MS + performance.now()).toISOString(),
			unknown: [],
			refused: refused.map((channel) => ({ channel, code: 'THROTTLED' })),
		};
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
	/** A book's image, or a change of it, counted as the server counts. */
	sayBook(market: number, kind: 'IMAGE' | 'DELTA'): void {
		this.say({ Code: 'MarketBook', Data: JSON.stringify({ kind, marketId: String(market), runners: [] }) });
		this.sent += 1;
	}
	/** A message that does not arrive. */
	lose(): void {
		this.sent += 1;
	}
	beat(): void {
		this.say({ Code: 'Heartbeat', Data: JSON.stringify({ sent: this.sent }) });
	}
	named(method: string): unknown[] {
		return this.calls.flatMap((call) =>
			call.method === method ? [(call.argument as { channels: unknown }).channels] : [],
		);
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
let told: { serverMs: number; askedAtMs: number }[];
let token: string;
let unproved: string[];
let frames: (() => void)[];
let channels: Channels;
let hub: HubConnection;
const wire = (): TestWire => wires.at(-1) as TestWire;
const settle = () => vi.advanceTimersByTimeAsync(0);
/** The next animation frame, and the answers to what it sends. */
async function frame(): Promise<void> {
	for (const draw of frames.splice(0)) draw();
	await settle();
}

beforeEach(() => {
	vi.useFakeTimers();
	[wires, fails, states, refusals, logged, token] = [[], new Set(), [], 0, [], 'first'];
	[unproved, frames, told] = [[], [], []];
	channels = new Channels(Date.now);
	hub = new HubConnection({
		channels,
		makeWire: async () => {
			const wire = new TestWire(fails);
			wires.push(wire);
			return wire;
		},
		registration: () => ({ Browser: 'Test 1', Domain: 'http://here', CurrentPage: 'http://here/', Token: token }),
		onState: (state) => states.push(state),
		onServerTime: (serverMs, askedAtMs) => told.push({ serverMs, askedAtMs }),
		onRefused: () => {
			refusals += 1;
		},
		atFrame: (send) => frames.push(send),
		onUnproved: (left) => unproved.push(...left),
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
		await vi.advanceTimersByTimeAsync(REGISTRATION_HEARTBEAT_MS * 2);
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
		await vi.advanceTimersByTimeAsync(REGISTRATION_HEARTBEAT_MS);
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
		await vi.advanceTimersByTimeAsync(REGISTRATION_HEARTBEAT_MS + 1);
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

	it('follows again what it watched, once each', async () => {
		hub.start();
		await settle();
		const leave = channels.subscribe('market:1');
		channels.subscribe('market:1');
		channels.subscribe('event:2');
		leave();
		wire().break();
		await settle();
		expect(wire().named('Follow')).toEqual([['market:1', 'event:2']]);
	});

	it('tells the server’s time at each registration and heartbeat, and when the page is shown again', async () => {
		hub.start();
		await settle();
		await vi.advanceTimersByTimeAsync(REGISTRATION_HEARTBEAT_MS);
		hub.wake();
		await settle();
		wire().break();
		await settle();
		expect(wires.map((one) => one.methods())).toEqual([
			['RegisterClient', 'SendHeartbeat', 'SendHeartbeat'],
			['RegisterClient'],
		]);
		const first = told[0]?.askedAtMs ?? Number.NaN;
		const later = first + REGISTRATION_HEARTBEAT_MS;
		expect(told).toEqual([first, later, later, later].map((at) => ({ serverMs: SERVER_MS + at, askedAtMs: at })));
	});

	it('says at each registration for how long it has heard nothing of the player: of what was before a log-in, nothing', async () => {
		await vi.advanceTimersByTimeAsync(1500);
		hub.start();
		await settle();
		await vi.advanceTimersByTimeAsync(30_000);
		wire().beat();
		await vi.advanceTimersByTimeAsync(4000);
		fails.add('start');
		wire().break();
		await vi.advanceTimersByTimeAsync(1000);
		fails.clear();
		hub.wake();
		await settle();
		await vi.advanceTimersByTimeAsync(60_000);
		await hub.restart();
		await settle();
		const registered = wires.flatMap(({ calls }) => calls.filter(({ method }) => method === 'RegisterClient'));
		const missed = registered.map(({ argument }) => (argument as { MissedMs: number }).MissedMs);
		// Since the page began; since the last message and what was on its way with it.
		expect(missed).toEqual([1500, 5000 + 5000, 0]);
	});

	it('that gets no answer to its heartbeat starts again', async () => {
		hub.start();
		await settle();
		wire().silent.add('SendHeartbeat');
		await vi.advanceTimersByTimeAsync(REGISTRATION_HEARTBEAT_MS + ANSWER_WITHIN_MS - 1);
		expect(wires).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(2);
		expect([hub.state, wires.length]).toEqual(['Connected', 2]);
	});
});

describe('channels', () => {
	beforeEach(async () => {
		hub.start();
		await settle();
	});

	it('of a page are one message, and a page change is one more', async () => {
		const leaves = [1, 2, 3].map((market) => channels.subscribe(`market:${market}`));
		await frame();
		for (const leave of leaves) leave();
		channels.subscribe('market:3');
		channels.subscribe('market:4');
		await frame();
		expect(wire().named('Follow')).toEqual([
			['market:1', 'market:2', 'market:3'],
			['market:3', 'market:4'],
		]);
		expect(unproved).toEqual(['market:1', 'market:2']);
	});

	it('that are left and watched again within a frame are not spoken of', async () => {
		const leave = channels.subscribe('market:1');
		await frame();
		leave();
		channels.subscribe('market:1');
		await frame();
		expect(wire().named('Follow')).toHaveLength(1);
		expect(channels.isLive('market:1')).toBe(true);
	});

	it('that are left get no book that was on its way, and that are watched again get the next', async () => {
		const books: string[] = [];
		hub.on('MarketBook', ({ kind }) => books.push(kind));
		const leave = channels.subscribe('market:1');
		await frame();
		wire().sayBook(1, 'IMAGE');
		leave();
		// The server still counts on the page: a change that is missed here would never be noticed.
		wire().sayBook(1, 'DELTA');
		await frame();
		expect(unproved).toEqual(['market:1']);
		wire().sayBook(1, 'IMAGE');
		expect(books).toEqual(['IMAGE', 'DELTA']);
		channels.subscribe('market:1');
		await frame();
		wire().sayBook(1, 'IMAGE');
		expect(books).toEqual(['IMAGE', 'DELTA', 'IMAGE']);
	});

	it('that change while an answer is awaited are told at once, and a lost answer delays no other page', async () => {
		wire().silent.add('Follow');
		channels.subscribe('market:1');
		await frame();
		wire().silent.clear();
		channels.subscribe('market:2');
		await frame();
		expect(wire().named('Follow')).toEqual([['market:1'], ['market:1', 'market:2']]);
		expect([channels.isLive('market:1'), channels.isLive('market:2')]).toEqual([true, true]);
		await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS + 60_000);
		await frame();
		expect(wire().named('Follow')).toHaveLength(2);
	});

	it('whose answer is lost are asked for again', async () => {
		wire().silent.add('Follow');
		channels.subscribe('market:1');
		await frame();
		wire().silent.clear();
		await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS + 1100);
		await frame();
		expect([channels.isLive('market:1'), wire().named('Follow').length]).toEqual([true, 2]);
	});

	it('that are refused are asked for again, after 1, 2, 4 … 30 s, until they are taken', async () => {
		wire().refuses.add('market:2');
		channels.subscribe('market:1');
		channels.subscribe('market:2');
		await frame();
		expect([channels.isLive('market:1'), channels.isLive('market:2')]).toEqual([true, false]);
		const asked: number[] = [];
		const from = Date.now();
		while (asked.length < 7) {
			const before = wire().named('Follow').length;
			await vi.advanceTimersByTimeAsync(100);
			await frame();
			if (wire().named('Follow').length > before) asked.push(Date.now() - from);
		}
		const waits = asked.map((at, attempt) => at - (asked[attempt - 1] ?? 0));
		// A tenth is added to each wait.
		[1100, 2200, 4400, 8800, 17_600, 33_000, 33_000].forEach((wait, attempt) => {
			expect(Math.abs((waits[attempt] as number) - wait)).toBeLessThanOrEqual(200);
		});
		wire().refuses.clear();
		await vi.advanceTimersByTimeAsync(33_100);
		await frame();
		expect(channels.isLive('market:2')).toBe(true);
		const taken = wire().named('Follow').length;
		await vi.advanceTimersByTimeAsync(60_000);
		await frame();
		expect(wire().named('Follow')).toHaveLength(taken);
	});

	it('that the server ends are paused, and asked for again', async () => {
		channels.subscribe('market:1');
		await frame();
		wire().refuses.add('market:1');
		wire().say({ Code: 'SubscriptionEnded', Data: '{"channel":"market:1","code":"SPORT_NOT_ALLOWED"}' });
		expect(channels.isLive('market:1')).toBe(false);
		await frame();
		expect(wire().named('Follow')).toHaveLength(2);
	});
});

describe('a channel is live', () => {
	const live = () => channels.isLive('market:1');
	beforeEach(async () => {
		hub.start();
		await settle();
		channels.subscribe('market:1');
		channels.subscribe('market:2');
	});

	it('only after the server acknowledged it', async () => {
		expect([live(), channels.age('market:1')]).toEqual([false, null]);
		await frame();
		expect([live(), channels.age('market:1')]).toEqual([true, 0]);
	});

	it('while its last message or heartbeat is younger than the stated age, and listeners hear when it is no more', async () => {
		let changes = 0;
		channels.onChange(() => {
			changes += 1;
		});
		await frame();
		await vi.advanceTimersByTimeAsync(LIVE_AGE_MS - 1000);
		wire().sayBook(1, 'DELTA');
		await vi.advanceTimersByTimeAsync(2000);
		expect([live(), channels.isLive('market:2')]).toEqual([true, false]);
		wire().beat();
		expect(channels.isLive('market:2')).toBe(true);
		await vi.advanceTimersByTimeAsync(LIVE_AGE_MS + 500);
		expect([live(), channels.isLive('market:2')]).toEqual([false, false]);
		expect(channels.age('market:1')).toBe(LIVE_AGE_MS + 500);
		// Both live, the second paused, live again, both paused.
		expect(changes).toBe(4);
	});

	it('after a lost message only when its image has come', async () => {
		await frame();
		wire().lose();
		await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
		wire().beat();
		await frame();
		expect(wire().named('Subscribe')).toEqual([['market:1', 'market:2']]);
		wire().sayBook(1, 'IMAGE');
		// Of the other, a change that is not lost proves nothing about the one that was.
		wire().sayBook(2, 'DELTA');
		await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
		wire().beat();
		await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
		wire().beat();
		expect([live(), channels.isLive('market:2')]).toEqual([true, false]);
		wire().sayBook(2, 'IMAGE');
		wire().beat();
		expect(channels.isLive('market:2')).toBe(true);
	});

	it('never by a clock that was set back', async () => {
		await frame();
		vi.setSystemTime(Date.now() - 3_600_000);
		await vi.advanceTimersByTimeAsync(500);
		expect(live()).toBe(false);
		wire().beat();
		expect(live()).toBe(true);
	});

	it('no more when the connection is lost or the device has no network, until it is proved anew', async () => {
		await frame();
		hub.distrust();
		expect([live(), unproved]).toEqual([false, ['market:1', 'market:2']]);
		wire().beat();
		expect(live()).toBe(false);
		hub.wake();
		await frame();
		expect([live(), wire().named('Subscribe')]).toEqual([true, [['market:1', 'market:2']]]);
		fails.add('start');
		wire().break();
		await settle();
		expect(live()).toBe(false);
	});
});
