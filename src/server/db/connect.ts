/** The connection pool. Integers of 64 bits are read as numbers, and one that does not fit is an error, not a rounding. */
import pg from 'pg';

const INT8 = 20;

/** A pool on the database of that URL, of eight connections unless the options say otherwise. */
export function connect(url: string, options: pg.PoolConfig = {}): pg.Pool {
	const types = new pg.TypeOverrides();
	types.setTypeParser(INT8, (text) => {
		const value = Number(text);
		if (!Number.isSafeInteger(value)) throw new Error(`the database holds ${text}, which is no safe integer`);
		return value;
	});
	const pool = new pg.Pool({ max: 8, ...options, connectionString: url, types });
	// An idle connection that breaks is replaced by the pool; without a listener it would end the process.
	pool.on('error', () => {});
	return pool;
}
