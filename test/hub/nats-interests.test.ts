/** News goes to the processes that follow it, all of it and in order, and to no others. */
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { NatsInterests } from '#server/platform/bus/nats-interests.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { onSeeds } from '../support/seeds.ts';
import { type NatsServer, startNatsServer } from './nats-server.ts';

const log = pino({ level: 'silent' });
const program = findNatsServer();
const TOPICS = ['market.1.PLAY', 'market.2.PLAY', 'player.1', 'player.2'];
const UNFOLLOWED = 'player.3';
const COUNT_OF = 'count-of';

/** The news number `count` of a topic. */
const newsOf = (count: number): BusMessage => ({
	code: 'CrashTick',
	data: { round: '1', elapsedMs: count, cents: 0, serverTime: 0 },
});
const countIn = ({ data }: BusMessage): number => (data as { elapsedMs: number }).elapsedMs;

/** The process with the engine: counts what it published on each topic, and answers with the count as an image does. */
class Engine {
	readonly counts = new Map<string, number>();
	readonly #bus: NatsBus;

	constructor(bus: NatsBus) {
		this.#bus = bus;
		bus.answer(COUNT_OF, async ([topic]) => this.counts.get(String(topic)) ?? 0);
		bus.announce();
	}

	publish(topic: string): void {
		const count = (this.counts.get(topic) ?? 0) + 1;
		this.counts.set(topic, count);
		this.#bus.publish(topic, newsOf(count));
	}
}

/** A gateway: follows topics, asks for each one's image, and again when news may be missing. */
class Gateway {
	/** The latest count of a followed topic; null while its image is on its way. */
	readonly latest = new Map<string, number | null>();
	readonly missed: string[] = [];
	readonly #bus: NatsBus;
	readonly #leave = new Map<string, () => void>();
	/** What came before the first image. */
	readonly #early = new Map<string, number[]>();

	constructor(bus: NatsBus) {
		this.#bus = bus;
		bus.onGap(() => {
			for (const topic of this.latest.keys()) void this.#ask(topic);
		});
	}

