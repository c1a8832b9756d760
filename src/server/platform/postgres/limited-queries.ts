/** Statements with a limit of their own in time, instead of that of their pool. */
import type pg from 'pg';

/** What a pool, or a connection of it, offers for single statements. */
export interface Queries {
	query<Row extends pg.QueryResultRow>(
		query: string | pg.QueryConfig,
		values?: unknown[],
	): Promise<pg.QueryResult<Row>>;
}

/** A statement with its limit in milliseconds, which `queryByCallbacks` keeps; the driver's types lack it. */
export type LimitedQuery = pg.QueryConfig & { query_timeout?: number | undefined };

/** The statement with that limit in time. */
export const limitedTo = (query: pg.QueryConfig, limitMs: number): LimitedQuery => ({
	...query,
	query_timeout: limitMs,
});

/** For a statement whose length depends on the ledger. Until then the probes of `connect` alone find a lost host. */
const UNHURRIED_MS = 600_000;

/** A statement that PostgreSQL has not answered by the limit fails, and its connection is closed. */
export const within = (db: Queries, limitMs: number): Queries => ({
	query: (query, values) => {
		const config = typeof query === 'string' ? { text: query, ...(values && { values }) } : query;
		return db.query(limitedTo(config, limitMs));
	},
});

/** For statements that may take longer than a process that serves waits for all others. */
export const unhurried = (db: Queries): Queries => within(db, UNHURRIED_MS);
