/**
 * Connections to PostgreSQL. 64-bit integers are read as numbers; one that does not fit throws instead of being
 * rounded.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { queryByCallbacks } from '#server/platform/postgres/callback-queries.ts';

const INT8 = 20;

/** Names this process's connections to PostgreSQL. */
export const APPLICATION_NAME = `backlay ${process.pid} ${randomUUID().slice(0, 8)}`;
/** What names a connection that gives signs of life, after the name of the process. */
export const SIGNS_SUFFIX = ' signs';
export const SIGNS_NAME = `${APPLICATION_NAME}${SIGNS_SUFFIX}`;

/**
 * Probes of the operating system find a host that fell away without a word, while nothing is sent: ten, a second apart,
 * after so long.
 */
const PROBED_AFTER_MS = 5_000;

/** How long a statement waits for a connection of its pool, and for its answer, in milliseconds. */
export type TimeLimits = Required<Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'>>;

/**
 * The limits of a process that serves. What was sent to a host that fell away is not probed: its statement fails after this
 * time, and the next one takes another connection. PostgreSQL may still do what was given up, as after a connection that
 * broke. Statements that are meant to take longer are sent by `unhurried`, through the connections for histories, or over a
 * pool without limits.
 */
export const SERVING_LIMITS: TimeLimits = { connectionTimeoutMillis: 5_000, query_timeout: 15_000 };

/** The pool's statements have these limits from now on, also over connections that are open. One under way keeps its own. */
export function limitStatements(db: pg.Pool, limits: TimeLimits): void {
	Object.assign(db.options, limits);
}

/** Connections to the database at that URL, at most eight and without limits in time unless the options say otherwise. */
export function connect(url: string, options: pg.PoolConfig = {}): pg.Pool {
	const types = new pg.TypeOverrides();
	types.setTypeParser(INT8, (text) => {
		const value = Number(text);
		if (!Number.isSafeInteger(value)) throw new Error(`the database holds ${text}, which is no safe integer`);
		return value;
	});
	const db = new pg.Pool({
		max: 8,
		application_name: APPLICATION_NAME,
		keepAlive: true,
		keepAliveInitialDelayMillis: PROBED_AFTER_MS,
		// The next batch is sent behind the one that is written. A statement that is given up takes its connection with it.
		pipeline: true,
		...options,
		connectionString: url,
		types,
	});
	// A broken connection is replaced, and its query fails; without a listener it would end the process. The pool
	// listens only for idle connections, not for one between two statements of a transaction.
	db.on('error', () => {});
	db.on('connect', (client) => {
		client.on('error', () => {});
		queryByCallbacks(client, () => db.options.query_timeout);
	});
	return db;
}
