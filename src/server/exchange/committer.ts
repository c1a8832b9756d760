/**
 * Writes sealed batches, one at a time and each by its deadline. A connection that breaks is replaced and the batch sent
 * again behind its fence. The deadline is part of the statement, so a database that was frozen does not write late what
 * was already given up.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isLogged } from '#server/back-off.ts';
import type { BatchRows } from '#server/exchange/batch.ts';
import { batchStatement, type Fence, isEphemeral, writtenRows } from '#server/exchange/batch-statement.ts';
import { isDatabaseFault } from '#server/exchange/database-fault.ts';
import type { LedgerSealer } from '#server/exchange/ledger-seal.ts';
import { BatchSealer } from '#server/exchange/seal-batch.ts';

/** Another process took the lease: this one must not write again. */
export class Deposed extends Error {
	/** The batch that was to be written is certainly not in the ledger. */
	readonly wroteNothing: boolean;
	constructor(wroteNothing: boolean) {
		super('Another server took over this database; this one must stop.');
		this.wroteNothing = wroteNothing;
	}
}
/** The batch was not written by its deadline as far as is known; the lease says whether it was. */
export class Late extends Error {}

const LONGEST_PAUSE_MS = 500;
/** After a deadline: for an answer that is on its way. */
const LAST_WORD_MS = 100;
/**
 * A batch of quotes alone is not written, but of so many in a row one is, and one each second: the lease row then says
 * how far the numbers are, and a server that was deposed notices while it quotes. A new engine begins so many batches
 * later, so the numbers rise over restarts.
 */
export const MOST_UNWRITTEN = 1_000;
const LONGEST_UNWRITTEN_MS = 1_000;

/** The row that the batch's statement returns. */
interface Written {
	written: number;
	/** The database's clock, milliseconds since 1970. */
	clock: number;
}

export interface CommitterOptions {
	db: pg.Pool;
	log: Logger;
	sealer: LedgerSealer;
	epoch: number;
	/** The last batch that was written, and the chain as it left it. */
	batchSeq: number;
	chain: Buffer;
	/** What the database's clock is ahead of ours, as measured at recovery. */
	clockAheadMs?: number;
}

export class Committer {
	readonly #db: pg.Pool;
	readonly #log: Logger;
	readonly #epoch: number;
	readonly #sealer: BatchSealer;
	#batchSeq: number;
	#writtenSeq: number;
	/** By a clock that nobody sets; whoever makes a committer has just taken the lease. */
	#writtenAtMs = performance.now();
	#chain: Buffer;
	/** Of the database's clock before the monotonic one, measured anew with each answer; too little by the answer's way. */
	#clockAheadMs: number | null;
	#stopped = false;

	constructor({ db, log, sealer, epoch, batchSeq, chain, clockAheadMs }: CommitterOptions) {
		this.#sealer = new BatchSealer(sealer);
		this.#db = db;
		this.#log = log;
		this.#epoch = epoch;
		this.#batchSeq = batchSeq;
		this.#writtenSeq = batchSeq;
		this.#chain = chain;
		this.#clockAheadMs = clockAheadMs ?? null;
	}

	/** Number of the last batch that is durable, or has nothing in it that need be. */
	get batchSeq(): number {
		return this.#batchSeq;
	}

	/** Gives up waiting for a database that does not come back. */
	stop(): void {
		this.#stopped = true;
	}

	/**
	 * Resolves when the batch is durable, at once when it holds nothing that need be. Waits out a database that is away
	 * until the deadline.
	 * @param untilMs on the monotonic clock
	 * @throws Deposed when another engine holds the lease, Late when the deadline passed, the database's error when it
	 *   refuses the rows. After Late the batch may have been written before its deadline, and is not written any more
	 *   once the lease has been taken anew.
	 */
	async commit(batch: BatchRows, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
		const seq = this.#batchSeq + 1;
		const written = writtenRows(batch);
		if (isEphemeral(written) && !this.#isLeaseDue(seq)) {
			this.#batchSeq = seq;
			return;
		}
		const seal = this.#sealer.seal(seq, this.#chain, batch, written);
		for (let attempt = 1; ; attempt++) {
			if (performance.now() >= untilMs) throw new Late(`Batch ${seq} was not written by its deadline.`);
			try {
				const query = batchStatement(this.#fence(seq, untilMs), seal, batch, written);
				const passed = await this.#send(query, untilMs);
				if (passed || (await this.#isWritten(seq, untilMs))) break;
			} catch (error) {
				if (error instanceof Deposed || this.#stopped || !isDatabaseFault(error)) throw error;
				const { code } = error as { code?: string };
				if (isLogged(attempt)) this.#log.warn({ batch: seq, attempt, code }, 'the database is away; the batch waits');
				await delay(Math.min(20 * attempt, LONGEST_PAUSE_MS));
			}
		}
		this.#batchSeq = seq;
		this.#writtenSeq = seq;
		this.#writtenAtMs = performance.now();
		this.#chain = seal.chain;
	}

	#fence(batchSeq: number, untilMs: number): Fence {
		const ahead = this.#clockAheadMs;
		const lastClockMs = ahead === null || untilMs === Number.POSITIVE_INFINITY ? null : untilMs + ahead;
		return { epoch: this.#epoch, batchSeq, writtenSeq: this.#writtenSeq, lastClockMs };
	}

	#isLeaseDue(seq: number): boolean {
		const late = performance.now() - this.#writtenAtMs >= LONGEST_UNWRITTEN_MS;
		return late || seq - this.#writtenSeq >= MOST_UNWRITTEN;
	}

	/** False when the fence did not let the batch through. */
	async #send(query: pg.QueryConfig, untilMs: number): Promise<boolean> {
		const answer = (await this.#query<Written>(query, untilMs)) as Written;
		this.#clockAheadMs = answer.clock - performance.now();
		return answer.written === 1;
	}

	/** The only row of the answer. A frozen database holds up no query beyond the deadline. */
	async #query<Row extends pg.QueryResultRow>(query: pg.QueryConfig, untilMs: number): Promise<Row | undefined> {
		const timeoutMs = untilMs - performance.now() + LAST_WORD_MS;
		const limited = timeoutMs < Number.POSITIVE_INFINITY ? { ...query, query_timeout: Math.ceil(timeoutMs) } : query;
		return (await this.#db.query<Row>(limited)).rows[0];
	}

	/**
	 * The fence did not let the batch through. Then it was written by an earlier attempt, or the database took its clock
	 * to be past the deadline: false, because ours decides.
	 * @throws Deposed when neither is so
	 */
	async #isWritten(seq: number, untilMs: number): Promise<boolean> {
		const query = { text: 'select epoch, batch from lease' };
		const lease = await this.#query<{ epoch: number; batch: number }>(query, untilMs);
		if (lease?.epoch === this.#epoch && lease.batch === seq) return true;
		if (lease?.epoch === this.#epoch && lease.batch === this.#writtenSeq) return false;
		// Another server that took the lease, and wrote nothing yet, left the ledger where we had left it.
		throw new Deposed(lease?.batch === this.#writtenSeq + MOST_UNWRITTEN);
	}
}
