/**
 * A client whose line breaks at any moment, and that comes back with its last clock to the same process or to one that
 * remembers nothing: in the end it has every order as the tables have it, as a client has that never lost its line.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { WINDOW_MS } from '#server/doors/bots-api/stream-clock.ts';
import { type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';

const ORDERS = { op: 'orderSubscription', orderFilter: { includeOverallPosition: true } };
const STEPS = 60;

let server: TestServer;
const clients: StreamClient[] = [];
beforeAll(async () => {
	server = await sharedServer();
});
afterEach(() => {
	for (const client of clients.splice(0)) client.close();
});

/** The other process on the same ledger. */
async function another(): Promise<void> {
	server = await restartShared();
}

async function subscribed(bot: Bot, earlier: StreamClient | null = null, changes: object = {}): Promise<StreamClient> {
	const clocks = earlier ? { initialClk: earlier.initialClk, clk: earlier.clk } : {};
	const client = await StreamClient.subscribed(server, bot, { ...ORDERS, ...clocks, ...changes }, earlier);
	clients.push(client);
	return client;
}

const answerTo = ({ lines }: StreamClient): Wire => lines.find(({ op, ct }) => op === 'ocm' && ct);

/** Every order of the player as the tables have it: status, matched, remaining, lapsed, cancelled and void. */
async function inTables({ userId }: Bot): Promise<Record<string, unknown>> {
	const { rows } = await server.database.db.query(
		`select bet_id as id, remaining, array[matched, remaining, lapsed, cancelled, voided]::float8[] as amounts
		 from bet where wallet_id = $1`,
		[userId],
	);
	return Object.fromEntries(
		rows.map(({ id, remaining, amounts }) => [
			String(id),
			[remaining > 0 ? 'E' : 'EC', ...amounts.map((amount: number) => amount / 100)],
		]),
	);
}
const inCache = ({ orders }: StreamClient): Record<string, unknown> =>
	Object.fromEntries([...orders].map(([id, { status, sm, sr, sl, sc, sv }]) => [id, [status, sm, sr, sl, sc, sv]]));

/** What is matched in markets that are not settled, by market, selection and side. */
function positionsOf({ userId }: Bot): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const { marketId, runner, side, matched } of server.running.exchange.openBets(userId)) {
		const key = `1.${marketId}|${runner + 1}|${side === 0 ? 'mb' : 'ml'}`;
		if (matched > 0) sums[key] = (sums[key] ?? 0) + matched / 100;
	}
	return sums;
}
function positionsIn({ matched }: StreamClient): Record<string, number> {
	const sums = [...matched].map(([key, points]) => [key, [...points.values()].reduce((sum, size) => sum + size, 0)]);
	return Object.fromEntries(sums.filter(([, size]) => (size as number) > 0));
}

async function expectSame(client: StreamClient, bot: Bot): Promise<void> {
	await expect
		.poll(async () => [inCache(client), await inTables(bot)])
		.toSatisfy(
			([cached, stored]) =>
				JSON.stringify(Object.entries(cached).sort()) === JSON.stringify(Object.entries(stored).sort()),
		);
	await expect.poll(() => positionsIn(client)).toEqual(positionsOf(bot));
}

function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

