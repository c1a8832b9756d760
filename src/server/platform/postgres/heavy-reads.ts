/**
 * Reads that may be slow: histories, statements, sums. They have connections of their own, so that many readers delay
 * each other and never a commit. A few run concurrently, some are queued, and the rest are refused.
 */
import type pg from 'pg';
import { Refused } from '#values/error-catalogue.ts';

const AT_ONCE = 3;
const MOST_WAITING = 200;
/** A read that takes longer, including its time in the queue, is refused. */
const TIMEOUT_MS = 5_000;
/** PostgreSQL cancels a slow statement itself. A frozen server does not, so the client gives up a little later. */
const GIVEN_UP_MS = TIMEOUT_MS + 1_000;

/** The statement timed out, got no connection in time, or PostgreSQL did not answer. */
const TOO_LONG = /statement timeout|Query read timeout|timeout exceeded when trying to connect/;

export class HeavyReads {
	readonly #db: pg.Pool;

	/** @param open opens a pool of connections to the database with these options */
	constructor(open: (options: pg.PoolConfig) => pg.Pool) {
		this.#db = open({
			max: AT_ONCE,
			connectionTimeoutMillis: TIMEOUT_MS,
			statement_timeout: TIMEOUT_MS,
			query_timeout: GIVEN_UP_MS,
		});
	}

	/** The number of connections, and of queued reads. */
	get connections(): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> {
		return this.#db;
	}

	/** @throws Refused OVERLOADED when too many reads wait, or this one takes too long */
	async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> {
		if (this.#db.waitingCount >= MOST_WAITING) throw new Refused('OVERLOADED');
		try {
			return await this.#db.query<Row>(text, values);
		} catch (error) {
			if (TOO_LONG.test(String(error))) throw new Refused('OVERLOADED');
			throw error;
		}
	}

	async end(): Promise<void> {
		await this.#db.end();
	}
}