	follow(topic: string): void {
		if (this.latest.has(topic)) return;
		this.latest.set(topic, null);
		const early: number[] = [];
		this.#early.set(topic, early);
		this.#leave.set(
			topic,
			this.#bus.subscribe(topic, (message) => {
				const count = countIn(message);
				const latest = this.latest.get(topic);
				if (latest === undefined) return;
				if (latest === null) early.push(count);
				else if (count > latest) {
					if (count !== latest + 1) this.missed.push(`${topic} ${latest + 1} to ${count}`);
					this.latest.set(topic, count);
				}
			}),
		);
		void this.#ask(topic);
	}

	leave(topic: string): void {
		this.#leave.get(topic)?.();
		this.#leave.delete(topic);
		this.latest.delete(topic);
	}

	/** Follows nothing any more: a question that gets no answer is not asked again. */
	end(): void {
		for (const topic of this.latest.keys()) this.leave(topic);
	}

	/** What this process sent before has arrived, if NATS is there. */
	async settled(): Promise<void> {
		await Promise.race([this.#bus.ask(COUNT_OF, ['']).catch(() => null), delay(50)]);
	}

	async #ask(topic: string): Promise<void> {
		const left = this.#leave.get(topic);
		for (;;) {
			const image = await this.#bus.ask(COUNT_OF, [topic]).catch(() => null);
			if (this.#leave.get(topic) !== left) return;
			if (image === null) {
				await turn();
				continue;
			}
			let latest = Math.max(Number(image), this.latest.get(topic) ?? 0);
			for (const count of this.#early.get(topic)?.splice(0) ?? []) {
				if (count > latest + 1) this.missed.push(`${topic} ${latest + 1} to ${count}, early`);
				latest = Math.max(latest, count);
			}
			this.latest.set(topic, latest);
			return;
		}
	}
}

describe.skipIf(program === null)('news between processes', () => {
	let nats: NatsServer & { port: number };
	let buses: NatsBus[] = [];
	let gateways: Gateway[] = [];
	beforeAll(async () => {
		nats = await startNatsServer(program as string);
	});
	afterEach(async () => {
		for (const gateway of gateways) gateway.end();
		await Promise.all(buses.map((bus) => bus.close()));
		buses = [];
	});
	afterAll(() => nats?.stop());

	async function open() {
		buses = await Promise.all([0, 1, 2].map(() => NatsBus.connect(nats.url, log)));
		const [engineBus, ...others] = buses as [NatsBus, NatsBus, NatsBus];
		const engine = new Engine(engineBus);
		gateways = others.map((bus) => new Gateway(bus));
		return { engine, gateways };
	}

	/** Random news, while gateways begin and cease to follow. */
	async function live(numbers: SeededNumbers, { engine, gateways }: Awaited<ReturnType<typeof open>>, steps: number) {
		for (let step = 0; step < steps; step++) {
			const topic = numbers.from(TOPICS);
			const gateway = numbers.from(gateways);
			switch (numbers.below(8)) {
				case 0:
					gateway.follow(topic);
					break;
				case 1:
					if (gateway.latest.get(topic) !== null) gateway.leave(topic);
					break;
				case 2:
					await gateway.settled();
					break;
				default:
					engine.publish(topic);
			}
		}
		engine.publish(UNFOLLOWED);
	}

	const expectAllToKnow = ({ engine, gateways }: Awaited<ReturnType<typeof open>>) =>
		expect
			.poll(() =>
				gateways.flatMap(({ latest }) =>
					[...latest].filter(([topic, count]) => count !== (engine.counts.get(topic) ?? 0)),
				),
			)
			.toEqual([]);

	onSeeds([1, 2, 3], 'reaches all who follow it, in order and without a gap, seed %i', async (seed) => {
		const sent: string[] = [];
		const witness = await connect({ servers: nats.url });
		witness.subscribe('backlay.news.>', { callback: (_, { subject }) => void sent.push(subject) });
		await witness.flush();
		const side = await open();
		await live(new SeededNumbers(seed), side, 1_000);
		await expectAllToKnow(side);
		expect(side.gateways.flatMap(({ missed }) => missed)).toEqual([]);
		await witness.flush();
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.filter((subject) => subject.endsWith(UNFOLLOWED))).toEqual([]);
		await witness.close();
	});

	it('is known to all again after NATS was away', async () => {
		const side = await open();
		const numbers = new SeededNumbers(4);
		for (const gateway of side.gateways) for (const topic of TOPICS) gateway.follow(topic);
		await expectAllToKnow(side);
		for (let count = 0; count < 2; count++) {
			await nats.stop();
			await live(numbers, side, 60);
			nats = await startNatsServer(program as string, nats.port);
			await live(numbers, side, 60);
			await expectAllToKnow(side);
		}
	});
});

describe('a process that is silent for long', () => {
	afterEach(() => void vi.useRealTimers());

	it('is forgotten, and announces everything anew when it is heard again', () => {
		vi.useFakeTimers();
		let isFrozen = false;
		const forgotten: string[] = [];
		const engine: NatsInterests = new NatsInterests({
			send: (text) => gateway.hear(text),
			onForgotten: () => forgotten.push('engine'),
		});
		const gateway: NatsInterests = new NatsInterests({
			send: (text) => !isFrozen && engine.hear(text),
			onForgotten: () => forgotten.push('gateway'),
		});
		engine.announceAll();
		gateway.announceAll();
		gateway.follow('player.1');
		vi.advanceTimersByTime(60_000);
		expect(engine.isFollowed('player.1')).toBe(true);
		isFrozen = true;
		vi.advanceTimersByTime(30_000);
		expect(engine.isFollowed('player.1')).toBe(false);
		isFrozen = false;
		gateway.follow('player.2');
		expect([engine.isFollowed('player.1'), engine.isFollowed('player.2'), forgotten]).toEqual([
			true,
			true,
			['gateway'],
		]);
		engine.close();
		gateway.close();
	});
});