onSeeds(
	[5, 6],
	'has the same orders and positions as the exchange, wherever and whenever it lost its line (seed %i)',
	async (seed) => {
		const [bot, rival] = [await openBot(server), await openBot(server)];
		const random = randomFrom(seed);
		const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
		let match: TestMatch = await openTestMatch(server);
		let client = await subscribed(bot);
		const place = (of: Bot) =>
			result(server, of, 'placeOrders', {
				marketId: `1.${match.marketId}`,
				instructions: [limit(any([1, 2]), any(['BACK', 'LAY']), any([1.9, 2, 2.1]), any([10, 25, 40]))],
			});
		const cut = async () => {
			const resting = server.running.exchange.openBets(bot.userId).find(({ remaining }) => remaining > 0);
			if (!resting) return;
			const sizeReduction = any([null, 5]);
			const instructions = [{ betId: String(resting.betId), sizeReduction }];
			await result(server, bot, 'cancelOrders', { marketId: `1.${resting.marketId}`, instructions });
		};
		const lose = async (meanwhile: () => Promise<unknown>) => {
			client.close();
			await meanwhile();
			client = await subscribed(bot, client, { segmentationEnabled: any([true, false]) });
		};
		const anything = async (): Promise<void> => {
			const chance = random();
			if (chance < 0.45) await place(bot);
			else if (chance < 0.75) await place(rival);
			else if (chance < 0.92) await cut();
			else if (chance < 0.96) {
				await match.market.turnInPlay().catch(() => undefined);
			} else {
				await match.settle(any([0, 1]));
				match = await openTestMatch(server);
			}
		};
		let moves = 0;
		for (let step = 0; step < STEPS; step++) {
			const chance = random();
			if (chance < 0.2) await lose(anything);
			else if (chance < 0.25 && moves < 3) {
				moves += 1;
				await lose(async () => {
					await anything();
					await another();
					// What the test holds is of the process before.
					match = await openTestMatch(server);
					await anything();
				});
			} else if (chance < 0.4) {
				// The line breaks while an order is on its way.
				const ordered = anything();
				await lose(() => ordered);
			} else await anything();
		}
		await expectSame(client, bot);
	},
);

/** As housekeeping does at once, when the fixture had ended long before its market was settled. */
const forgetEnded = ({ marketId }: TestMatch): void => {
	server.running.housekeeping.tidy(Date.now() + 7 * 3_600_000);
	expect(server.running.fixtures.market(Number(marketId))).toBeNull();
};

it('tells the process’s own client what ended in a market that left memory, in the gap and between two messages', async () => {
	const bot = await openBot(server);
	const [gone, conflated] = [await openTestMatch(server), await openTestMatch(server)];
	const rest = async ({ marketId }: TestMatch): Promise<string> => {
		const placed = { marketId: `1.${marketId}`, instructions: [limit(1, 'BACK', 3, 20)] };
		return (await result(server, bot, 'placeOrders', placed)).instructionReports[0].betId;
	};
	const betIds = [await rest(gone), await rest(conflated)];
	const client = await subscribed(bot);
	client.close();
	await gone.settle(0);
	forgetEnded(gone);
	const back = await subscribed(bot, client, { conflateMs: 3_000 });
	expect(answerTo(back).ct).toBe('RESUB_DELTA');
	expect(back.orders.get(betIds[0] as string)).toMatchObject({ status: 'EC', sr: 0, sl: 20 });
	await conflated.settle(0);
	forgetEnded(conflated);
	await back.line(({ oc }) => oc?.some(({ id, closed }: Wire) => closed && id === `1.${conflated.marketId}`));
	expect(back.orders.get(betIds[1] as string)).toMatchObject({ status: 'EC', sr: 0, sl: 20 });
});

it('gives an image of markets where one that changed in the gap has left memory: the client lets it go', async () => {
	const bot = await openBot(server);
	const [gone, standing] = [await openTestMatch(server), await openTestMatch(server)];
	const asked = {
		op: 'marketSubscription',
		marketFilter: { marketIds: [gone, standing].map(({ marketId }) => `1.${marketId}`) },
		marketDataFilter: { fields: ['EX_MARKET_DEF'] },
	};
	const watch = async (earlier: StreamClient | null) => {
		const clocks = earlier ? { initialClk: earlier.initialClk, clk: earlier.clk } : {};
		const client = await StreamClient.subscribed(server, bot, { ...asked, ...clocks });
		clients.push(client);
		const { ct, mc = [] } = client.lines.find(({ op }) => op === 'mcm');
		return { client, ct, ids: mc.map(({ id }: Wire) => id) };
	};
	const first = await watch(null);
	first.client.close();
	await gone.settle(0);
	forgetEnded(gone);
	const second = await watch(first.client);
	expect([second.ct, second.ids]).toEqual(['SUB_IMAGE', [`1.${standing.marketId}`]]);
	expect(await watch(second.client)).toMatchObject({ ct: 'RESUB_DELTA', ids: [] });
});

