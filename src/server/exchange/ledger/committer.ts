/**
 * Writes batches in their order, each by its deadline. The next one may be sent behind one that is on its way: its fence
 * lets it through only after that one. A broken connection is replaced and a batch is sent again behind its fence. The
 * deadline is part of the statement, so a database that was frozen does not write a batch that was given up meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { BatchMonth } from '#server/exchange/ledger/batch-month.ts';
import {
	batchStatement,
	EXPECTED_BYTES,
	type Fence,
	statementsToPlan,
} from '#server/exchange/ledger/batch-statement.ts';
import { isEphemeral, type WrittenRows, writtenRows } from '#server/exchange/ledger/batch-tables.ts';
import { encodeCommands } from '#server/exchange/ledger/command-rows.ts';
import type { BatchSeal, LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { BatchSealer } from '#server/exchange/ledger/seal-batch.ts';
import type { BatchRows } from '#server/exchange/order/batch-rows.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import { isLogged } from '#server/platform/pacing/back-off.ts';
import { BinaryArrays } from '#server/platform/postgres/binary-arrays.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { HeldConnection } from '#server/platform/postgres/held-connection.ts';
import { isMonthOpen, type Month } from '#server/platform/postgres/months.ts';

/** Another process took the lease, so this one must not write again. */
export class Deposed extends Error {
	/** True when the batch is certainly not in the ledger. */
	readonly wroteNothing: boolean;
	constructor(wroteNothing: boolean) {
		super('Another server took over this database; this one must stop.');
		this.wroteNothing = wroteNothing;
	}
}
/** Batches on their way: while the database writes one, the next is with it already. */
export const MOST_ON_THEIR_WAY = 2;
/** The batch was not confirmed by its deadline. The lease row says whether it was written. */
class Late extends Error {}

const LONGEST_PAUSE_MS = 500;
/** How long the planning of a statement may take. */
const PLANNED_WITHIN_MS = 10_000;
/** How much longer to wait for an answer after the deadline. */
const LAST_WORD_MS = 100;
/**
 * A batch that only places and cancels quotes is not written, except after this many in a row or after a second. The
 * written batch keeps the numbers in the lease row current, and a deposed server notices while it only quotes. A new
 * engine skips this many batch numbers, so numbers rise across restarts.
 */
export const MOST_UNWRITTEN = 1_000;
const LONGEST_UNWRITTEN_MS = 1_000;
/** A standby takes silence for death, so an exchange with standbys writes more often. */
export const HEARTBEAT_MS = 100;
/**
 * What a process shows from memory counts for so long after it sent the last batch that was confirmed. One that takes over writes
 * nothing before.
 */
export const FRESH_MS = 250;

/** A batch that has its number and its place in the chain. */
interface SealedBatch {
	seq: number;
	batch: BatchRows;
	written: WrittenRows;
	/** Texts of the command rows; null when none are kept. */
	commands: readonly string[] | null;
	seal: BatchSeal;
	/** The last batch before it that is written. */
	writtenSeq: number;
	/** Memory for its statement, which no other batch uses until it is durable. */
	arrays: BinaryArrays;
}

/** The row that the batch's statement returns. */
interface Written {
	written: number;
	/** The database's clock, milliseconds since 1970. */
	clock: number;
}

interface CommitterOptions {
	db: pg.Pool;
	log: Logger;
	sealer: LedgerSealer;
	epoch: number;
	/** The last batch that was written, and the chain as it left it. */
	batchSeq: number;
	chain: Buffer;
	/** How far the database's clock is ahead of ours, as measured at recovery. */
	clockAheadMs?: number;
	/** Writes the commands of each batch for standbys. */
	commandRows?: boolean;
	/** By the monotonic clock: until then, what another process shows from memory may count. */
	writesFromMs?: number | undefined;
}

/**
 * Statements of a batch are planned once, for arrays of any length. PostgreSQL would otherwise plan some shapes for each
 * batch again, by the lengths that it happened to meet first, which takes it a millisecond. A batch names its rows by their
 * keys: a plan that was made while a table was small must not read all of it later.
 */
const PLANNED_ONCE = `set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off;
	set enable_mergejoin = off`;

