/** Writes sealed batches, one at a time. A connection that breaks is replaced and the batch sent again behind its fence. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BatchRows } from '#server/exchange/batch.ts';
import { batchStatement, isEphemeral, writtenRows } from '#server/exchange/batch-statement.ts';
import type { LedgerSealer } from '#server/exchange/ledger-seal.ts';
import { BatchSealer } from '#server/exchange/seal-batch.ts';

/** Somebody else took the lease: this process must not write again. */
export class Deposed extends Error {}

/**
 * A batch of quotes alone is not written, but of so many in a row one is, and one each second: the lease row then says
 * how far the numbers are, and a server that was deposed notices while it quotes. A new engine begins so many batches
 * later, so the numbers rise over restarts.
 */
export const MOST_UNWRITTEN = 1_000;
const LONGEST_UNWRITTEN_MS = 1_000;

/** Codes after which the same batch may be sent again: serialization, deadlock, and whatever ends a connection. */
const AGAIN = /^(40001|40P01|08\d\d\d|57P0\d|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)$/;

export interface CommitterOptions {
	pool: pg.Pool;
	log: Logger;
	sealer: LedgerSealer;
	epoch: number;
	/** The last batch that was written, and the chain as it left it. */
	batchSeq: number;
	chain: Buffer;
}

export class Committer {
	readonly #pool: pg.Pool;
	readonly #log: Logger;
	readonly #epoch: number;
	readonly #sealer: BatchSealer;
	#batchSeq: number;
	#writtenSeq: number;
	/** By a clock that nobody sets; whoever makes a committer has just taken the lease. */
	#writtenAtMs = performance.now();
	#chain: Buffer;
	#stopped = false;

	constructor(options: CommitterOptions) {
		this.#sealer = new BatchSealer(options.sealer);
		this.#pool = options.pool;
		this.#log = options.log;
		this.#epoch = options.epoch;
		this.#batchSeq = options.batchSeq;
		this.#writtenSeq = options.batchSeq;
		this.#chain = options.chain;
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
	 * Resolves when the batch is durable, at once when it holds nothing that need be. Waits out a database that is away.
	 * @throws Deposed when another engine holds the lease; the database's error when it refuses the rows.
	 */
	async commit(batch: BatchRows): Promise<void> {
		const seq = this.#batchSeq + 1;
		if (isEphemeral(batch) && !this.#isLeaseDue(seq)) {
			this.#batchSeq = seq;
			return;
		}
		const written = writtenRows(batch);
		const seal = this.#sealer.seal(seq, this.#chain, batch, written);
		const place = { epoch: this.#epoch, batchSeq: seq, writtenSeq: this.#writtenSeq };
		const query = batchStatement(place, seal, batch, written);
		for (let attempt = 1; ; attempt++) {
			try {
				const { rows } = await this.#pool.query<{ written: number }>(query);
				if (rows[0]?.written === 1 || (attempt > 1 && (await this.#isWritten(seq)))) break;
				throw new Deposed('Another server took over this database; this one must stop.');
			} catch (error) {
				const code = (error as { code?: string }).code ?? '';
				const connectionEnded = /Connection terminated|Client has encountered|timeout/.test(String(error));
				if (this.#stopped || !(AGAIN.test(code) || connectionEnded)) throw error;
				this.#log.warn({ batch: seq, attempt, code }, 'the database is away; the batch waits');
				await delay(Math.min(20 * attempt, 500));
			}
		}
		this.#batchSeq = seq;
		this.#writtenSeq = seq;
		this.#writtenAtMs = performance.now();
		this.#chain = seal.chain;
	}

	#isLeaseDue(seq: number): boolean {
		const late = performance.now() - this.#writtenAtMs >= LONGEST_UNWRITTEN_MS;
		return late || seq - this.#writtenSeq >= MOST_UNWRITTEN;
	}

	/** After an unknown outcome: did the lease already move on by this batch, under our epoch? */
	async #isWritten(seq: number): Promise<boolean> {
		const { rows } = await this.#pool.query<{ epoch: number; batch: number }>('select epoch, batch from lease');
		return rows[0]?.epoch === this.#epoch && rows[0]?.batch === seq;
	}
}
