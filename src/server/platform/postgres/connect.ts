/**
 * Connections to PostgreSQL. 64-bit integers are read as numbers; one that does not fit throws instead of being
 * rounded.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';

const INT8 = 20;

/** Names this process's connections to PostgreSQL. */
export const APPLICATION_NAME = `backlay ${process.pid} ${randomUUID().slice(0, 8)}`;
/** What names a connection that gives signs of life, after the name of the process. */
export const SIGNS_SUFFIX = ' signs';
export const SIGNS_NAME = `${APPLICATION_NAME}${SIGNS_SUFFIX}`;

/** Connections to the database at that URL, at most eight unless the options say otherwise. */
export function connect(url: string, options: pg.PoolConfig = {}): pg.Pool {
	const types = new pg.TypeOverrides();
	types.setTypeParser(INT8, (text) => {
		const value = Number(text);
		if (!Number.isSafeInteger(value)) throw new Error(`the database holds ${text}, which is no safe integer`);
		return value;
	});
	const db = new pg.Pool({ max: 8, application_name: APPLICATION_NAME, ...options, connectionString: url, types });
	// A broken connection is replaced, and its query fails; without a listener it would end the process. The pool
	// listens only for idle connections, not for one between two statements of a transaction.
	db.on('error', () => {});
	db.on('connect', (client) => client.on('error', () => {}));
	return db;
}
