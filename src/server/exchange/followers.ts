/**
 * The exchange's side of its standbys, which speak to it through the database alone. A standby that joins needs the tables
 * as one batch left them, with an engine that has nothing in memory that they lack. So the exchange ends a batch by
 * withdrawing the unmatched quotes, exports a snapshot of the tables before the next batch, and the market makers quote
 * again. From there the standby follows the command rows, which are deleted when all standbys have applied them.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Engine } from '#engine/engine.ts';
import { applyInput } from '#server/exchange/apply-input.ts';
import type { Batch, BetRow } from '#server/exchange/batch.ts';
import type { EngineInput } from '#server/exchange/engine-input.ts';
import type { WalletId } from '#values/ids.ts';

const LOOK_EVERY_MS = 250;
const PRUNE_EVERY_MS = 10_000;
/** Command rows are kept this long, even when every standby has applied them. */
const KEPT_MS = 60_000;
/** A standby that is further behind, or silent for longer, has to join again. */
const LONGEST_BEHIND_MS = 600_000;
/** How long a standby may take to read its snapshot. */
const LONGEST_JOIN_MS = 60_000;

interface Joining {
	names: readonly string[];
	/** Holds the snapshot's transaction open. */
	client: pg.PoolClient;
	untilMs: number;
}

export interface FollowersOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	/** Quotes were withdrawn, so their makers place them again. */
	onWithdrawn: () => void;
}

export class Followers {
	readonly #options: FollowersOptions;
	readonly #timers: readonly NodeJS.Timeout[];
	/** Standbys that ask to join at the next batch; null again when their snapshot is exported. */
	#asking: Omit<Joining, 'untilMs'> | null = null;
	/** The batch that is on its way ends without quotes. */
	#isSealed = false;
	#joining: Joining | null = null;
	#looking: Promise<void> | null = null;
	#stopped = false;

	constructor(options: FollowersOptions) {
		this.#options = options;
		this.#timers = [
			setInterval(() => void this.#inTurn(() => this.#look()), LOOK_EVERY_MS).unref(),
			setInterval(() => void this.#inTurn(() => this.prune()), PRUNE_EVERY_MS).unref(),
		];
	}

	/** Called before a batch is sealed. Withdraws all unmatched quotes when a standby asks to join. */
	sealing(batch: Batch, engine: Engine, bets: ReadonlyMap<number, BetRow>): void {
		if (!this.#asking) return;
		for (const command of withdrawals(bets, this.#options.clock())) {
			applyInput(engine, command, batch);
			batch.took(command);
		}
		batch.mustBeWritten = true;
		this.#isSealed = true;
	}

	/** Called when a batch is durable. The next one is written when the promise resolves. */
	written(batchSeq: number, endedMarkets: readonly number[]): Promise<void> | null {
		return this.#asking && this.#isSealed ? this.#export(this.#asking, batchSeq, endedMarkets) : null;
	}

	async #export({ names, client }: Omit<Joining, 'untilMs'>, batchSeq: number, markets: readonly number[]) {
		this.#isSealed = false;
		const { db, log, onWithdrawn } = this.#options;
		try {
			await client.query('begin isolation level repeatable read');
			const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
			await db.query('update follower set snapshot = $2, snapshot_batch = $3, markets = $4 where name = any($1)', [
				names,
				rows[0]?.snapshot,
				batchSeq,
				markets,
			]);
			this.#joining = { names, client, untilMs: performance.now() + LONGEST_JOIN_MS };
			log.info({ names, batch: batchSeq }, 'a standby joins');
		} catch (error) {
			log.warn({ err: error, names }, 'a standby could not join yet');
			client.release(true);
		}
		this.#asking = null;
		onWithdrawn();
	}

	/** One look at a time; a database that is away is looked at again. */
	async #inTurn(look: () => Promise<void>): Promise<void> {
		if (this.#looking || this.#stopped) return;
		this.#looking = look().catch((error: unknown) => {
			this.#options.log.debug({ err: error }, 'the standbys could not be looked up yet');
		});
		await this.#looking;
		this.#looking = null;
	}

	async #look(): Promise<void> {
		if (this.#asking) return;
		const { db } = this.#options;
		const { rows } = await db.query<{ name: string; hasSnapshot: boolean }>({
			name: 'joining-followers',
			text: `select name, snapshot is not null as "hasSnapshot" from follower
				where epoch is null and difference is null and seen_at > clock_timestamp() - interval '5 seconds'`,
		});
		const { names = [], untilMs = 0 } = this.#joining ?? {};
		const isRead = !rows.some(({ name, hasSnapshot }) => hasSnapshot && names.includes(name));
		if (this.#joining && (isRead || performance.now() > untilMs)) this.#endJoining();
		const asking = rows.filter(({ hasSnapshot }) => !hasSnapshot).map(({ name }) => name);
		if (asking.length === 0 || this.#joining) return;
		const client = await db.connect();
		if (this.#stopped) client.release();
		else this.#asking = { names: asking, client };
	}

	#endJoining(): void {
		// Closing the connection ends the transaction, whatever state it is in.
		this.#joining?.client.release(true);
		this.#joining = null;
	}

	/** Deletes the command rows that no standby needs, and standbys that were not seen for long. */
	async prune(): Promise<void> {
		const { db, clock } = this.#options;
		await db.query(`delete from follower where seen_at < clock_timestamp() - $1 * interval '1 millisecond'`, [
			LONGEST_BEHIND_MS,
		]);
		await db.query(
			`delete from batch_command where at < $1 and
			   (at < $2 or batch <= coalesce((select min(batch) from follower where difference is null), $3))`,
			[clock() - KEPT_MS, clock() - LONGEST_BEHIND_MS, Number.MAX_SAFE_INTEGER],
		);
	}

	async stop(): Promise<void> {
		this.#stopped = true;
		for (const timer of this.#timers) clearInterval(timer);
		await this.#looking;
		this.#asking?.client.release();
		this.#asking = null;
		this.#endJoining();
	}
}

/** Commands that cancel every unmatched quote. */
export function withdrawals(bets: ReadonlyMap<number, BetRow>, atMs: number): (EngineInput & { kind: 'cancel-all' })[] {
	const wallets = new Set<WalletId>();
	for (const { quote, remaining, walletId } of bets.values()) if (quote && remaining > 0) wallets.add(walletId);
	return [...wallets].map((walletId) => ({ kind: 'cancel-all', atMs, walletId }));
}
