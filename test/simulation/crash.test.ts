/**
 * A day of betting with a crash at every other commit: before it, inside it, after it. Players who got no answer ask
 * again under the same request id, some ask again although they got one, and the clock stands still or jumps. In the end
 * nothing acknowledged is missing, nothing is there twice, and the auditor's checks hold.
 */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Done, Exchange, Request, RequestKey } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import { CHECKS } from '../../tools/audit-checks.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Fault, FaultyPool } from './faulty-pool.ts';

const SEEDS = [1, 2];
const CRASHES_PER_SEED = 500;
const PLAYERS = [1001, 1002, 1003, 1004, 1005];
const MARKETS = 3;
const FUNDS = 500_000;
const FAULTS: readonly Fault[] = ['before', 'inside', 'after'];
const PRICES = [150, 196, 198, 200, 202, 204, 300];

class Day {
	readonly numbers: SeededNumbers;
	readonly faulty: FaultyPool;
	readonly acknowledged = new Map<string, number>();
	exchange: Exchange | null = null;
	now = 1_700_000_000_000;
	#requests = 0;
	#market = 0;

	constructor(seed: number, database: FreshDatabase) {
		this.numbers = new SeededNumbers(seed);
		this.faulty = new FaultyPool(database.pool, () => (this.numbers.chance(50) ? this.numbers.from(FAULTS) : null));
	}

	async open(): Promise<void> {
		this.exchange = await openExchange({
			pool: this.faulty.asPool(),
			log: pino({ level: 'silent' }),
			clock: () => this.now,
			onCommitted: () => {},
			onStopped: (error) => {
				throw error;
			},
		});
		for (const walletId of PLAYERS) {
			await this.insist({ kind: 'open-wallet', walletId, pool: 'PLAY', currency: 'INR' });
			const key = { walletId, clientRequestId: `grant-${walletId}`, body: 'grant' };
			await this.insist({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS }, key);
		}
		for (let count = 0; count < MARKETS; count++) await this.openMarket();
	}

	async openMarket(): Promise<void> {
		this.#market += 1;
		await this.insist({
			kind: 'open-market',
			marketId: this.#market,
			pools: ['PLAY'],
			currency: 'INR',
			runners: 3,
			numberOfWinners: this.numbers.from([1, 1, 2]),
			commissionBp: 200,
			minStake: 10,
			maxStake: 1_000_000,
			profitRatioRule: false,
			reducible: true,
			minReductionBp: 0,
			selfMatch: 'REFUSE',
			suspended: false,
		});
	}

	/** Asks until there is an answer: a result, or a refusal that asking again would not change. */
	async insist(request: Request, key?: RequestKey): Promise<Done | null> {
		for (;;) {
			try {
				return await (this.exchange as Exchange).submit(request, key);
			} catch (error) {
				if (!(error instanceof Refused)) throw error;
				const unknown = error.code === 'OVERLOADED' || error.code === 'STARTING';
				// Without a key an act that was committed unheard is refused the second time, which is an answer too.
				if (!unknown) return null;
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}

	async step(): Promise<void> {
		const { numbers } = this;
		// The clock stands still, goes on, or goes back a little.
		this.now += numbers.from([0, 0, 1, 1, 50, -20]);
		const kind = numbers.below(100);
		if (kind < 70) await this.#bets();
		else if (kind < 85) await this.#cancel();
		else if (kind < 90)
			await this.#act({ kind: 'suspend-market', marketId: this.#someMarket(), lapseUnmatched: numbers.chance(30) });
		else if (kind < 96) await this.#act({ kind: 'resume-market', marketId: this.#someMarket() });
		else if (kind < 98)
			await this.#act({
				kind: 'remove-runner',
				marketId: this.#someMarket(),
				runner: 2,
				reductionBp: numbers.below(3000),
			});
		else await this.#end();
	}

