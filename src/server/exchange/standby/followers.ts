/**
 * The exchange's side of its standbys, which speak to it through the database alone. A standby that joins needs the tables
 * as one batch left them, with an engine that has nothing in memory that they lack. So the exchange withdraws the unmatched
 * quotes, some with each batch, exports a snapshot of the tables after the batch that leaves none, and the market makers
 * quote again. From there the standby follows the command rows, which are deleted when all standbys have applied them.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Engine } from '#engine/engine.ts';
import { applyInput } from '#server/exchange/order/apply-input.ts';
import type { Batch } from '#server/exchange/order/batch.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import { QuoteWithdrawal } from '#server/exchange/order/withdraw-quotes.ts';
import { within } from '#server/platform/postgres/limited-queries.ts';

const LOOK_EVERY_MS = 250;
const PRUNE_EVERY_MS = 10_000;
/** Command rows are kept this long, even when every standby has applied them. */
const KEPT_MS = 60_000;
/** A standby that is further behind, or silent for longer, has to join again. */
const LONGEST_BEHIND_MS = 600_000;
/** A statement for the snapshot that takes longer is given up: no batch is written meanwhile. */
const EXPORT_WITHIN_MS = 1_000;
/** How long a standby may take to read its snapshot. */
const LONGEST_JOIN_MS = 60_000;

interface Joining {
	names: readonly string[];
	/** Holds the snapshot's transaction open. */
	client: pg.PoolClient;
	untilMs: number;
}

interface Asking extends Omit<Joining, 'untilMs'> {
	withdrawal: QuoteWithdrawal;
	/** The batch that is on its way ends without quotes. */
	isSealed: boolean;
}

interface FollowersOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	/** Quotes were withdrawn, so their makers place them again. */
	onWithdrawn: () => Promise<void>;
}

export class Followers {
	readonly #options: FollowersOptions;
	readonly #timers: readonly NodeJS.Timeout[];
	/** Standbys that ask to join; null again when their snapshot is exported. */
	#asking: Asking | null = null;
	/** Quotes were withdrawn, and market makers place them again. */
	#areComingBack = false;
	/** Standbys are told of their snapshot. */
	#inviting: Promise<void> | null = null;
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

	/** A standby asks to join, so a batch is sealed only when the one before is durable. */
	get isAsked(): boolean {
		return this.#asking !== null;
	}

	/** Quotes are withdrawn, with every batch some, so batches have to follow one another. */
	get isWithdrawing(): boolean {
		return this.#asking !== null && !this.#asking.isSealed;
	}

	/** Quotes are withdrawn, or not all of them are back. */
	get areQuotesAway(): boolean {
		return this.#asking !== null || this.#areComingBack;
	}

	/** Called before a batch is sealed. Withdraws some of the unmatched quotes when a standby asks to join. */
	sealing(batch: Batch, engine: Engine, bets: LiveBets): void {
		if (!this.#asking) return;
		const { commands, isLast } = this.#asking.withdrawal.next(bets, this.#options.clock());
		for (const command of commands) {
			if (applyInput(engine, command, batch)?.ok) batch.took(command);
		}
		this.#asking.isSealed = isLast;
		if (!isLast) return;
		// A standby knows last prices from the tables, and triggers are compared with them.
		batch.writeTrades();
		batch.mustBeWritten = true;
	}

	/**
	 * Called when a batch is durable. The next one is written when the promise resolves.
	 * @param endedMarkets those in memory, which are looked for when a standby joins
	 */
	written(batchSeq: number, endedMarkets: () => readonly number[]): Promise<void> | null {
		if (!this.#asking) return null;
		if (this.#asking.isSealed) return this.#export(this.#asking, batchSeq, endedMarkets());
		// A batch without rows takes no turn of the event loop by itself.
		return new Promise((resume) => setImmediate(resume));
	}

	/** Batches wait for the snapshot alone. */
	async #export({ names, client }: Asking, batchSeq: number, markets: readonly number[]): Promise<void> {
		const { log, onWithdrawn } = this.#options;
		try {
			const queries = within(client, EXPORT_WITHIN_MS);
			await queries.query('begin isolation level repeatable read');
			const { rows } = await queries.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
			this.#joining = { names, client, untilMs: performance.now() + LONGEST_JOIN_MS };
			this.#inviting = this.#invite(names, [rows[0]?.snapshot, batchSeq, markets]);
		} catch (error) {
			log.warn({ err: error, names }, 'a standby could not join yet');
			client.release(true);
		}
		this.#asking = null;
		this.#areComingBack = true;
		void onWithdrawn().finally(() => {
			this.#areComingBack = false;
		});
	}

	async #invite(names: readonly string[], invitation: readonly unknown[]): Promise<void> {
		const { db, log } = this.#options;
		try {
			await db.query('update follower set snapshot = $2, snapshot_batch = $3, markets = $4 where name = any($1)', [
				names,
				...invitation,
			]);
			log.info({ names, batch: invitation[1] }, 'a standby joins');
		} catch (error) {
			log.warn({ err: error, names }, 'a standby could not join yet');
			this.#endJoining();
		}
		this.#inviting = null;
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
		if (this.#asking || this.#inviting) return;
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
		else this.#asking = { names: asking, client, withdrawal: new QuoteWithdrawal(), isSealed: false };
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
		await this.#inviting;
		this.#asking?.client.release();
		this.#asking = null;
		this.#endJoining();
	}
}
