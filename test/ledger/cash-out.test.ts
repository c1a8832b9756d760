/**
 * Cash-outs, targets and moving prices at once, with real in-play delays and restarts in between, on a real database.
 * The test computes a player's possible loss from the bets.
 *
 * @module-tag thorough
 */
import { pino } from 'pino';
import { expect } from 'vitest';
import type { PlaceBet } from '#engine/command.ts';
import type { Exchange, Receipt, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import { AutoCashOut } from '#server/money/cash-out/auto-cash-out.ts';
import { standing } from '#server/money/cash-out/standing.ts';
import { Refused } from '#values/error-catalogue.ts';
import { worstOf } from '#values/exposure.ts';
import { netMinor } from '#values/liability.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { plainMarket } from './plain-market.ts';

const MARKET = 1;
const [PLAYER, MAKER] = [1001, 1002];
const DELAY_MS = 30;
const ROUNDS = 40;

class Table {
	readonly numbers: SeededNumbers;
	exchange!: Exchange;
	/** The server's clock, against the real one: it jumps ahead now and then. */
	#ahead = 0;
	readonly #database: FreshDatabase;

	constructor(seed: number, database: FreshDatabase) {
		this.numbers = new SeededNumbers(seed);
		this.#database = database;
	}

	async open(): Promise<void> {
		const log = pino({ level: 'silent' });
		const listening: { auto?: AutoCashOut } = {};
		this.exchange = await openExchange({
			ledgerKey: LEDGER_KEY,
			db: this.#database.db,
			log,
			clock: {
				wallMs: () => Date.now() + this.#ahead,
				monotonicMs: () => performance.now() + this.#ahead,
			},
			onCommitted: (committed) => listening.auto?.onCommitted(committed),
		});
		listening.auto = new AutoCashOut({ exchange: this.exchange, log });
	}

	async restart(): Promise<void> {
		await this.exchange.drain();
		this.#ahead += this.numbers.below(100);
		await this.open();
	}

	/** Null when it was refused. */
	async ask(request: Request, clientRequestId?: string): Promise<Receipt | null> {
		const key =
			clientRequestId === undefined ? undefined : { walletId: PLAYER, clientRequestId, body: JSON.stringify(request) };
		try {
			return await this.exchange.submit(request, key);
		} catch (error) {
			if (error instanceof Refused) return null;
			throw error;
		}
	}

	async bet(walletId: number, terms: Pick<PlaceBet, 'runner' | 'side' | 'price' | 'stake'>, persist = true) {
		const bet = { walletId, marketId: MARKET, ...terms, persist };
		return await this.ask({ kind: 'place-bet', ...bet });
	}

	/** The maker asks and offers again on every runner, around prices that move. */
	async quote(): Promise<void> {
		await this.ask({ kind: 'cancel-all', walletId: MAKER, marketId: MARKET });
		await Promise.all(
			[0, 1, 2].flatMap((runner) => {
				const middle = 200 + 10 * this.numbers.below(20);
				const size = 20_000 + this.numbers.below(200_000);
				return [
					this.bet(MAKER, { runner, side: 0, price: middle + 10, stake: size }),
					this.bet(MAKER, { runner, side: 1, price: middle - 10, stake: size }),
				];
			}),
		);
	}

	/** Nothing waits out a delay any more. */
	async calm(): Promise<void> {
		await expect
			.poll(() => [PLAYER, MAKER].flatMap((id) => this.exchange.openBets(id).filter(({ delay }) => delay)).length, {
				timeout: 20_000,
				interval: 5,
			})
			.toBe(0);
	}

	/** The least of all that can come, minor units rounded down; of matched bets, or with what waits. */
	worst(withWaiting: boolean): number {
		const market = this.exchange.market(MARKET);
		const bets = this.exchange.openBets(PLAYER).map((bet) => (withWaiting ? bet : { ...bet, remaining: 0 }));
		return market ? netMinor(worstOf(positionOf(market, bets))) : 0;
	}
}

async function openTable(seed: number, database: FreshDatabase): Promise<Table> {
	const table = new Table(seed, database);
	await table.open();
	for (const walletId of [PLAYER, MAKER]) {
		await table.ask({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await table.ask({ kind: 'grant-coins', grantId: walletId, walletId, amount: 10 ** 9 });
	}
	await table.ask(
		plainMarket(MARKET, { runners: 3, minStake: 100, maxStake: 10 ** 8, betDelayMs: DELAY_MS, passiveGoesIn: true }),
	);
	return table;
}

/** Presses, repeated presses, targets and price moves at once; returns the agreed results of full cash-outs. */
async function storm(table: Table, round: number): Promise<number[]> {
	const { numbers, exchange } = table;
	const { plan } = standing(exchange, PLAYER, MARKET);
	const asked: Promise<unknown>[] = [];
	const kept: number[] = [];
	const press = async (share: number, id: string) => {
		if (typeof plan === 'string') return;
		const agreed = { certain: plan.certain, lines: 0, cancelled: plan.cancelled };
		const done = await table.ask({ kind: 'cash-out', walletId: PLAYER, marketId: MARKET, share, agreed }, id);
		if (share === 1 && done?.hedges?.every(({ dueAtMs }) => dueAtMs === null)) kept.push(plan.certain);
	};
	for (let count = 0; count < 8; count++) {
		const act = numbers.below(10);
		if (act < 6) asked.push(press(numbers.from([1, 1, 0.5]), `${round}-${numbers.below(5)}`));
		else if (act < 9) {
			const near = typeof plan === 'string' ? 0 : plan.certain;
			const target = numbers.chance(10) ? null : near - 2000 + 1000 * numbers.below(4);
			asked.push(table.ask({ kind: 'set-cash-out-target', walletId: PLAYER, marketId: MARKET, target }));
		} else asked.push(table.quote());
		if (numbers.chance(30)) await new Promise((resolve) => setImmediate(resolve));
	}
	await Promise.all(asked);
	return kept;
}

onSeeds(
	[1, 2],
	'seed %s: no combination of cash-outs raises a player’s loss',
	async (seed) => {
		const database = await freshDatabase();
		const table = await openTable(seed, database);
		const { numbers } = table;
		let better = 0;
		for (let round = 0; round < ROUNDS; round++) {
			if (round === ROUNDS / 2) await table.ask({ kind: 'turn-in-play', marketId: MARKET });
			await table.quote();
			await table.calm();
			for (let count = 1 + numbers.below(2); count > 0; count--) {
				const side = numbers.chance(50) ? 0 : 1;
				const [runner, price, stake] = [numbers.below(3), side === 0 ? 200 : 500, 1000 + numbers.below(20_000)];
				await table.bet(PLAYER, { runner, side, price, stake }, false);
			}
			await table.calm();
			const before = table.worst(true);
			const kept = await storm(table, round);
			if (numbers.chance(25)) await table.restart();
			if (numbers.chance(20)) {
				await table.ask({ kind: 'suspend-market', marketId: MARKET, lapseUnmatched: numbers.chance(50) });
				await table.ask({ kind: 'resume-market', marketId: MARKET });
			}
			await table.calm();
			expect(table.worst(false), `round ${round}`).toBeGreaterThanOrEqual(before);
			for (const certain of kept) expect(table.worst(false), `round ${round}`).toBeGreaterThanOrEqual(certain);
			if (table.worst(false) > before) better++;
		}
		// Most rounds end with more certain than before.
		expect(better).toBeGreaterThan(ROUNDS / 4);
		await table.exchange.drain();
		await database.drop();
	},
	'thorough',
);