export class Committer {
	readonly #connection: HeldConnection;
	readonly #log: Logger;
	readonly #epoch: number;
	readonly #sealer: BatchSealer;
	readonly #month = new BatchMonth();
	/** They take turns. */
	readonly #arrays = Array.from({ length: MOST_ON_THEIR_WAY }, () => new BinaryArrays(EXPECTED_BYTES));
	#batchSeq: number;
	#writtenSeq: number;
	/** The last batch that has its number, and the last of those that are written or will be. */
	#sealedSeq: number;
	#sealedWrittenSeq: number;
	/** Settles with the last batch that has its number. */
	#last: Promise<void> = Promise.resolve();
	/** By the monotonic clock. The lease was taken just before the committer was made. */
	#writtenAtMs = performance.now();
	/** When the last confirmed batch was sent. The lease was ours at that time or a little later. */
	#confirmedAtMs = performance.now();
	/** As the last batch that has its number leaves it. */
	#chain: Buffer;
	readonly #commandRows: boolean;
	readonly #writesFromMs: number;
	/** Names of the statements that the connection has executed or is about to. */
	readonly #planned = new Set<string>();
	/** Those that it executes after the next batches, one each. */
	readonly #unplanned: pg.QueryConfig[] = [];
	/** Of the batches since the last one that is written or will be. */
	#unwritten: EngineInput[] = [];
	/**
	 * The database's clock minus the monotonic clock, measured with each answer. The latency of the answer makes it
	 * slightly too small.
	 */
	#clockAheadMs: number | null;
	#stopped = false;

	constructor(options: CommitterOptions) {
		const { db, log, sealer, epoch, batchSeq, chain, clockAheadMs, commandRows = false, writesFromMs = 0 } = options;
		this.#sealer = new BatchSealer(sealer);
		this.#connection = new HeldConnection(db, PLANNED_ONCE, () => this.#planned.clear());
		this.#log = log;
		this.#epoch = epoch;
		this.#batchSeq = batchSeq;
		this.#writtenSeq = batchSeq;
		this.#sealedSeq = batchSeq;
		this.#sealedWrittenSeq = batchSeq;
		this.#chain = chain;
		this.#clockAheadMs = clockAheadMs ?? null;
		this.#commandRows = commandRows;
		this.#writesFromMs = writesFromMs;
	}

	/** Number of the last batch that is durable, or that had nothing to write. */
	get batchSeq(): number {
		return this.#batchSeq;
	}

	/** Number of the last batch in the tables. */
	get writtenSeq(): number {
		return this.#writtenSeq;
	}

	/** Gives up waiting for a database that is away, and returns the connection to the pool. */
	stop(): void {
		this.#stopped = true;
		this.#connection.release();
	}

	/**
	 * The promise resolves when the batch is durable, or when the batch before is if this one has nothing to write. Retries
	 * until the deadline while the database is away. The batch before may be on its way: unless this one's deadline passes
	 * sooner, it is decided first.
	 * @param untilMs on the monotonic clock
	 * @throws at once when the batch cannot be sealed: no other may follow it
	 * @throws in the promise Deposed when another engine holds the lease, Late when the deadline passed, the database's error
	 *   when it rejects the rows; also when the batch before failed so. After Late the batch may have been written before its
	 *   deadline; it cannot be written after the lease has been taken again.
	 */
	commit(batch: BatchRows, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
		const before = this.#last;
		const sealed = this.#seal(batch);
		const durable = this.#durable(this.#sealedSeq, sealed ? this.#write(sealed, before, untilMs) : before);
		this.#last = durable;
		// The caller, and the next batch, hear of a failure.
		durable.catch(() => undefined);
		return durable;
	}

