/** The stream: what clients build from it is the exchange's state, whatever becomes of the connection. */
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openMarketOf, type TestMatch } from '../support/match.ts';
import { STREAM, TestServer } from '../support/server.ts';
import { type Bot, limit, openBot, result, rpc, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { differences, hasVectors, vector } from './shapes.ts';
import { gapsIn, StreamClient } from './stream-client.ts';

let server: TestServer;
let bot: Bot;
let rival: Bot;
const clients: StreamClient[] = [];
beforeAll(async () => {
	server = await TestServer.start(undefined, { stream: STREAM });
	[bot, rival] = [await openBot(server), await openBot(server)];
});
afterAll(() => server.dispose());
afterEach(() => {
	for (const client of clients.splice(0)) {
		client.close();
		// Whatever was conflated or skipped for it, each change follows the state that it was told.
		expect(gapsIn(client.changes)).toEqual([]);
	}
});

const open = async () => {
	const client = await StreamClient.open(server);
	clients.push(client);
	return client;
};
const subscribed = async (of: Bot, subscription: object) => {
	const client = await StreamClient.subscribed(server, of, subscription);
	clients.push(client);
	return client;
};
const markets = (match: TestMatch, changes: object = {}) => ({
	op: 'marketSubscription',
	marketFilter: { marketIds: [`1.${match.marketId}`] },
	marketDataFilter: {
		fields: ['EX_BEST_OFFERS', 'EX_ALL_OFFERS', 'EX_LTP', 'EX_TRADED', 'EX_TRADED_VOL', 'EX_MARKET_DEF'],
	},
	...changes,
});
const ORDERS = { op: 'orderSubscription', orderFilter: { includeOverallPosition: true } };
const place = (of: Bot, match: TestMatch, ...instructions: object[]) =>
	result(server, of, 'placeOrders', { marketId: `1.${match.marketId}`, instructions });

/** The books that clients should have, from the durable views. */
function expected(match: TestMatch, runner: number) {
	const row = server.running.exchange.book(Number(match.marketId), 'PLAY')?.runners[runner];
	const levels = (from: readonly { price: number; size: number }[]) =>
		from.map(({ price, size }) => [price / 100, size / 100]);
	const rising = (from: number[][]) => from.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
	return {
		atb: rising(levels(row?.back ?? [])),
		atl: rising(levels(row?.lay ?? [])),
		batb: levels(row?.back ?? [])
			.slice(0, 3)
			.map((level, at) => [at, ...level]),
		batl: levels(row?.lay ?? [])
			.slice(0, 3)
			.map((level, at) => [at, ...level]),
		ltp: row?.lastPriceTraded ? row.lastPriceTraded / 100 : null,
		tv: (row?.totalMatched ?? 0) / 100,
	};
}
function had(client: StreamClient, match: TestMatch, runner: number) {
	const id = `1.${match.marketId}`;
	const cached = client.markets.get(id)?.runners.get(runner + 1);
	const of = (name: string) => client.ladder(id, runner + 1, name);
	return {
		atb: of('atb'),
		atl: of('atl'),
		batb: of('batb'),
		batl: of('batl'),
		ltp: cached?.ltp ?? null,
		tv: cached?.tv ?? 0,
	};
}
const bookSequence = (match: TestMatch) => server.running.exchange.book(Number(match.marketId), 'PLAY')?.version;
const hasBook = async (client: StreamClient, match: TestMatch) => {
	for (const runner of [0, 1]) await expect.poll(() => had(client, match, runner)).toEqual(expected(match, runner));
};

/** The player's live bets as the exchange has them: matched, remaining, and what was matched by price. */
const live = (of: Bot) =>
	server.running.exchange
		.openBets(of.userId)
		.map(({ betId, matched, remaining }) => [String(betId), matched / 100, remaining / 100])
		.sort();
const heardLive = (client: StreamClient, ids: ReadonlySet<unknown>) =>
	[...client.orders.values()]
		.filter(({ id }) => ids.has(id))
		.map(({ id, sm, sr }: Wire) => [id, sm, sr])
		.sort();
/** The player's matched sizes: market, selection, side, price and size, as one text each. */
function positions(of: Bot): string[] {
	const sums = new Map<string, number>();
	for (const { marketId, runner, side, matched, matchedValue } of server.running.exchange.openBets(of.userId)) {
		if (matched === 0) continue;
		const key = `1.${marketId}|${runner + 1}|${side === 0 ? 'mb' : 'ml'}|${(matchedValue / matched / 100).toFixed(4)}`;
		sums.set(key, (sums.get(key) ?? 0) + matched / 100);
	}
	return [...sums].map(([key, size]) => `${key}|${size.toFixed(2)}`).sort();
}
const heardPositions = (client: StreamClient) =>
	[...client.matched]
		.flatMap(([key, points]) => [...points].map(([price, size]) => `${key}|${price.toFixed(4)}|${size.toFixed(2)}`))
		.sort();

const hasOrders = async (client: StreamClient, of: Bot) => {
	const ids = () => new Set(live(of).map(([id]) => id));
	await expect.poll(() => heardLive(client, ids())).toEqual(live(of));
	await expect.poll(() => heardPositions(client)).toEqual(positions(of));
	// Nothing that has ended looks alive.
	await expect
		.poll(() => [...client.orders.values()].filter(({ sr, id }: Wire) => sr > 0 && !ids().has(id)))
		.toEqual([]);
};

/** A generator of the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Something happens while the client is away; it comes back with its clocks and what it had. */
async function away(client: StreamClient, subscription: object, of: Bot, meanwhile: () => Promise<unknown>) {
	const { initialClk, clk } = client;
	client.close();
	await meanwhile();
	const back = await StreamClient.subscribed(server, of, { ...subscription, initialClk, clk }, client);
	clients.push(back);
	return back;
}

it('has no letter outside ASCII in any line, and says all of them', async () => {
	const title = 'Málaga v भारत 🏏';
	const match = await openTestMatch(server, {
		title,
		runners: [
			{ id: 'M', name: 'Málaga' },
			{ id: 'I', name: 'भारत' },
		],
	});
	const client = await subscribed(bot, markets(match));
	const bytes: Buffer[] = [];
	client.socket.on('data', (data: Buffer) => bytes.push(Buffer.from(data)));
	const again = await open();
	again.socket.on('data', (data: Buffer) => bytes.push(Buffer.from(data)));
	again.say({ op: 'authentication', id: 1, appKey: bot.appKey, session: bot.token });
	again.say({ id: 2, ...markets(match) });
	const image = await again.line(({ ct }) => ct === 'SUB_IMAGE');
	expect(image.mc[0].marketDefinition).toMatchObject({
		eventName: title,
		runners: [{ name: 'Málaga' }, { name: 'भारत' }],
	});
	expect(Buffer.concat(bytes).every((byte) => byte < 0x80)).toBe(true);
});

it('defines a market as the catalogue does: ladder, lines and each-way terms', async () => {
	const match = await openTestMatch(server);
	const lines = { min: 5_000, max: 20_000, interval: 100 };
	const runs = await openMarketOf(server, match, {
		name: 'Innings runs',
		type: 'LINE',
		runners: [{ id: 'R', name: 'Runs' }],
		lineRange: lines,
		betDelaySeconds: 0,
		rules: 'Runs of the innings.',
	});
	const ids = [match.marketId, String(runs.listing.id)].map((id) => `1.${id}`);
	const client = await subscribed(bot, { ...markets(match), marketFilter: { marketIds: ids } });
	const marketProjection = ['MARKET_DESCRIPTION'];
	const catalogue = await result(server, bot, 'listMarketCatalogue', {
		filter: { marketIds: ids },
		maxResults: 5,
		marketProjection,
	});
	for (const { marketId, description } of catalogue) {
		const defined = client.markets.get(marketId)?.definition;
		expect(defined.priceLadderDefinition).toEqual(description.priceLadderDescription);
		expect(defined.discountAllowed).toBe(description.discountAllowed);
		expect(defined.eachWayDivisor).toEqual(description.eachWayDivisor);
		const { minUnitValue, maxUnitValue, interval } = description.lineRangeInfo ?? {};
		expect([defined.lineMinUnit, defined.lineMaxUnit, defined.lineInterval]).toEqual([
			minUnitValue,
			maxUnitValue,
			interval,
		]);
	}
	expect(client.markets.get(ids[1] ?? '')?.definition).toMatchObject({
		lineMinUnit: 50,
		lineMaxUnit: 200,
		lineInterval: 1,
	});
});

it('dates what left the book: cancelled and lapsed, and not what is matched later', async () => {
	const match = await openTestMatch(server);
	const client = await subscribed(bot, ORDERS);
	const told = async (betId: string, isSo: (order: Wire) => boolean): Promise<Wire> => {
		const orders = ({ oc = [] }: Wire) => oc.flatMap(({ orc = [] }: Wire) => orc.flatMap(({ uo = [] }: Wire) => uo));
		const line = await client.line((message) =>
			orders(message).some((order: Wire) => order.id === betId && isSo(order)),
		);
		return orders(line).find((order: Wire) => order.id === betId);
	};
	const placed = await place(bot, match, limit(1, 'BACK', 3, 100), limit(2, 'BACK', 3, 100));
	const [cut, lapsing] = placed.instructionReports.map(({ betId }: Wire) => betId as string);
	const asked = { marketId: `1.${match.marketId}`, instructions: [{ betId: cut, sizeReduction: 40 }] };
	const cancelled = (await result(server, bot, 'cancelOrders', asked)).instructionReports[0];
	const reduced = await told(cut, ({ sc }) => sc === 40);
	expect(reduced.cd).toBe(Date.parse(cancelled.cancelledDate));
	expect(reduced).not.toHaveProperty('ld');
	await place(rival, match, limit(1, 'LAY', 3, 30));
	const matched = await told(cut, ({ sm }) => sm === 30);
	expect([matched.cd, matched.md >= matched.cd]).toEqual([reduced.cd, true]);
	await match.market.turnInPlay();
	const lapsed = await told(lapsing, ({ sl }) => sl === 100);
	expect(lapsed).toMatchObject({ status: 'EC', ld: expect.any(Number) });
	expect(lapsed).not.toHaveProperty('cd');
	await match.settle(0);
});

describe('what clients build', () => {
	it('has changes that wait longer than heartbeats, on a line that others keep busy', async () => {
		const match = await openTestMatch(server);
		const client = await subscribed(bot, markets(match, { conflateMs: 800, heartbeatMs: 500 }));
		client.say({ id: 3, ...ORDERS, heartbeatMs: 500 });
		await client.line(({ id, ct }) => id === 3 && ct === 'SUB_IMAGE');
		await place(rival, match, limit(1, 'LAY', 2, 25));
		// It is told that it is behind meanwhile.
		await client.line(({ op, ct, clk }) => op === 'mcm' && ct === 'HEARTBEAT' && clk === undefined);
		await hasBook(client, match);
	});

	it('equals books and orders after random bets, at every conflation, with reconnects at random instants', async () => {
		const match = await openTestMatch(server);
		const random = randomFrom(20_19);
		const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
		const books = await Promise.all(
			[0, 50, 300, 1_000].map((conflateMs) =>
				subscribed(bot, markets(match, { conflateMs, segmentationEnabled: conflateMs > 50 })),
			),
		);
		let orders = await subscribed(bot, ORDERS);
		let book = await subscribed(rival, markets(match));
		const own = new Set<string>();
		for (let step = 0; step < 60; step++) {
			const side = any(['BACK', 'LAY'] as const);
			const order = limit(any([1, 2]), side, any([1.9, 1.95, 2, 2.02, 2.1]), any([10, 25, 40]));
			const player = any([bot, rival]);
			const { instructionReports } = await place(player, match, order);
			if (player === bot) for (const { betId } of instructionReports) if (betId) own.add(betId);
			const resting = server.running.exchange.openBets(bot.userId).find(({ remaining }) => remaining > 0);
			if (resting && random() < 0.3) {
				await result(server, bot, 'cancelOrders', {
					marketId: `1.${match.marketId}`,
					instructions: [{ betId: String(resting.betId) }],
				});
			}
			if (random() < 0.15) orders = await away(orders, ORDERS, bot, () => place(bot, match, order));
			if (random() < 0.15) book = await away(book, markets(match), rival, () => place(rival, match, order));
		}
		for (const client of [...books, book]) await hasBook(client, match);
		await hasOrders(orders, bot);
		// Each own bet was heard of, whether it rested, was matched, or ended between two connections.
		expect([...own].filter((id) => !orders.orders.has(id))).toEqual([]);
		const resumed = orders.lines.find(({ ct }) => ct === 'SUB_IMAGE' || ct === 'RESUB_DELTA');
		expect(resumed.ct).toBe('RESUB_DELTA');
	});

	it('lets a client prove that it missed no change of a market, and had none twice', async () => {
		const match = await openTestMatch(server);
		const client = await subscribed(bot, markets(match));
		for (const size of [10, 20, 30]) {
			await place(bot, match, limit(1, 'BACK', 3, size));
			await client.line(({ mc = [] }) => mc.some(({ seq }: Wire) => seq === bookSequence(match)));
		}
		const { changes } = client;
		expect(changes.map(({ prev }) => prev)).toEqual([undefined, ...changes.slice(0, -1).map(({ seq }) => seq)]);
		for (let at = 1; at < changes.length - 1; at++) expect(gapsIn(changes.toSpliced(at, 1))).toHaveLength(1);
		for (let at = 1; at < changes.length; at++) expect(gapsIn(changes.toSpliced(at, 0, changes[at]))).toHaveLength(1);
	});

	it('equals them for a client that reads nothing for a while, and its messages never pile up', async () => {
		const match = await openTestMatch(server);
		const client = await subscribed(bot, markets(match));
		client.socket.pause();
		for (let step = 0; step < 30; step++) await place(rival, match, limit(1, 'BACK', 3 + (step % 5) / 20, 10));
		client.socket.resume();
		await hasBook(client, match);
	});

	it('begins with an image of markets after a restart, and with what changed otherwise', async () => {
		const match = await openTestMatch(server);
		await place(bot, match, limit(1, 'BACK', 3, 20));
		const [books, orders] = [await subscribed(bot, markets(match)), await subscribed(bot, ORDERS)];
		await hasBook(books, match);
		const clocks = ({ initialClk, clk }: StreamClient) => ({ initialClk, clk });
		const still = await subscribed(bot, markets(match, clocks(books)));
		expect(still.lines.at(-1)).toMatchObject({ ct: 'RESUB_DELTA' });
		expect(still.lines.at(-1).mc).toBeUndefined();
		const other = await subscribed(bot, { ...markets(match, clocks(books)), marketFilter: {} });
		expect(other.lines.some(({ ct }) => ct === 'SUB_IMAGE')).toBe(true);
		for (const client of clients.splice(0)) client.close();
		await server.stop();
		server = await TestServer.start(server.database, { stream: STREAM });
		const again = await subscribed(bot, markets(match, clocks(books)));
		expect(again.lines.some(({ ct }) => ct === 'SUB_IMAGE')).toBe(true);
		await hasBook(again, match);
		// Of orders, every process knows what changed.
		const own = await subscribed(bot, { ...ORDERS, ...clocks(orders) });
		expect(own.lines.some(({ ct }) => ct === 'RESUB_DELTA')).toBe(true);
		await hasOrders(own, bot);
	});

	it('tells triggers where they are asked for: those that wait, each change, and that one ended while the line was away', async () => {
		const match = await openTestMatch(server);
		const asked = { op: 'orderSubscription', orderFilter: { includeTriggers: true } };
		const trigger = (terms: object) => limit(1, 'BACK', 4, 20, { trigger: { moves: 'FALLS', ...terms } });
		const [first] = (await place(bot, match, trigger({ at: 3 }))).instructionReports;
		const [told, plain] = [await subscribed(bot, asked), await subscribed(bot, ORDERS)];
		const told1 = told.lines.find(({ ct }) => ct === 'SUB_IMAGE').triggers;
		expect(told1).toMatchObject([{ betId: first.betId, selectionId: 1, trigger: { at: 3, status: 'WAITING' } }]);
		const [second] = (await place(bot, match, trigger({ trail: 2 }))).instructionReports;
		await place(bot, match, limit(1, 'LAY', 3, 10));
		await place(rival, match, limit(1, 'BACK', 3, 10));
		const isPlaced = ({ betId, trigger: { status } }: Wire) => betId === first.betId && status === 'PLACED';
		const { triggers } = await told.line((line) => line.triggers?.some(isPlaced) && line.ct === undefined);
		const { placedBetId } = triggers.find(isPlaced);
		await expect.poll(() => told.orders.get(placedBetId)).toMatchObject({ p: 4, sr: 20, status: 'E' });
		const of = { marketId: `1.${match.marketId}`, instructions: [{ betId: second.betId }] };
		const back = await away(told, asked, bot, () => result(server, bot, 'cancelOrders', of));
		expect(back.lines.find(({ ct }) => ct === 'RESUB_DELTA').triggers).toEqual([]);
		expect(plain.lines.some((line) => 'triggers' in line)).toBe(false);
	});

	it('says that a settled market is closed, with positions and without, and to a client that comes back', async () => {
		const match = await openTestMatch(server);
		await place(bot, match, limit(1, 'BACK', 3, 20));
		const without = { op: 'orderSubscription', orderFilter: { includeOverallPosition: false } };
		const [orders, plain, leaving] = [
			await subscribed(bot, ORDERS),
			await subscribed(bot, without),
			await subscribed(bot, without),
		];
		const back = await away(leaving, without, bot, () => match.settle(0));
		const isClosed = ({ oc }: Wire) =>
			oc?.some(({ id, closed }: Wire) => id === `1.${match.marketId}` && closed === true);
		for (const client of [orders, plain, back]) await client.line(isClosed);
		const [betId] = [...back.orders.keys()];
		expect(back.orders.get(betId as string)).toMatchObject({ status: 'EC', sr: 0, sl: 20 });
	});

	it('has the positions of a market that was settled and opened again between two messages', async () => {
		const match = await openTestMatch(server);
		const own = await openBot(server);
		await place(own, match, limit(1, 'BACK', 3, 20));
		await place(rival, match, limit(1, 'LAY', 3, 20));
		const client = await subscribed(own, { ...ORDERS, conflateMs: 3_000 });
		await match.settle(0);
		await server.act('reopen', { marketId: match.marketId });
		await client.line(({ op, ct, oc }) => op === 'ocm' && ct === undefined && oc);
		await hasOrders(client, own);
		await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
		await client.line(({ oc }) => oc?.some(({ closed }: Wire) => closed));
		await hasOrders(client, own);
	});

	it.skipIf(!hasVectors)('has the shapes of the recorded messages', async () => {
		const match = await openTestMatch(server);
		await server.running.fixtures.setFactors(Number(match.marketId), new Map([[0, 2212]]));
		const books = await subscribed(
			bot,
			markets(match, { marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'] } }),
		);
		const image = books.lines.find(({ ct }) => ct === 'SUB_IMAGE');
		const definition = image.mc[0].marketDefinition;
		const factors = definition.runners.map((runner: Wire) => runner.adjustmentFactor);
		expect(factors).toEqual([22.12, undefined]);
		const optional = [
			'.keyLineDefinition',
			'.runners[].adjustmentFactor',
			'.runners[].name',
			'.name',
			'.eventName',
			'.venue',
			'.countryCode',
			'.priceLadderDefinition',
		];
		expect(differences(definition, vector('streaming_market_definition'), optional)).toEqual([]);
		await place(rival, match, limit(1, 'BACK', 3, 20));
		const update = await books.line(({ mc, ct }) => mc && !ct);
		const beside = ['.mc[].rc[].batl', '.mc[].rc[].batb', '.mc[].seq', '.mc[].prev'];
		expect(differences(update, vector('streaming_mcm_update'), beside)).toEqual([]);
		const orders = await subscribed(bot, ORDERS);
		const { instructionReports } = await place(bot, match, limit(2, 'LAY', 2, 15));
		const own = await orders.line(({ oc, ct }) => oc && !ct);
		expect(own.oc[0].orc[0].uo[0]).toMatchObject({ id: instructionReports[0].betId, side: 'L', status: 'E', sr: 15 });
		const ofOrders = ['.oc[].accountId', '.oc[].orc[].uo[].cd', '.oc[].orc[].uo[].cs', '.oc[].orc[].uo[].ca'];
		expect(differences(own, vector('streaming_ocm_UPDATE'), ofOrders)).toEqual([]);
		await match.settle(0);
		await books.line(({ mc }) => mc?.[0]?.marketDefinition?.status === 'CLOSED');
	});
});

describe('connections', () => {
	it('are told of wrong sessions, and closed', async () => {
		const other = await openBot(server);
		const wrong = await open();
		wrong.say({ op: 'authentication', id: 7, appKey: other.appKey, session: 'none' });
		expect(await wrong.line(({ op }) => op === 'status')).toMatchObject({
			id: 7,
			errorCode: 'INVALID_SESSION_INFORMATION',
			connectionClosed: true,
		});
		await wrong.end();
		const early = await open();
		early.say({ ...ORDERS, id: 3 });
		expect(await early.line(({ op }) => op === 'status')).toMatchObject({
			errorCode: 'NOT_AUTHORIZED',
			connectionClosed: true,
		});
	});

	it('end when their key is revoked, all of them and none of another key’s, and its calls are refused at once', async () => {
		const other = await openBot(server);
		const own = [await subscribed(other, ORDERS), await subscribed(other, ORDERS), await subscribed(other, ORDERS)];
		const foreign = await subscribed(bot, ORDERS);
		await server.result('revokeApiKey', { keyId: other.keyId }, other.siteToken);
		const revokedAt = performance.now();
		expect((await rpc(server, other, 'listEventTypes', {})).error.data.APINGException.errorCode).toBe(
			'INVALID_APP_KEY',
		);
		await Promise.all(own.map((client) => client.end()));
		const endedMs = performance.now() - revokedAt;
		for (const client of own) {
			expect(client.lines.at(-1)).toMatchObject({
				op: 'status',
				errorCode: 'INVALID_APP_KEY',
				connectionClosed: true,
			});
		}
		// A second where nothing else runs.
		expect(endedMs).toBeLessThan(5_000);
		foreign.say({ op: 'heartbeat', id: 9 });
		expect(await foreign.line(({ id }) => id === 9)).toMatchObject({ statusCode: 'SUCCESS' });
	});

	it('have 600 places for a network that says nothing, and the others for whoever comes', async () => {
		const sockets: Socket[] = [];
		onTestFinished(() => {
			for (const socket of sockets) socket.destroy();
		});
		const fromElsewhere = (): Socket => {
			const port = server.running.streamPort ?? 0;
			const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
			socket.on('error', () => undefined);
			sockets.push(socket);
			return socket;
		};
		/** The server greets a connection, or closes it. */
		const isGreeted = (socket: Socket) =>
			new Promise<boolean>((resolve) => {
				socket.once('data', () => resolve(true)).once('close', () => resolve(false));
			});
		const greeted: boolean[] = [];
		for (let hundred = 0; hundred < 7; hundred++)
			greeted.push(...(await Promise.all(Array.from({ length: 100 }, () => isGreeted(fromElsewhere())))));
		expect(greeted.filter(Boolean)).toHaveLength(600);
		await subscribed(bot, ORDERS);
		// One that leaves makes room, and so does one that has authenticated.
		sockets.find(({ destroyed }) => !destroyed)?.destroy();
		await expect.poll(() => isGreeted(fromElsewhere())).toBe(true);
		expect(await isGreeted(fromElsewhere())).toBe(false);
		const known = sockets.find(({ destroyed }) => !destroyed);
		const { appKey, token: session } = bot;
		known?.write(`${JSON.stringify({ op: 'authentication', id: 1, appKey, session })}\r\n`);
		await expect.poll(() => isGreeted(fromElsewhere())).toBe(true);
	});

	it('answer heartbeats, keep silent lines alive, and survive whatever is sent on others', async () => {
		const match = await openTestMatch(server);
		const client = await subscribed(bot, markets(match, { heartbeatMs: 500 }));
		await client.line(({ ct }) => ct === 'HEARTBEAT');
		client.say({ op: 'heartbeat', id: 12 });
		expect(await client.line(({ id }) => id === 12)).toMatchObject({ op: 'status', statusCode: 'SUCCESS' });
		const broken = [
			'{',
			'[]',
			'"x"',
			'\u0000',
			'{"op":5}',
			'{"op":"x","op":"y"}',
			'['.repeat(9_000),
			'x'.repeat(70_000),
		];
		await Promise.all(
			broken.map(async (text) => {
				const rough = await open();
				rough.socket.write(`${text}\r\n`);
				await rough.end();
			}),
		);
		const split = await open();
		for (const piece of [
			'{"op":"auth',
			'entication","id":1,"appKey":"',
			bot.appKey,
			`","session":"${bot.token}"}`,
			'\r',
			'\n',
		])
			split.socket.write(piece);
		expect(await split.line(({ op }) => op === 'status')).toMatchObject({
			statusCode: 'SUCCESS',
			connectionClosed: false,
		});
		await place(rival, match, limit(1, 'BACK', 3, 20));
		await hasBook(client, match);
	});

	it('cancel exactly the caller’s unmatched bets when a bot dies or its network is silent, and none of one that is heard of', {
		tags: 'thorough',
	}, async () => {
		const match = await openTestMatch(server);
		const [silent, alive] = [await openBot(server), await openBot(server)];
		const armed = async (of: Bot) => {
			const client = await subscribed(of, ORDERS);
			await place(of, match, limit(1, 'BACK', 5, 20));
			client.say({ op: 'heartbeat', id: 5, cancelOnDisconnectSeconds: 10 });
			await client.line(({ id }) => id === 5);
			return client;
		};
		await place(rival, match, limit(1, 'BACK', 5, 20));
		const [dying, , living] = [await armed(bot), await armed(silent), await armed(alive)];
		dying.say({ op: 'heartbeat', id: 4, cancelOnDisconnectSeconds: 5 });
		expect(await dying.line(({ id }) => id === 4)).toMatchObject({ errorCode: 'INVALID_REQUEST' });
		dying.close();
		const heartbeats = setInterval(() => living.say({ op: 'heartbeat', id: 6, cancelOnDisconnectSeconds: 10 }), 1_000);
		try {
			const waiting = (of: Bot) =>
				server.running.exchange.openBets(of.userId).filter(({ remaining }) => remaining > 0).length;
			expect([waiting(bot) > 0, waiting(silent)]).toEqual([true, 1]);
			const others = waiting(rival);
			await expect.poll(() => waiting(bot) + waiting(silent), { timeout: 20_000 }).toBe(0);
			expect([waiting(rival), waiting(alive)]).toEqual([others, 1]);
		} finally {
			clearInterval(heartbeats);
		}
	});
});

it('a stream that authenticates anew tells the new player nothing of what the old one subscribed to', async () => {
	const match = await openTestMatch(server);
	const client = await subscribed(bot, ORDERS);
	client.say({ op: 'authentication', id: 7, appKey: rival.appKey, session: rival.token });
	await client.line(({ op, id }) => op === 'status' && id === 7);
	const before = client.lines.length;
	await place(bot, match, limit(1, 'BACK', 2, 100));
	// An answer that comes after what the bet would have sent.
	const late = await subscribed(bot, ORDERS);
	await expect.poll(() => late.orders.size).toBeGreaterThan(0);
	client.say({ op: 'heartbeat', id: 8 });
	await client.line(({ op, id }) => op === 'status' && id === 8);
	expect(client.lines.slice(before).filter(({ op }) => op === 'ocm')).toEqual([]);
});

it('tells its clients to connect again when the server stops, and takes no new ones', async () => {
	const client = await subscribed(bot, ORDERS);
	const port = server.running.streamPort ?? 0;
	await server.stop();
	await client.end();
	expect(client.lines.at(-1)).toMatchObject({
		op: 'status',
		statusCode: 'FAILURE',
		errorCode: 'CONNECTION_FAILED',
		connectionClosed: true,
	});
	await expect(StreamClient.at(port)).rejects.toThrow('ECONNREFUSED');
});