	#someMarket(): number {
		return this.#market - this.numbers.below(MARKETS);
	}

	async #act(request: Request): Promise<void> {
		await this.insist(request);
	}

	/** Several at once, so that they share a batch; some asked twice at the same time. */
	async #bets(): Promise<void> {
		const { numbers } = this;
		const asked: Promise<void>[] = [];
		for (let count = 1 + numbers.below(5); count > 0; count--) {
			this.#requests += 1;
			const walletId = numbers.from(PLAYERS);
			const key = { walletId, clientRequestId: `bet-${this.#requests}`, body: String(this.#requests) };
			const request: Request = {
				kind: 'place-bet',
				walletId,
				marketId: this.#someMarket(),
				runner: numbers.below(3),
				side: numbers.chance(50) ? 0 : 1,
				price: numbers.from(PRICES),
				stake: 10 + numbers.below(5000),
				persist: numbers.chance(50),
				...(numbers.chance(20) ? { fillOrKill: true, minFill: 10 } : {}),
			};
			for (let times = numbers.chance(20) ? 2 : 1; times > 0; times--) asked.push(this.#bet(request, key));
		}
		await Promise.all(asked);
	}

	async #bet(request: Request, key: RequestKey): Promise<void> {
		const done = await this.insist(request, key);
		if (done?.betId == null) return;
		const known = this.acknowledged.get(key.clientRequestId);
		if (known !== undefined) expect(done.betId, 'a repeated request is another bet').toBe(known);
		this.acknowledged.set(key.clientRequestId, done.betId);
	}

	async #cancel(): Promise<void> {
		const exchange = this.exchange as Exchange;
		const walletId = this.numbers.from(PLAYERS);
		const bet = exchange.openBets(walletId).find(({ remaining }) => remaining > 0);
		if (!bet) return;
		this.#requests += 1;
		const key = { walletId, clientRequestId: `cancel-${this.#requests}`, body: String(bet.betId) };
		await this.insist({ kind: 'cancel-bet', walletId, betId: bet.betId }, key);
	}

	async #end(): Promise<void> {
		const marketId = this.#market - MARKETS + 1;
		const winner = this.numbers.below(2);
		const results = Array.from({ length: 3 }, (_, runner): 'WIN' | 'LOSE' => (runner === winner ? 'WIN' : 'LOSE'));
		const winners = (this.exchange as Exchange).market(marketId)?.numberOfWinners ?? 1;
		const both = results.map((result, runner) => (winners === 2 && runner < 2 ? 'WIN' : result));
		await this.insist({ kind: 'settle-market', marketId, results: both });
		await this.openMarket();
	}
}

it.each(SEEDS)(
	'seed %s: nothing acknowledged is lost, nothing is doubled, every check holds',
	async (seed) => {
		const database = await freshDatabase();
		const day = new Day(seed, database);
		await day.open();
		while (day.faulty.crashes < CRASHES_PER_SEED) await day.step();
		await day.exchange?.drain();

		const { rows } = await database.pool.query<{ bet_id: number; client_request_id: string }>(
			`select (answer ->> 'betId')::bigint as bet_id, client_request_id from request_key where client_request_id like 'bet-%'`,
		);
		const kept = new Map(rows.map(({ bet_id, client_request_id }) => [client_request_id, bet_id]));
		expect(new Map([...day.acknowledged].filter(([id, betId]) => kept.get(id) !== betId))).toEqual(new Map());
		const { rows: bets } = await database.pool.query<{ bets: number }>('select count(*)::int as bets from bet');
		expect(bets[0]?.bets).toBe(kept.size);
		expect(kept.size).toBeGreaterThan(200);

		const client = await database.pool.connect();
		await client.query('begin transaction isolation level repeatable read read only');
		for (const { name, run } of CHECKS) expect([name, (await run(client)).wrong]).toEqual([name, null]);
		client.release(true);
		await database.drop();
	},
	180_000,
);
