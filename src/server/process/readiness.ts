/**
 * Whether this server can make a bet durable: a batch was committed within the last seconds, or a probe that writes to
 * the database passes. A probe has a connection of its own, so busy connections do not fail it, and a timeout, so a
 * frozen database does.
 */
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';

const COMMITTED_WITHIN_MS = 3_000;
const PROBE_LIMIT_MS = 2_000;
/** How long the result of a probe is reused, for any number of clients. */
const PROBE_HOLDS_MS = 1_000;

/**
 * Commits a row, which the write-ahead log must store, and spills more than 64 kB into a temporary file, which needs
 * room on the disk. On a full disk, preallocated segments let small commits pass; only the temporary file fails.
 */
const PROBE_SQL = `with spilled as (select count(*) from generate_series(1, 20000))
	update readiness_probe set probed_at = now() from spilled where id = 1`;

interface ReadinessOptions {
	databaseUrl: string;
	/** The exchange takes commands: it is not recovering, and no other server has taken over. */
	isOpen: () => boolean;
}

export class Readiness {
	readonly #db: pg.Pool;
	readonly #isOpen: () => boolean;
	#committedAt = Number.NEGATIVE_INFINITY;
	/** The running probe; concurrent requests share it. */
	#probe: Promise<boolean> | null = null;
	#passed = false;
	#probedAt = Number.NEGATIVE_INFINITY;
	#stopping = false;

	constructor({ databaseUrl, isOpen }: ReadinessOptions) {
		this.#isOpen = isOpen;
		this.#db = connect(databaseUrl, {
			max: 1,
			connectionTimeoutMillis: PROBE_LIMIT_MS,
			query_timeout: PROBE_LIMIT_MS,
			statement_timeout: PROBE_LIMIT_MS,
			options: '-c work_mem=64kB',
		});
	}

	/** A batch is durable. */
	committed(): void {
		this.#committedAt = performance.now();
	}

	/** The server is stopping and wants no new requests. */
	stopping(): void {
		this.#stopping = true;
	}

	async isReady(): Promise<boolean> {
		if (this.#stopping || !this.#isOpen()) return false;
		if (performance.now() - this.#committedAt < COMMITTED_WITHIN_MS) return true;
		return await this.#probed();
	}

	async end(): Promise<void> {
		await this.#db.end();
	}

	async #probed(): Promise<boolean> {
		if (performance.now() - this.#probedAt < PROBE_HOLDS_MS) return this.#passed;
		this.#probe ??= this.#pass();
		return await this.#probe;
	}

	async #pass(): Promise<boolean> {
		try {
			this.#passed = (await this.#db.query(PROBE_SQL)).rowCount === 1;
		} catch {
			this.#passed = false;
		}
		this.#probedAt = performance.now();
		this.#probe = null;
		return this.#passed;
	}
}
