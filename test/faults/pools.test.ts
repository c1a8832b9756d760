/**
 * Real processes: two engines with a pool each behind two gateways. Whatever happens to the engine of demo players and to its
 * database, a player of the other pool loses no bet and has none refused.
 *
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { type GatewayProcess, startGatewayProcess } from '../hub/gateway-process.ts';
import { startNatsServer } from '../hub/nats-server.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY, TOKEN_KEY } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { byForm } from './support/form.ts';
import { becomesReady, type Engine, startEngine } from './support/gateway-cluster.ts';
import { EVENT_ID, listMatch } from './support/listed-match.ts';

const program = findNatsServer();
const DEMO_KEY = 'another key for tests, for demo players only';
const PLAYERS = 3;
/** Bets of the other pool that are answered before the next fault. */
const BETS = byForm(30, 300);
const NEXT_BET_MS = 15;
const PAUSE_MS = 5;

interface Market {
	marketId: string;
	runnerId: string;
}

interface Answer<Result> {
	result: Result;
	error: { code: string } | null;
}

async function post<Result>(
	url: string,
	path: string,
	body: object | null,
	authorization = '',
): Promise<Answer<Result>> {
	const response = await fetch(`${url}${path}`, {
		method: body ? 'POST' : 'GET',
		headers: {
			...(body ? { 'Content-Type': 'application/json' } : {}),
			...(authorization ? { Authorization: authorization } : {}),
		},
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	return (await response.json()) as Answer<Result>;
}

async function operate<Result>(engine: Engine, key: string, act: string, body: object): Promise<Result> {
	const answer = await post<Result>(engine.url, `/operator/api/${act}`, body, `Operator ${operatorKeyOf(key)}`);
	if (answer.error) throw new Error(`${act}: ${answer.error.code}`);
	return answer.result;
}

async function openMarket(engine: Engine, key: string): Promise<Market> {
	const market = { eventId: String(EVENT_ID), name: 'Winner', type: 'MATCH_ODDS', runners: ['Reds', 'Blues'] };
	await operate(engine, key, 'open-market', market);
	const [opened] = await operate<{ marketId: number; runners: { id: string }[] }[]>(engine, key, 'markets', {});
	return { marketId: String(opened?.marketId), runnerId: String(opened?.runners[0]?.id) };
}

/** One player, who bets until told to stop. */
class Bettor {
	readonly placed: string[] = [];
	/** Why first attempts failed. */
	readonly failed: string[] = [];
	readonly #token: string;
	readonly #market: Market;
	readonly #gateways: () => readonly GatewayProcess[];
	#isStopped = false;
	#working: Promise<void> = Promise.resolve();

	constructor(token: string, market: Market, gateways: () => readonly GatewayProcess[]) {
		this.#token = token;
		this.#market = market;
		this.#gateways = gateways;
	}

	work(): void {
		this.#working = this.#work();
	}

	async rest(): Promise<void> {
		this.#isStopped = true;
		await this.#working;
	}

	async #work(): Promise<void> {
		for (let count = 0; !this.#isStopped; count++) {
			await this.#bet(count);
			await delay(NEXT_BET_MS);
		}
	}

	/** Sent again under its id, at the next gateway, until it is answered. */
	async #bet(count: number): Promise<void> {
		const bet = { ...this.#market, side: 'BACK', price: 2, stake: 10, clientRequestId: randomUUID() };
		for (let attempt = 0; ; attempt++) {
			const all = this.#gateways();
			const url = all[(count + attempt) % all.length]?.url ?? '';
			const sent = post<{ betId: string }>(url, '/Bet/PlaceBetV2', bet, `Bearer ${this.#token}`);
			const answer = await sent.catch((error: Error) => ({ result: null, error: { code: error.message } }));
			if (answer.result) {
				this.placed.push(answer.result.betId);
				return;
			}
			if (attempt === 0) this.failed.push(answer.error?.code ?? '');
			if (this.#isStopped) return;
			await delay(PAUSE_MS);
		}
	}
}

async function betsIn({ db }: FreshDatabase): Promise<string[]> {
	return (await db.query<{ id: string }>('select bet_id::text as id from bet')).rows.map(({ id }) => id);
}

describe.skipIf(program === null)('engines by pool', () => {
	it('keep a pool from the death of another engine, from its frozen database, and from a gateway that restarts, and hand it to its own standby', async () => {
		await using started = new AsyncDisposableStack();
		const nats = await startNatsServer(program as string);
		started.defer(() => nats.stop());
		const databases = { PLAY: await freshDatabase(), DEMO: await freshDatabase() };
		for (const database of Object.values(databases)) {
			started.defer(() => database.drop());
			await listMatch(database.db);
		}
		const environmentOf = (pool: 'PLAY' | 'DEMO', key: string) => ({
			NODE_ENV: 'test',
			DATABASE_URL: databases[pool].url,
			DATA_DIR: '/nonexistent',
			PORT: '0',
			HOST: '127.0.0.1',
			NATS_URL: nats.url,
			POOLS: pool,
			TOKEN_KEY: key,
			LEDGER_KEY,
			COMMAND_ROWS: 'on',
			RATE_LIMIT_FACTOR: '1000',
			CALL_DEADLINE_MS: '3000',
		});
		const play = await startEngine(environmentOf('PLAY', TOKEN_KEY));
		started.defer(() => play.kill());
		let demo = await startEngine(environmentOf('DEMO', DEMO_KEY));
		started.defer(() => demo.kill());
		const gatewayOf = (nodeId: string) =>
			startGatewayProcess({
				natsUrl: nats.url,
				nodeId,
				environment: { ENGINES: `PLAY:${TOKEN_KEY};DEMO:${DEMO_KEY}`, CALL_DEADLINE_MS: '3000' },
			});
		const gateways = await Promise.all(['east', 'west'].map(gatewayOf));
		started.defer(async () => void (await Promise.all(gateways.map((gateway) => gateway.kill()))));
		for (const { url } of gateways) {
			const isWhole = async () => !(await (await fetch(`${url}/ready`)).text()).includes('no process');
			while (!(await isWhole())) await delay(PAUSE_MS);
		}
		const markets = { play: await openMarket(play, TOKEN_KEY), demo: await openMarket(demo, DEMO_KEY) };
		const url = gateways[0]?.url ?? '';
		const bettors: Bettor[] = [];
		for (let at = 0; at < PLAYERS; at++) {
			const userName = `player-${at}`;
			await operate(play, TOKEN_KEY, 'create-player', { userName, password: PASSWORD, host: 'localhost' });
			await operate(play, TOKEN_KEY, 'add-money', {
				userName,
				host: 'localhost',
				amount: 100_000,
				grantId: 9_000 + at,
			});
			const login = { userNameOrEmailAddress: userName, password: PASSWORD };
			const { result } = await post<{ accessToken: string }>(url, '/Account/Authenticate', login);
			bettors.push(new Bettor(result.accessToken, markets.play, () => gateways));
		}
		const demos: Bettor[] = [];
		for (let at = 0; at < PLAYERS; at++) {
			const { result } = await post<{ accessToken: string }>(url, '/Account/LoginAsDemoUser', null);
			demos.push(new Bettor(result.accessToken, markets.demo, () => gateways));
		}
		const placed = (of: readonly Bettor[]) => of.reduce((sum, bettor) => sum + bettor.placed.length, 0);
		const more = async (of: readonly Bettor[]) => {
			const wanted = placed(of) + BETS;
			while (placed(of) < wanted) await delay(PAUSE_MS);
		};
		for (const bettor of [...bettors, ...demos]) bettor.work();
		started.defer(async () => void (await Promise.all([...bettors, ...demos].map((bettor) => bettor.rest()))));
		await Promise.all([more(bettors), more(demos)]);

		await demo.kill();
		await more(bettors);
		demo = await startEngine(environmentOf('DEMO', DEMO_KEY));
		await more(demos);

		const frozen = await databases.DEMO.db.connect();
		await frozen.query('begin; lock table lease in access exclusive mode');
		await more(bettors);
		await frozen.query('rollback');
		frozen.release();
		await more(demos);
		expect(bettors.flatMap(({ failed }) => failed)).toEqual([]);

		await gateways[0]?.kill();
		await more(bettors);
		// Each pool has its own standbys.
		const standby = await startEngine(environmentOf('PLAY', TOKEN_KEY), '--standby');
		started.defer(() => standby.kill());
		while (!standby.lines.some((line) => line.includes('the standby follows'))) await delay(PAUSE_MS);
		await play.kill();
		await more(bettors);
		const again = await gatewayOf('again');
		await becomesReady(again.url, true);
		gateways[0] = again;
		await Promise.all([more(bettors), more(demos)]);
		await Promise.all([...bettors, ...demos].map((bettor) => bettor.rest()));
		// What a killed gateway carried is answered again under its id.
		expect((await betsIn(databases.PLAY)).sort()).toEqual(bettors.flatMap(({ placed: ids }) => ids).sort());
		expect(await betsIn(databases.DEMO)).toEqual(expect.arrayContaining(demos.flatMap(({ placed: ids }) => ids)));
		await Promise.all(Object.values(databases).map((database) => expectSound(database.url)));
	}, 180_000);
});
