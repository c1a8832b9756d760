/**
 * What gateways answer visitors from the copy that they follow: after any changes, losses and restarts it is what the
 * process with the engine answers, and never older than what the same client saw before.
 */
import pino from 'pino';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '#contract/call.ts';
import { type HubMessages, LIVE_AGE_MS } from '#contract/hub-messages.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { AnswerCall, CallAnswer } from '#server/calls/checked-call.ts';
import { callsOf, markOf, readCalls } from '#server/doors/gateway/call-messages.ts';
import { FollowedProjection } from '#server/doors/gateway/followed-projection.ts';
import { PartReader } from '#server/doors/gateway/message-parts.ts';
import { PROJECTION } from '#server/doors/gateway/projection-messages.ts';
import { RemoteCalls } from '#server/doors/gateway/remote-calls.ts';
import { FollowedSite } from '#server/doors/gateway/site-facts.ts';
import { answerVisitors } from '#server/doors/gateway/visitor-calls.ts';
import { openApiDocument } from '#server/doors/http/open-api.ts';
import { NatsBus, type ReceivedBytes, type RemoteBus } from '#server/platform/bus/nats-bus.ts';
import { isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { type Draw, pick, randomFrom } from '#sports/random.ts';
import { HOME_POOLS } from '#values/pools.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { openMarketOf, openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
import { scoreCard } from '../support/score-card.ts';
import { onSeeds } from '../support/seeds.ts';
import { TestServer, TOKEN_KEY } from '../support/server.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { type NatsServer, startNatsServer } from './nats-server.ts';

const program = findNatsServer();
const log = pino({ level: 'silent' });

type Read = [CallName, Record<string, string>];

/** All that a gateway answers visitors by itself: about everything, and about one match. */
const LISTS: readonly Read[] = [
	['treeSportWithEvent', {}],
	['getBySportName', { sportName: 'cricket' }],
	['getBySportName', { sportName: 'football' }],
	['closest', { take: '100' }],
	['closest', { perSport: '1' }],
	['getSportsFeed', {}],
	['getSetting', { name: 'football' }],
];
const readsOf = ({ eventId, marketId }: TestMatch): Read[] => [
	['getMarketsByEventId', { eventId }],
	['getUserOddsV2', { marketIds: marketId, depth: '10' }],
	['getUserOdds', { marketId }],
	['getScoreCard', { eventId }],
	['getVideoLink', { eventId }],
	['getTvStream', { eventId }],
	['getScoreSession', { eventId }],
];

/** Hundredths. */
const PRICES = [200, 210, 220];

/** What follows in a gateway, over a connection of its own that can lose what the projection is told. */
class Follower {
	readonly projection: FollowedProjection;
	readonly answer: AnswerCall;
	/** Messages to lose. */
	toLose = 0;
	/** Calls that it passed on. */
	passedOn = 0;
	readonly #bus: NatsBus;
	readonly #site: FollowedSite;
	readonly #remote: RemoteCalls;

	private constructor(bus: NatsBus) {
		this.#bus = bus;
		this.#site = new FollowedSite(bus);
		this.projection = new FollowedProjection({
			subscribe: (topic, listener) => bus.subscribe(topic, listener),
			publishBytes: (subject, bytes, replyTo) => bus.publishBytes(subject, bytes, replyTo),
			onGap: (listener) => bus.onGap(listener),
			subscribeBytes: (subject, onBytes) => bus.subscribeBytes(subject, this.#lossy(subject, onBytes)),
		});
		const mark = markOf(TOKEN_KEY, JSON.stringify(openApiDocument()));
		this.#remote = new RemoteCalls({ bus, log, mark });
		const remote: AnswerCall = (call) => {
			this.passedOn += 1;
			return this.#remote.answer(call);
		};
		this.answer = answerVisitors({ pools: HOME_POOLS, projection: this.projection, site: this.#site, remote });
	}

	static async join(natsUrl: string): Promise<Follower> {
		return new Follower(await NatsBus.connect(natsUrl, log));
	}

	get bus(): RemoteBus {
		return this.#bus;
	}

	#lossy(subject: string, onBytes: (received: ReceivedBytes) => void) {
		return (received: ReceivedBytes): void => {
			if (subject === PROJECTION && this.toLose > 0) this.toLose -= 1;
			else onBytes(received);
		};
	}

	/** Resolves when all that was published before has arrived, and what was lost is repaired. */
	async caughtUp(): Promise<void> {
		this.toLose = 0;
		await this.#bus.ask('hub.ready', []);
		await expect.poll(async () => (await this.#site.caughtUp()) && this.projection.isCurrent).toBe(true);
	}

	async close(): Promise<void> {
		this.projection.close();
		this.#site.close();
		await this.#remote.drain();
		await this.#bus.close();
	}
}

/** A visitor's call as the front of a gateway hands it on. */
async function ask(
	{ answer }: Follower,
	name: CallName,
	raw: Record<string, string>,
	seen?: number,
): Promise<CallAnswer> {
	const call: Call = CALLS[name];
	const receivedMs = performance.now();
	return await answer({
		name,
		host: 'localhost',
		claim: null,
		input: v.parse(call.request, raw),
		address: '127.0.0.1',
		country: null,
		cookies: '',
		requestId: 'from-the-browser',
		receivedMs,
		untilMs: receivedMs + 10_000,
		seen,
	});
}

/** A result, or the code of the refusal. */
const outcome = async (answered: Promise<CallAnswer>): Promise<unknown> =>
	answered.then(
		({ json }) => JSON.parse(json) as unknown,
		({ code }: { code: string }) => code,
	);

/** A client that asks followers by turns, and compares what it gets with what it has seen. */
class Visitor {
	/** Of the list that it has, and of the newest that its hub told it of. */
	#listVersion = 0;
	#heardVersion = 0;
	readonly #versions = new Map<string, number>();
	#isEnded = false;
	asked = 0;

	/** What its hub tells it. @returns a function that ends it */
	listen({ bus }: Follower): () => void {
		const leaves = [
			bus.subscribe('sports', ({ data }) => {
				this.#heardVersion = Math.max(this.#heardVersion, (data as HubMessages['EventUpdate']).version);
			}),
			bus.subscribe('brand.localhost', ({ data }) =>
				this.#sees('setting', (data as HubMessages['DomainSettingChanged']).version),
			),
		];
		return () => {
			for (const leave of leaves) leave();
		};
	}

	async ask(follower: Follower, { eventId, marketId }: TestMatch): Promise<void> {
		const atLeast = Math.max(this.#listVersion, this.#heardVersion);
		const { etag } = await ask(follower, 'treeSportWithEvent', {}, this.#listVersion);
		this.#listVersion = Number(/^W\/"(\d+)\./.exec(etag ?? '')?.[1]);
		expect(this.#listVersion).toBeGreaterThanOrEqual(atLeast);
		// Its hub may tell it of a newer one while the answer is on its way.
		const settingSeen = this.#versions.get('setting') ?? 0;
		const { version } = JSON.parse((await ask(follower, 'getSettingExpiry', {})).json);
		expect(version, 'setting').toBeGreaterThanOrEqual(settingSeen);
		const [book] = JSON.parse((await ask(follower, 'getUserOddsV2', { marketIds: marketId })).json);
		this.#sees(`book ${marketId}`, book.version);
		const { markets } = JSON.parse((await ask(follower, 'getMarketsByEventId', { eventId })).json);
		for (const market of markets) this.#sees(`market ${market.id}`, market.version);
		this.asked += 1;
	}

	#sees(what: string, version: number): void {
		expect(version, what).toBeGreaterThanOrEqual(this.#versions.get(what) ?? 0);
		this.#versions.set(what, version);
	}

	/** Asks on and on, at one follower. */
	async watch(follower: Follower, match: TestMatch): Promise<void> {
		while (!this.#isEnded) {
			await this.ask(follower, match);
			await new Promise((resume) => setImmediate(resume));
		}
	}

	end(): void {
		this.#isEnded = true;
	}
}

describe.skipIf(program === null)('a gateway', () => {
	let nats: NatsServer;
	let server: TestServer;
	beforeAll(async () => {
		nats = await startNatsServer(program as string);
		server = await TestServer.start(undefined, { natsUrl: nats.url });
		await openMarketMakers(server.running.exchange);
	});
	afterAll(async () => {
		await server.dispose();
		await nats.stop();
	});

	async function join(): Promise<Follower> {
		const follower = await Follower.join(nats.url);
		onTestFinished(() => follower.close());
		return follower;
	}

	async function restart(): Promise<void> {
		await server.stop();
		server = await TestServer.start(server.database, { natsUrl: nats.url });
	}

	/** Something that visitors can see. */
	async function act(matches: TestMatch[], draw: Draw): Promise<void> {
		const { fixtures, brands, housekeeping } = server.running;
		const open = matches.filter(({ market }) => {
			const fixture = fixtures.fixture(market.fixture.id);
			return fixture && isUnfinished(fixture);
		});
		const what = Math.floor(draw() * 20);
		if (what === 0 || open.length < 2) {
			matches.push(
				await openTestMatch(server, { sportId: pick([1, 3], draw), startsAtMs: Math.floor(Date.now() + draw() * 1e8) }),
			);
			return;
		}
		const match = pick(open, draw);
		const { id } = match.market.fixture;
		switch (what) {
			case 1:
				return await fixtures.setStatus(id, 'IN_PLAY');
			case 2:
				return await fixtures.setStart(id, Math.floor(Date.now() + draw() * 1e8));
			case 3:
				return await fixtures.setStream(id, pick([null, 'https://a.test/b.m3u8', 'https://a.test/c.m3u8'], draw));
			case 4:
			case 5:
				return await fixtures.setScore(id, scoreCard(match.eventId), `IND ${Math.floor(draw() * 300)}/3`);
			case 6:
				await server.running.exchange.submit({
					kind: 'suspend-market',
					marketId: match.market.listing.id,
					lapseUnmatched: true,
				});
				return;
			case 7:
				await server.running.exchange.submit({ kind: 'resume-market', marketId: match.market.listing.id });
				return;
			case 8:
				return await fixtures.setFactors(match.market.listing.id, new Map([[0, Math.floor(draw() * 1000)]]));
			case 9:
				// A sport that the brand closes, or has again.
				await brands.change('localhost', [{ field: 'football', value: String(draw() < 0.5) }]);
				return;
			case 10:
				await match.settle(0);
				if (draw() < 0.5) housekeeping.tidy(Date.now() + 1e9);
				return;
			default:
				return await match.market.quote([quotesAround(pick(PRICES, draw)), quotesAround(pick(PRICES, draw))]);
		}
	}

	async function equalTheEngine(followers: readonly Follower[], matches: readonly TestMatch[]): Promise<void> {
		for (const follower of followers) await follower.caughtUp();
		const before = followers.map(({ passedOn }) => passedOn);
		for (const [name, raw] of [...LISTS, ...matches.flatMap(readsOf)]) {
			const { code, body } = await server.raw(name, raw);
			for (const follower of followers)
				expect([name, raw, await outcome(ask(follower, name, raw))]).toEqual([name, raw, code ?? body.result]);
		}
		expect(followers.map(({ passedOn }) => passedOn)).toEqual(before);
	}

	onSeeds(
		[1, 2, 3, 4],
		'answers as the process with the engine, after any changes, losses and restarts, seed %i',
		async (seed) => {
			const draw = randomFrom(seed);
			const matches = [await openTestMatch(server), await openTestMatch(server)];
			const [first] = matches as [TestMatch, ...TestMatch[]];
			await openMarketOf(server, first, {
				name: '6 over runs',
				type: 'SESSION_RUNS',
				runners: [40, 41, 42].map((line) => ({ id: String(line), name: String(line) })),
				lines: [40, 41, 42],
				betDelaySeconds: 0,
				rules: 'Runs after six overs.',
			});
			await first.market.quote([quotesAround(200), quotesAround(200)]);
			/** Matches that no feed operates any more. */
			const ended: TestMatch[] = [];
			const followers = [await join(), await join()];
			const visitor = new Visitor();
			for (let round = 0; round < 8; round++) {
				// One that is told everything again tells the others, too; so every other round is without trouble.
				const isTroubled = round % 2 === 1;
				for (let acts = 0; acts < 12; acts++) {
					await act(matches, draw).catch((error: { code?: string }) => expect(error.code).toMatch(/^MARKET_/));
					const follower = pick(followers, draw);
					if (isTroubled && draw() < 0.3) follower.toLose = 1 + Math.floor(draw() * 3);
				}
				if (round === 5) {
					// Quotes are not in the tables.
					const quoted = await openTestMatch(server);
					await quoted.market.quote([quotesAround(200), quotesAround(200)]);
					ended.push(quoted);
					await restart();
					// What operates a market goes with its process.
					ended.push(...matches.splice(0));
					matches.push(await openTestMatch(server), await openTestMatch(server));
				}
				if (round % 4 === 3) followers.push(await join());
				// What was lost at the end shows with the next message.
				for (const follower of followers) follower.toLose = 0;
				await server.running.fixtures.setScore(first.market.fixture.id, scoreCard(first.eventId), `IND ${round}/0`);
				await equalTheEngine(followers, [...ended, ...matches]);
				for (const follower of followers) await visitor.ask(follower, first);
			}
		},
	);

	it('answers nothing older than what the same client saw, while fixtures and prices change', async () => {
		const match = await openTestMatch(server);
		const follower = await join();
		await follower.caughtUp();
		const visitor = new Visitor();
		onTestFinished(visitor.listen(follower));
		const watching = visitor.watch(follower, match);
		for (let change = 0; change < 60; change++) {
			if (change % 20 === 10) follower.toLose = 2;
			await server.running.fixtures.setScore(match.market.fixture.id, scoreCard(match.eventId), `IND ${change}/0`);
			await match.market.quote([quotesAround(PRICES[change % 2] as number), quotesAround(300)]);
			if (change % 10 === 5)
				await server.running.brands.change('localhost', [{ field: 'domainTitle', value: `Title ${change}` }]);
		}
		visitor.end();
		await watching;
		expect(visitor.asked).toBeGreaterThan(5);
	});

	it('answers no list that is older than what lists heard of, and drops what it did not hear of', async () => {
		const match = await openTestMatch(server);
		const follower = await join();
		await follower.caughtUp();
		await match.settle(0);
		follower.toLose = Number.POSITIVE_INFINITY;
		// It leaves memory; only the hub's news of it arrive.
		server.running.housekeeping.tidy(Date.now() + 1e9);
		await follower.bus.ask('hub.ready', []);
		const { etag } = await ask(follower, 'treeSportWithEvent', {});
		expect(etag).toContain(`W/"${server.running.fixtures.version}.`);
		follower.toLose = 0;
		const next = await openTestMatch(server);
		await equalTheEngine([follower], [match, next]);
	});

	it('answers nothing from its copy while the process with the engine cannot know that it leads', async () => {
		const own = await startNatsServer(program as string);
		onTestFinished(() => own.stop());
		const led = await TestServer.start(undefined, { natsUrl: own.url, commandRows: true });
		onTestFinished(() => led.dispose());
		const follower = await Follower.join(own.url);
		onTestFinished(() => follower.close());
		await follower.caughtUp();
		const blocker = await led.database.db.connect();
		await blocker.query('begin');
		await blocker.query('select 1 from lease for update');
		try {
			await expect.poll(() => follower.projection.isCurrent, { timeout: 2 * LIVE_AGE_MS }).toBe(false);
			expect(led.running.exchange.isFresh()).toBe(false);
		} finally {
			await blocker.query('rollback');
			blocker.release();
		}
		await follower.caughtUp();
		expect(led.running.exchange.isFresh()).toBe(true);
	});

	it('passes a visitor on who has seen a newer list elsewhere', async () => {
		const follower = await join();
		await follower.caughtUp();
		const { version } = server.running.fixtures;
		follower.passedOn = 0;
		await ask(follower, 'treeSportWithEvent', {}, version);
		expect(follower.passedOn).toBe(0);
		await ask(follower, 'treeSportWithEvent', {}, version + 1);
		expect(follower.passedOn).toBe(1);
	});

	it('asks the process with the engine for no visitor’s read while everything changes', {
		tags: 'thorough',
	}, async () => {
		const match = await openTestMatch(server);
		await match.market.quote([quotesAround(200), quotesAround(200)]);
		const gateway = await startGatewayProcess({ natsUrl: nats.url, nodeId: 'east' });
		onTestFinished(async () => void (await gateway.stop()));
		const spy = await NatsBus.connect(nats.url, log);
		onTestFinished(() => spy.close());
		const passedOn: CallName[] = [];
		const reader = new PartReader();
		spy.subscribeBytes(callsOf('*'), ({ bytes, replyTo }) => {
			const text = reader.read(replyTo, bytes);
			for (const { name } of readCalls(text ?? '[]')) passedOn.push(name);
		});
		const read = async (name: CallName, raw: Record<string, string>, headers: Record<string, string> = {}) => {
			const response = await fetch(`${gateway.url}/${CALLS[name].path}?${new URLSearchParams(raw)}`, { headers });
			return response.status;
		};
		// The gateway has its copy when nothing more arrives.
		await expect
			.poll(async () => {
				passedOn.length = 0;
				await read('treeSportWithEvent', {});
				return passedOn.length;
			})
			.toBe(0);
		const visits = async (): Promise<number[]> =>
			await Promise.all([...LISTS, ...readsOf(match)].map(([name, raw]) => read(name, raw)));
		for (let change = 0; change < 20; change++) {
			const visiting = Promise.all(Array.from({ length: 5 }, visits));
			await server.running.fixtures.setScore(match.market.fixture.id, scoreCard(match.eventId), `IND ${change}/0`);
			await (change % 2 === 0 ? match.market.suspend() : match.market.resume());
			expect(new Set((await visiting).flat())).toEqual(new Set([200]));
		}
		// The answer comes behind everything that was asked before.
		await spy.ask('hub.ready', []);
		expect(passedOn).toEqual([]);
		const { token } = await server.demoPlayer();
		await read('treeSportWithEvent', {}, { Authorization: `Bearer ${token}` });
		expect(passedOn).toEqual(['treeSportWithEvent']);
	});
});
