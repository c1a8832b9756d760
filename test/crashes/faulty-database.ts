/** A database whose commits fail on demand: before the statement is sent, inside its transaction, or after it is durable. */
import type pg from 'pg';
import { writesBatch } from '#server/exchange/ledger/batch-statement.ts';
import { inOrder } from '../support/connection-in-order.ts';

export type Fault = 'before' | 'inside' | 'after';

/** No code that the committer would take for a database that comes back. */
class Crash extends Error {}

export class FaultyDatabase {
	crashes = 0;
	readonly #db: pg.Pool;
	/** Asked once a commit. */
	readonly #nextFault: () => Fault | null;

	constructor(db: pg.Pool, nextFault: () => Fault | null) {
		this.#db = db;
		this.#nextFault = nextFault;
	}

	/** The exchange only sends queries: to the pool, and on a connection that it keeps, which does them in their order. */
	asDatabase(): pg.Pool {
		const query = (text: pg.QueryConfig | string, values?: unknown[]) => this.#query(text, values);
		return { query, connect: async () => inOrder(query) } as unknown as pg.Pool;
	}

	async #query(query: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
		const writes = typeof query === 'object' && writesBatch(query);
		const fault = writes ? this.#nextFault() : null;
		if (fault === null) return await this.#db.query(query as string, values);
		this.crashes += 1;
		if (fault === 'inside') await this.#beginAndBreak(query as pg.QueryConfig);
		if (fault === 'after') await this.#db.query(query as string, values);
		throw new Crash(`crashed ${fault} the commit`);
	}

	/** The rows are written and the connection is gone before they are committed. */
	async #beginAndBreak(query: pg.QueryConfig): Promise<void> {
		const client = await this.#db.connect();
		await client.query('begin');
		await client.query({ text: query.text, values: query.values ?? [] });
		client.release(true);
	}
}