	async #durable(seq: number, written: Promise<void>): Promise<void> {
		await written;
		this.#batchSeq = seq;
	}

	/** Gives the batch its number; null when it has nothing to write. */
	#seal(batch: BatchRows): SealedBatch | null {
		const seq = ++this.#sealedSeq;
		const written = writtenRows(batch);
		this.#unwritten.push(...batch.inputs);
		if (isEphemeral(written) && !batch.mustBeWritten && !this.#isLeaseDue(seq)) return null;
		const commands = this.#commandRows ? encodeCommands(this.#unwritten) : null;
		const seal = this.#sealer.seal(seq, this.#chain, batch, written);
		const writtenSeq = this.#sealedWrittenSeq;
		this.#sealedWrittenSeq = seq;
		this.#chain = seal.chain;
		this.#unwritten = [];
		const arrays = this.#arrays[seq % MOST_ON_THEIR_WAY] as BinaryArrays;
		return { seq, batch, written, commands, seal, writtenSeq, arrays };
	}

	async #write(sealed: SealedBatch, before: Promise<void>, untilMs: number): Promise<void> {
		const { seq } = sealed;
		const earlyMs = this.#writesFromMs - performance.now();
		if (earlyMs > 0) await delay(earlyMs);
		for (let attempt = 1; ; attempt++) {
			if (performance.now() >= untilMs) throw new Late(`Batch ${seq} was not written by its deadline.`);
			try {
				const passed = await this.#send(sealed, untilMs);
				await before;
				if (passed || (await this.#isWritten(sealed, untilMs))) break;
			} catch (error) {
				await before;
				if (error instanceof Deposed || this.#stopped || !isDatabaseFault(error)) throw error;
				const { code } = error as { code?: string };
				if (isLogged(attempt))
					this.#log.warn({ batch: seq, attempt, code }, 'the database is unavailable; the batch is retried');
				await delay(Math.min(20 * attempt, LONGEST_PAUSE_MS));
			}
		}
		this.#writtenSeq = seq;
		this.#writtenAtMs = performance.now();
	}

	#fence({ seq, writtenSeq }: SealedBatch, untilMs: number): Fence {
		const ahead = this.#clockAheadMs;
		const lastClockMs = ahead === null || untilMs === Number.POSITIVE_INFINITY ? null : untilMs + ahead;
		return { epoch: this.#epoch, batchSeq: seq, writtenSeq, lastClockMs };
	}

	#isLeaseDue(seq: number): boolean {
		const late = performance.now() - this.#writtenAtMs >= LONGEST_UNWRITTEN_MS;
		return late || seq - this.#sealedWrittenSeq >= MOST_UNWRITTEN || this.isSilent();
	}

	/** Standbys follow, and have seen no batch for the time of a heartbeat. */
	isSilent(): boolean {
		return this.#commandRows && performance.now() - this.#writtenAtMs >= HEARTBEAT_MS;
	}

	/** Whether no other process can have shown anything later for long. */
	isFresh(): boolean {
		return performance.now() - this.#confirmedAtMs < FRESH_MS;
	}

	async #isMonthOpen(month: Month, untilMs: number): Promise<boolean> {
		return (await this.#query<{ isOpen: boolean }>(isMonthOpen(month), untilMs))?.isOpen === true;
	}

	/** False when the fence did not let the batch through. */
	async #send(sealed: SealedBatch, untilMs: number): Promise<boolean> {
		const { batch, written, commands, seal, arrays } = sealed;
		const month = await this.#month.of(batch, (name) => this.#isMonthOpen(name, untilMs));
		const query = batchStatement(arrays, this.#fence(sealed, untilMs), seal, { batch, written, commands, month });
		const sentAtMs = performance.now();
		const answer = (await this.#query<Written>(query, untilMs)) as Written;
		this.#clockAheadMs = answer.clock - performance.now();
		if (answer.written !== 1) return false;
		this.#confirmedAtMs = sentAtMs;
		this.#planAhead(query);
		return true;
	}

	/** What batches like this one need beside a settlement is planned before there is one. */
	#planAhead({ name = '' }: pg.QueryConfig): void {
		if (!this.#planned.has(name)) this.#unplanned.push(...statementsToPlan(name));
		this.#planned.add(name);
		const next = this.#unplanned.shift();
		if (!next?.name || this.#planned.has(next.name) || this.#stopped) return;
		this.#planned.add(next.name);
		// A connection that fails here fails for the next batch, too, which is sent again over another.
		this.#connection.query(next, performance.now() + PLANNED_WITHIN_MS).catch(() => undefined);
	}

	/** The only row of the answer. The query times out at the deadline even when the database is frozen. */
	async #query<Row extends pg.QueryResultRow>(query: pg.QueryConfig, untilMs: number): Promise<Row | undefined> {
		return (await this.#connection.query<Row>(query, untilMs + LAST_WORD_MS)).rows[0];
	}

	/**
	 * Called when the fence rejected the batch, and the one before is durable. Either an earlier attempt wrote it, and
	 * perhaps the batch behind it, or the database's clock was past the deadline. The latter returns false, because our
	 * clock decides.
	 * @throws Deposed in any other case
	 */
	async #isWritten({ seq, writtenSeq }: SealedBatch, untilMs: number): Promise<boolean> {
		const query = { text: 'select epoch, batch from lease' };
		const lease = await this.#query<{ epoch: number; batch: number }>(query, untilMs);
		if (lease?.epoch === this.#epoch && lease.batch >= seq) return true;
		if (lease?.epoch === this.#epoch && lease.batch === writtenSeq) return false;
		// A server that took the lease and has written nothing yet leaves the ledger at our last batch.
		throw new Deposed(lease?.batch === writtenSeq + MOST_UNWRITTEN);
	}
}
