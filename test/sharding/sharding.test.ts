/** docs/SHARDING.md: the proof by simulation that money is neither lost nor made between shards. */
import { describe, expect, it } from 'vitest';
import { SeededNumbers } from '../reference/random-commands.ts';
import { exposureIn, LEDGER, type Mistake, OUTCOMES, ShardedExchange } from './sharded-exchange.ts';

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);
const STEPS = 250;
const CRASH_PERCENT = 15;
const PLAYERS = [1, 2, 3, 4];
const FUNDS = 1_000;
const MARKETS_OF_A_SHARD = 3;

/** What is wrong with the money of all shards; null when nothing is. */
function wrong({ shards }: ShardedExchange): string | null {
	let total = 0;
	for (const [shard, state] of shards.entries()) {
		for (const [player, balance] of state.balances) {
			total += balance;
			if (balance < exposureIn(state, player)) return `player ${player} is overdrawn in shard ${shard}`;
		}
		// An amount is on its way until its receiver has taken it.
		for (const { id, to, amount } of state.sent.values())
			if (shards[to]?.decisions.get(id) !== 'TAKEN') total += amount;
	}
	const paid = PLAYERS.length * FUNDS;
	return total === paid ? null : `there are ${total} of ${paid}`;
}

class Run {
	readonly exchange: ShardedExchange;
	readonly #numbers: SeededNumbers;
	readonly #shards: number;
	readonly won = new Map(PLAYERS.map((player) => [player, 0]));
	matches = 0;

	constructor(seed: number, mistake: Mistake | null = null) {
		this.#numbers = new SeededNumbers(seed);
		this.#shards = 1 + this.#numbers.below(4);
		this.exchange = new ShardedExchange(this.#numbers, {
			shards: this.#shards,
			crashPercent: CRASH_PERCENT,
			mistake,
		});
		for (const player of PLAYERS) this.exchange.deposit(player, FUNDS);
	}

	step(): void {
		const numbers = this.#numbers;
		const shard = 1 + numbers.below(this.#shards);
		const player = numbers.from(PLAYERS);
		const what = numbers.below(100);
		if (what < 25) this.exchange.send(LEDGER, shard, player, 1 + numbers.below(400));
		else if (what < 35) this.exchange.send(shard, LEDGER, player, 1 + numbers.below(300));
		else if (what < 60) this.#match(shard, player);
		else if (what < 66) this.#settle(shard);
		else if (what < 70) this.exchange.recall(numbers.chance(50) ? LEDGER : shard);
		else if (what < 74) this.exchange.repeatOffers();
		else this.exchange.deliver();
	}

	#match(shard: number, backer: number): void {
		const numbers = this.#numbers;
		const layer = numbers.from(PLAYERS.filter((player) => player !== backer));
		const stakes = new Map([
			[backer, 1 + numbers.below(200)],
			[layer, 1 + numbers.below(200)],
		]);
		const market = shard * MARKETS_OF_A_SHARD + numbers.below(MARKETS_OF_A_SHARD);
		if (this.exchange.match(shard, market, stakes, numbers.below(OUTCOMES))) this.matches += 1;
	}

	#settle(shard: number): void {
		const market = shard * MARKETS_OF_A_SHARD + this.#numbers.below(MARKETS_OF_A_SHARD);
		const gains = this.exchange.settle(shard, market, this.#numbers.below(OUTCOMES));
		for (const [player, gain] of gains) this.won.set(player, (this.won.get(player) ?? 0) + gain);
	}

	/** Settles every market and brings all money home. */
	end(): void {
		const isUnsettled = () => this.exchange.shards.some(({ markets }) => markets.size > 0);
		while (isUnsettled()) for (let shard = 1; shard <= this.#shards; shard++) this.#settle(shard);
		const isAway = () =>
			this.exchange.shards.some(
				({ sent, balances }, shard) =>
					sent.size > 0 || (shard !== LEDGER && [...balances.values()].some((balance) => balance > 0)),
			);
		while (isAway()) {
			for (let shard = 1; shard <= this.#shards; shard++)
				for (const player of PLAYERS) this.exchange.send(shard, LEDGER, player, this.exchange.free(shard, player));
			this.exchange.repeatOffers();
			for (let count = 0; count < 20; count++) this.exchange.deliver();
		}
	}
}

/** Plays a seed until something is wrong. */
function play(seed: number, mistake: Mistake | null): { run: Run; found: string | null } {
	const run = new Run(seed, mistake);
	for (let step = 0; step < STEPS; step++) {
		run.step();
		const found = wrong(run.exchange);
		if (found) return { run, found };
	}
	return { run, found: null };
}

describe('several writers', () => {
	it('never overdraw a player, and neither lose nor make money, whenever one of them crashes', () => {
		let [crashes, matches] = [0, 0];
		for (const seed of SEEDS) {
			const { run, found } = play(seed, null);
			expect([seed, found]).toEqual([seed, null]);
			run.end();
			expect([seed, wrong(run.exchange)]).toEqual([seed, null]);
			// A single ledger would hold the same: what was paid in, and what was won.
			for (const player of PLAYERS)
				expect([seed, player, run.exchange.shards[LEDGER]?.balances.get(player)]).toEqual([
					seed,
					player,
					FUNDS + (run.won.get(player) ?? 0),
				]);
			crashes += run.exchange.crashes;
			matches += run.matches;
		}
		expect(crashes).toBeGreaterThan(SEEDS.length * 10);
		expect(matches).toBeGreaterThan(SEEDS.length * 10);
	});

	it.each<Mistake>([
		'forgets what it has taken',
		'takes back without asking',
		'sends before it is durable',
		'gives away what its bets hold',
	])('are found out when one of them %s', (mistake) => {
		expect(SEEDS.some((seed) => play(seed, mistake).found !== null)).toBe(true);
	});
});