it('tells what ended in the gap, also in a market that left memory; and again with an image when the clock is too old', async () => {
	const [bot, rival] = [await openBot(server), await openBot(server)];
	const [match, other] = [await openTestMatch(server), await openTestMatch(server)];
	const order = async (of: Bot, marketId: string, ...instructions: object[]) =>
		(await result(server, of, 'placeOrders', { marketId: `1.${marketId}`, instructions })).instructionReports.map(
			({ betId }: Wire) => betId as string,
		);
	const [settled, resting] = await order(bot, match.marketId, limit(1, 'BACK', 3, 20), limit(2, 'BACK', 9, 10));
	const [cancelled, standing, taken] = await order(
		bot,
		other.marketId,
		limit(1, 'BACK', 4, 30),
		limit(2, 'BACK', 5, 40),
		limit(1, 'BACK', 3, 50),
	);
	const client = await subscribed(bot);
	client.close();
	await order(rival, match.marketId, limit(1, 'LAY', 3, 20));
	await order(rival, other.marketId, limit(1, 'LAY', 3, 50));
	await match.settle(0);
	await result(server, bot, 'cancelOrders', { marketId: `1.${other.marketId}`, instructions: [{ betId: cancelled }] });
	await another();
	// The fixture is forgotten: only the tables name its market.
	server.running.fixtures.forget(Date.now() + 1, () => true);
	expect(server.running.fixtures.market(Number(match.marketId))).toBeNull();
	const back = await subscribed(bot, client);
	expect(answerTo(back).ct).toBe('RESUB_DELTA');
	const status = Object.fromEntries([...back.orders].map(([id, { status: is, sr }]) => [id, [is, sr]]));
	const expected = {
		[settled]: ['EC', 0],
		[resting]: ['EC', 0],
		[cancelled]: ['EC', 0],
		[standing]: ['E', 40],
		[taken]: ['EC', 0],
	};
	expect(status).toEqual(expected);
	expect(back.orders.get(cancelled)).toMatchObject({ sc: 30, cd: expect.any(Number) });
	expect(positionsIn(back)).toEqual({ [`1.${other.marketId}|1|mb`]: 50 });
	const closed = answerTo(back)
		.oc.filter((change: Wire) => change.closed)
		.map(({ id }: Wire) => id);
	expect(closed).toEqual([`1.${match.marketId}`]);
	// A first subscription has what can still be matched, and the positions.
	const fresh = await subscribed(bot);
	expect([...fresh.orders.keys()]).toEqual([standing]);
	// A clock from before the window: an image, which holds what ended within it.
	const [epoch = '', batch = ''] = back.clk?.split('.') ?? [];
	const old = await subscribed(bot, null, {
		initialClk: back.initialClk,
		clk: [epoch, batch, (Date.now() - WINDOW_MS - 1_000).toString(36)].join('.'),
	});
	expect(answerTo(old).ct).toBe('SUB_IMAGE');
	expect(Object.fromEntries([...old.orders].map(([id, { status: is, sr }]) => [id, [is, sr]]))).toEqual(expected);
	await expectSame(back, bot);
});

it('tells what is ordered while the tables are read, and answers the last of subscriptions that overtake each other', async () => {
	const bot = await openBot(server);
	const match = await openTestMatch(server);
	const client = await subscribed(bot);
	client.close();
	await another();
	// Readers of bets wait.
	const lock = await server.database.db.connect();
	await lock.query('begin; lock table bet_reference in access exclusive mode');
	const back = await StreamClient.at(server.running.streamPort ?? 0, client);
	clients.push(back);
	back.say({ op: 'authentication', id: 1, appKey: bot.appKey, session: bot.token });
	const again = { ...ORDERS, initialClk: client.initialClk, clk: client.clk };
	for (const id of [2, 3]) back.say({ ...again, id });
	await back.line(({ id, op }) => id === 3 && op === 'status');
	const marketId = `1.${match.marketId}`;
	const placed = await result(server, bot, 'placeOrders', { marketId, instructions: [limit(1, 'BACK', 3, 20)] });
	const { betId } = placed.instructionReports[0];
	await result(server, bot, 'cancelOrders', { marketId, instructions: [{ betId }] });
	expect(back.lines.filter(({ op }) => op === 'ocm')).toEqual([]);
	await lock.query('rollback');
	lock.release();
	await back.line(({ ct, id }) => ct === 'RESUB_DELTA' && id === 3);
	expect(back.orders.get(betId)).toMatchObject({ status: 'EC', sc: 20 });
	expect(back.lines.filter(({ op, id }) => op === 'ocm' && id === 2)).toEqual([]);
});
