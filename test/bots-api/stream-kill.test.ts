/**
 * kill -9 of the real server amid a bot's orders and streams: the bot repeats what was not answered under the same
 * references and subscribes again with its clocks, and has every order once and no other.
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ServerProcess } from '../browser/server-process.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { limit, type Wire } from './bot.ts';
import { ASHA, openBotAt, type ProcessBot, streamingProcess } from './bot-process.ts';
import { StreamClient } from './stream-client.ts';

const OPTIONS = ['--sim-speed', '1', '--rate-limit-factor', '1000', '--log-level', 'trace'];
const KILLS = 1;
const ORDERS = { op: 'orderSubscription', orderFilter: { includeOverallPosition: true } };

let server: ServerProcess;
let streamPort: number;
let clients: StreamClient[] = [];
beforeAll(async () => {
	({ server, streamPort } = await streamingProcess());
	await server.start(OPTIONS);
});
afterAll(() => server.dispose());
afterEach(() => {
	for (const client of clients.splice(0)) client.close();
});

async function call(bot: ProcessBot, operation: string, params: object): Promise<Wire> {
	const response = await fetch(`${server.url}/exchange/betting/rest/v1.0/${operation}/`, {
		method: 'POST',
		headers: { 'X-Application': bot.appKey, 'X-Authentication': bot.token },
		body: JSON.stringify(params),
	});
	const answer = (await response.json()) as Wire;
	if (answer.faultcode) throw new Error(JSON.stringify(answer));
	return answer;
}

/** Asks until the server answers, under the same reference. */
async function insist(bot: ProcessBot, operation: string, params: object): Promise<Wire> {
	for (;;) {
		try {
			const answer = await call(bot, operation, params);
			if (answer.status === 'SUCCESS') return answer;
		} catch {
			// The server is dead or starting.
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

async function subscribe(bot: ProcessBot, earlier: StreamClient | null): Promise<StreamClient> {
	const client = await StreamClient.at(streamPort, earlier);
	clients = [...clients, client];
	client.say({ op: 'authentication', id: 1, appKey: bot.appKey, session: bot.token });
	await client.line(({ id }) => id === 1);
	const clocks = earlier ? { initialClk: earlier.initialClk, clk: earlier.clk } : {};
	client.say({ id: 2, ...ORDERS, ...clocks });
	await client.line(({ id, ct }) => id === 2 && ct);
	return client;
}

it('leaves a bot with each of its orders once, answered as the first time, the stream with what the reports say, and no secret in the log', {
	timeout: 60_000,
}, async () => {
	const [bot, rival] = [
		await openBotAt(server, `killed-${Date.now()}`),
		await openBotAt(server, `rival-${Date.now()}`),
	];
	const { eventId = '' } = (await server.operator<{ eventId: string }[]>('markets', {})).at(-1) ?? {};
	const market = { eventId, name: 'Of the operator', type: 'MATCH_ODDS', runners: ['Asha', 'Bela'] };
	const marketId = `1.${(await server.operator<{ marketId: string }>('open-market', market)).marketId}`;
	let client = await subscribe(bot, null);
	const answers = new Map<string, string>();
	let last = 0;
	/** Orders of the bot one after another, every other one matched by the rival's. */
	const trade = async (orders: number) => {
		for (let turn = 0; turn < orders; turn++) {
			const ref = `order-${last++}`;
			const instruction = { ...limit(ASHA, 'BACK', last % 2 === 0 ? 3 : 5, 20), customerOrderRef: ref };
			const params = { marketId, customerRef: ref, instructions: [instruction] };
			const { instructionReports } = await insist(bot, 'placeOrders', params);
			answers.set(ref, instructionReports[0].betId);
			if (last % 2 > 0) continue;
			const lay = { marketId, customerRef: `lay-${ref}`, instructions: [limit(ASHA, 'LAY', 3, 20)] };
			await insist(rival, 'placeOrders', lay);
		}
	};
	for (let kill = 0; kill < KILLS; kill++) {
		await trade(6);
		const trading = Promise.all([trade(6), trade(6)]);
		await client.line(({ oc }) => oc);
		await server.kill();
		await client.end();
		await server.start(OPTIONS);
		client = await subscribe(bot, client);
		expect(client.lines.find(({ id, ct }) => id === 2 && ct).ct).toBe('RESUB_DELTA');
		await trading;
	}
	const { currentOrders } = await call(bot, 'listCurrentOrders', {});
	expect(Object.fromEntries(currentOrders.map((order: Wire) => [order.customerOrderRef, order.betId]))).toEqual(
		Object.fromEntries(answers),
	);
	expect(currentOrders).toHaveLength(answers.size);
	const waiting = (orders: Wire[], remaining: string, id: string) =>
		orders.flatMap((order) => (order[remaining] > 0 ? [[order[id], order[remaining]]] : [])).sort();
	await expect
		.poll(() => waiting([...client.orders.values()], 'sr', 'id'))
		.toEqual(waiting(currentOrders, 'sizeRemaining', 'betId'));
	const matched = currentOrders.reduce((sum: number, { sizeMatched }: Wire) => sum + sizeMatched, 0);
	await expect.poll(() => client.matched.get(`${marketId}|${ASHA}|mb`)?.get(3)).toBe(matched);
	// The log of all that, at its most talkative.
	expect(server.output.length).toBeGreaterThan(0);
	const secrets = [bot, rival].flatMap(({ appKey, token }) => [appKey, token]);
	expect(server.output.filter((line) => [...secrets, PASSWORD].some((secret) => line.includes(secret)))).toEqual([]);
});
