/**
 * Two processes on one ledger: the one that serves a bot is killed with kill -9 amid its orders, the other takes over, and
 * hands over to the first one again. The bot follows its orders from process to process and misses none.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { ExchangePair, type Member } from '../faults/support/exchange-pair.ts';
import { EVENT_ID } from '../faults/support/listed-match.ts';
import { answered, bearer, TOKEN_KEY } from '../support/server.ts';
import { limit, type Wire } from './bot.ts';
import { ASHA, BELA, openBotAt, type ProcessBot } from './bot-process.ts';
import { StreamClient } from './stream-client.ts';

const SILENCE_MS = 1_000;
/** The second machine has a wrong clock. */
const CLOCK_SHIFT_MS = 20 * 60_000;
const ORDERS = { op: 'orderSubscription', orderFilter: { includeOverallPosition: true } };

let pair: ExchangePair;
beforeAll(async () => {
	pair = await ExchangePair.start(SILENCE_MS, CLOCK_SHIFT_MS);
});
afterAll(() => pair.dispose());

async function done<Result>(response: Response): Promise<Result> {
	const { success, result, error } = (await answered<Result>(response)).body;
	if (!success) throw new Error(`${error?.code}: ${error?.message}`);
	return result as Result;
}

/** What sign-up and operators need of a member. */
function siteOf({ url }: Member) {
	const operator = async <Result>(act: string, body: object): Promise<Result> => {
		const headers = { 'Content-Type': 'application/json', Authorization: `Operator ${operatorKeyOf(TOKEN_KEY)}` };
		const init = { method: 'POST', headers, body: JSON.stringify(body) };
		return await done(await fetch(`${url}/operator/api/${act}`, init));
	};
	const call = async (name: keyof typeof CALLS, input: object, token?: string) => {
		const headers = { 'Content-Type': 'application/json', ...(token ? bearer(token) : {}) };
		const init = { method: 'POST', headers, body: JSON.stringify(input) };
		return await done(await fetch(`${url}/${CALLS[name].path}`, init));
	};
	return { url, operator, call } as unknown as Parameters<typeof openBotAt>[0] & { operator: typeof operator };
}

/** Asks both by turns, under the same reference, until one has done it. */
async function insist(bot: ProcessBot, operation: string, params: object): Promise<Wire> {
	for (;;) {
		for (const { url } of pair.members) {
			try {
				const response = await fetch(`${url}/exchange/betting/rest/v1.0/${operation}/`, {
					method: 'POST',
					headers: { 'X-Application': bot.appKey, 'X-Authentication': bot.token },
					body: JSON.stringify(params),
					signal: AbortSignal.timeout(2_000),
				});
				const answer = (await response.json()) as Wire;
				if (answer.status === 'SUCCESS') return answer.instructionReports;
			} catch {
				// It is dead, starts, or follows.
			}
		}
	}
}

/** @returns what was done since the heartbeat before */
async function beat({ appKey, token }: ProcessBot, { url }: Member): Promise<string> {
	const response = await fetch(`${url}/exchange/heartbeat/rest/v1.0/heartbeat/`, {
		method: 'POST',
		headers: { 'X-Application': appKey, 'X-Authentication': token },
		body: JSON.stringify({ preferredTimeoutSeconds: 10 }),
	});
	return ((await response.json()) as Wire).actionPerformed;
}

async function follow(bot: ProcessBot, { streamPort }: Member, earlier: StreamClient | null): Promise<StreamClient> {
	const client = await StreamClient.at(streamPort, earlier);
	client.say({ op: 'authentication', id: 1, appKey: bot.appKey, session: bot.token });
	client.say({ id: 2, ...ORDERS, ...(earlier ? { initialClk: earlier.initialClk, clk: earlier.clk } : {}) });
	await client.line(({ id, ct }) => id === 2 && ct);
	return client;
}

