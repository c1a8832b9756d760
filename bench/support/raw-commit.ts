/**
 * The upper limit of placing bets: how fast PostgreSQL writes the rows of bets, one batch after another, without other
 * work. The rows are the exchange's: its sequencer makes them beforehand with a committer that keeps them, and the
 * shipped committer writes them against the clock.
 */
import type pg from 'pg';
import { pino } from 'pino';
import { createEngine } from '#engine/create-engine.ts';
import { Committer } from '#server/exchange/ledger/committer.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import type { BatchRows } from '#server/exchange/order/batch-rows.ts';
import { FeedLeases } from '#server/exchange/order/feed-leases.ts';
import { OnceOnly } from '#server/exchange/order/once-only.ts';
import { RequestMemory } from '#server/exchange/order/request-memory.ts';
import { Sequencer } from '#server/exchange/order/sequencer.ts';
import { Workflows } from '#server/exchange/order/workflows.ts';
import { DurableViews } from '#server/exchange/views/durable-views.ts';
import { BetMix } from './bet-mix.ts';
import { nextBet, openTable, PLAYERS } from './exchange-bets.ts';

const log = pino({ level: 'silent' });
const sealer = new LedgerSealer('a key for benchmarks');
/** A ledger without requests. */
const NO_REQUESTS = { idsOfWallet: async () => [], find: async () => null };
/** Bets written before the clock starts, so that plans are cached and the first pages of the tables exist. */
const WARM_UP_BETS = 5_000;
const WARM_UP_BATCH = 100;
/** The number of batches for each size, and the bounds of their bets. */
const BATCHES = 1_500;
const FEWEST_BETS = 3_000;
const MOST_BETS = 40_000;

class KeepingCommitter extends Committer {
	kept: BatchRows[] = [];

	override async commit(batch: BatchRows): Promise<void> {
		this.kept.push(batch);
	}
}

/** Makes batches of any number of bets. */
class BatchMaker {
	readonly #committer: KeepingCommitter;
	readonly #sequencer: Sequencer;
	readonly #mix = new BetMix(PLAYERS);

	constructor(db: pg.Pool) {
		this.#committer = new KeepingCommitter({ db, log, sealer, epoch: 0, batchSeq: 0, chain: Buffer.alloc(0) });
		const views = new DurableViews();
		this.#sequencer = new Sequencer({
			engine: createEngine(),
			views,
			bets: views.liveBets,
			unwrittenTrades: new Set(),
			committer: this.#committer,
			requests: new RequestMemory(NO_REQUESTS),
			onceOnly: new OnceOnly(db),
			workflows: new Workflows([], async () => []),
			storedMarket: async () => null,
			settledWallets: () => {
				throw new Error('no settlement is taken back here');
			},
			leases: new FeedLeases(),
			log,
			clock: Date.now,
			onCommitted: () => {},
			onUneven: () => {},
			onFailed: (error) => {
				throw error;
			},
		});
	}

	async opening(): Promise<BatchRows[]> {
		await openTable((command, key) => this.#sequencer.submit(command, key));
		return this.#take();
	}

	async batches(count: number, size: number): Promise<BatchRows[]> {
		for (let batch = 0; batch < count; batch++) {
			const bets = Array.from({ length: size }, () => this.#sequencer.submit(...nextBet(this.#mix)));
			await Promise.all(bets);
		}
		return this.#take();
	}

	#take(): BatchRows[] {
		return this.#committer.kept.splice(0);
	}
}

/**
 * Bets a second by the number of bets a commit, in a migrated and empty ledger without other writers.
 * @returns by size, in the requested order
 */
export async function rawCommitRates(db: pg.Pool, sizes: readonly number[]): Promise<Map<number, number>> {
	const { rows } = await db.query<{ epoch: number; batch: number; chain: Buffer }>(
		'update lease set epoch = epoch + 1 returning epoch, batch, chain',
	);
	const lease = rows[0];
	if (!lease) throw new Error('The lease row is missing.');
	const committer = new Committer({
		db,
		log,
		sealer,
		epoch: lease.epoch,
		batchSeq: lease.batch,
		chain: lease.chain,
	});
	const maker = new BatchMaker(db);
	for (const batch of await maker.opening()) await committer.commit(batch);
	for (const batch of await maker.batches(WARM_UP_BETS / WARM_UP_BATCH, WARM_UP_BATCH)) await committer.commit(batch);

	const rates = new Map<number, number>();
	for (const size of sizes) {
		const bets = Math.min(Math.max(BATCHES * size, FEWEST_BETS), MOST_BETS);
		const batches = await maker.batches(Math.round(bets / size), size);
		const from = performance.now();
		for (const batch of batches) await committer.commit(batch);
		const seconds = (performance.now() - from) / 1000;
		rates.set(size, Math.round((batches.length * size) / seconds));
	}
	committer.stop();
	return rates;
}
