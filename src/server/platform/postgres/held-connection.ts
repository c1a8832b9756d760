/**
 * One connection of a pool, kept between queries. A pool passes a connection on in a later phase of the event loop,
 * after pending promises have run. The committer's next statement would be sent after the answers to all callers of the
 * previous batch, and the database would idle meanwhile.
 */
import type pg from 'pg';

export class HeldConnection {
	readonly #db: Pick<pg.Pool, 'connect'>;
	readonly #settings: string;
	#connection: pg.PoolClient | null = null;
	#isBusy = false;
	#released = false;

	/** @param settings SQL that sets them for each connection; such a connection does not return to the pool */
	constructor(db: Pick<pg.Pool, 'connect'>, settings: string) {
		this.#db = db;
		this.#settings = settings;
	}

	/**
	 * Sends one query at a time, in this run of microtasks when the connection is open. After an error the connection is
	 * closed, and the next query opens another.
	 * @param untilMs on the monotonic clock; a query without its answer by then fails, and so does one that opens a connection
	 */
	async query<Row extends pg.QueryResultRow>(
		query: pg.QueryConfig,
		untilMs = Number.POSITIVE_INFINITY,
	): Promise<pg.QueryResult<Row>> {
		if (this.#isBusy) throw new Error('A held connection sends one query at a time.');
		this.#isBusy = true;
		try {
			const connection = this.#connection ?? (await this.#open(untilMs));
			return await connection.query<Row>(limited(query, untilMs));
		} catch (error) {
			this.#close(error as Error);
			throw error;
		} finally {
			this.#isBusy = false;
			if (this.#released) this.#close();
		}
	}

	/** Gives the connection up after the query in progress. A later query takes one for itself alone. */
	release(): void {
		this.#released = true;
		if (!this.#isBusy) this.#close();
	}

	async #open(untilMs: number): Promise<pg.PoolClient> {
		const connection = await this.#connected(untilMs);
		// A connection that breaks between two queries is closed. Without a listener it would end the process.
		connection.on('error', this.#broken);
		this.#connection = connection;
		await connection.query(limited({ text: this.#settings }, untilMs));
		return connection;
	}

	/** A connection that comes too late is closed. */
	async #connected(untilMs: number): Promise<pg.PoolClient> {
		if (untilMs === Number.POSITIVE_INFINITY) return await this.#db.connect();
		const opening = this.#db.connect();
		return await new Promise((resolve, reject) => {
			let isLate = false;
			const timer = setTimeout(() => {
				isLate = true;
				reject(new Error('timeout exceeded when trying to connect'));
			}, leftOf(untilMs));
			opening
				.then((connection) => (isLate ? connection.release(true) : resolve(connection)), reject)
				.finally(() => clearTimeout(timer));
		});
	}

	readonly #broken = (error: Error): void => this.#close(error);

	#close(error?: Error): void {
		const connection = this.#connection;
		this.#connection = null;
		// A connection that breaks while it closes calls this listener again.
		connection?.release(error ?? true);
	}
}

const leftOf = (untilMs: number): number => Math.max(1, Math.ceil(untilMs - performance.now()));

function limited(query: pg.QueryConfig, untilMs: number): pg.QueryConfig {
	if (untilMs === Number.POSITIVE_INFINITY) return query;
	const withLimit: pg.QueryConfig & { query_timeout: number } = { ...query, query_timeout: leftOf(untilMs) };
	return withLimit;
}