it('misses no order when its process is killed and the other takes over, and when that hands over again; and a dead bot leaves none', async () => {
	const { serving, following } = await pair.settled();
	const site = siteOf(serving);
	const bot = await openBotAt(site, `moved-${Date.now()}`);
	const rival = await openBotAt(site, `rival-${Date.now()}`);
	const open = async (name: string) => {
		const market = { eventId: String(EVENT_ID), name, type: 'MATCH_ODDS', runners: ['Asha', 'Bela'] };
		return `1.${(await site.operator<{ marketId: string }>('open-market', market)).marketId}`;
	};
	let count = 0;
	/** The batches that the reports name. */
	const sequences: number[] = [];
	const [marketId, other] = [await open('Of the trades'), await open('Of one bet')];
	/** An order that rests, one that is matched, one that is cancelled. */
	const trade = async (): Promise<void> => {
		const place = async (of: ProcessBot, order: object) => {
			const params = { marketId, customerRef: `order-${++count}`, instructions: [order], withCommit: true };
			const [report] = await insist(of, 'placeOrders', params);
			sequences.push(report.commit.sequence);
			return report.betId as string;
		};
		await place(bot, limit(BELA, 'BACK', 9, 10));
		await place(bot, limit(ASHA, 'BACK', 3, 20));
		await place(rival, limit(ASHA, 'LAY', 3, 20));
		const betId = await place(bot, limit(ASHA, 'BACK', 5, 30));
		await insist(bot, 'cancelOrders', { marketId, customerRef: `cut-${count}`, instructions: [{ betId }] });
	};
	const stored = async () => {
		const { rows } = await pair.database.db.query<{ betId: number; sum: number[] }>(
			`select bet_id as "betId", array[matched, remaining, cancelled, lapsed]::float8[] as sum
			 from bet where wallet_id = (select player_id from player where user_name = $1) order by bet_id`,
			[bot.userName],
		);
		return rows.map(({ betId, sum }) => [String(betId), sum.map((amount) => amount / 100)]);
	};
	const cached = ({ orders }: StreamClient) =>
		[...orders.values()]
			.map(({ id, sm, sr, sc, sl }) => [id, [sm, sr, sc, sl]])
			.sort(([a], [b]) => Number(a) - Number(b));

	await insist(bot, 'placeOrders', {
		marketId: other,
		customerRef: 'on-other',
		instructions: [limit(ASHA, 'BACK', 4, 15)],
	});
	let client = await follow(bot, serving, null);
	await trade();
	// One bot has died before its process does, and is not heard of again.
	const dead = await openBotAt(site, `dead-${Date.now()}`);
	await insist(dead, 'placeOrders', { marketId, customerRef: 'left', instructions: [limit(BELA, 'BACK', 9, 70)] });
	await beat(dead, serving);
	const trading = trade();
	await client.line(({ oc }) => oc);
	serving.signal('SIGKILL');
	await client.end();
	await trading;
	const taken = await pair.settled();
	expect(taken.serving).toBe(following);
	// What ended while no process had the client: also with its market.
	await siteOf(taken.serving).operator('settle', { marketId: other.slice(2), winners: ['Bela'] });
	client = await follow(bot, taken.serving, client);
	expect(client.lines.find(({ id, ct }) => id === 2 && ct).ct).toBe('RESUB_DELTA');
	await expect.poll(() => cached(client)).toEqual(await stored());
	await trade();
	await expect.poll(() => taken.serving.handOver(), { timeout: 30_000 }).toBeNull();
	await client.end();
	await trade();
	const again = await pair.settled();
	expect(again.serving).toBe(serving);
	client = await follow(bot, again.serving, client);
	expect(client.lines.find(({ id, ct }) => id === 2 && ct).ct).toBe('RESUB_DELTA');
	await expect.poll(() => cached(client)).toEqual(await stored());
	client.close();
	// A bet that was accepted later is in a later batch, whichever process led.
	expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
	expect(new Set(sequences).size).toBe(sequences.length);
	// The next processes cancel what the dead one left. What was done is written after the last bet is cancelled.
	const said = `select action from bot_heartbeat
		where cancelling is null and due_at is null and player_id = (select player_id from player where user_name = $1)`;
	await expect
		.poll(async () => (await pair.database.db.query(said, [dead.userName])).rows, { timeout: 30_000 })
		.toEqual([{ action: 'ALL_BETS_CANCELLED' }]);
	const left =
		'select from bet where remaining > 0 and wallet_id = (select player_id from player where user_name = $1)';
	expect((await pair.database.db.query(left, [dead.userName])).rowCount).toBe(0);
	expect(await beat(dead, again.serving)).toBe('ALL_BETS_CANCELLED');
}, 120_000);
