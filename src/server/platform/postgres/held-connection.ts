/**
 * One connection of a pool, kept between queries. A pool passes a connection on in a later phase of the event loop,
 * after pending promises have run. The committer's next statement would be sent after the answers to all callers of the
 * previous batch, and the database would idle meanwhile.
 */
import type pg from 'pg';
import { limitedTo } from '#server/platform/postgres/limited-queries.ts';

export class HeldConnection {
	readonly #db: Pick<pg.Pool, 'connect'>;
	readonly #settings: string;
	readonly #onOpened: () => void;
	#connection: pg.PoolClient | null = null;
	/** While a connection is being opened. */
	#opening: Promise<pg.PoolClient> | null = null;
	/** Queries without their answer. */
	#running = 0;
	#released = false;

	/**
	 * @param settings SQL that sets them for each connection; such a connection does not return to the pool
	 * @param onOpened called for each new connection once it has its settings, before its first query
	 */
	constructor(db: Pick<pg.Pool, 'connect'>, settings: string, onOpened: () => void = () => {}) {
		this.#db = db;
		this.#settings = settings;
		this.#onOpened = onOpened;
	}

	/**
	 * Sends a query in this run of microtasks when the connection is open, behind those that have no answer yet; the database
	 * does them in their order. After an error the connection is closed, when those behind have their answers or fail with it,
	 * and the next query opens another.
	 * @param untilMs on the monotonic clock; a query without its answer by then fails, and so does the opening of a connection
	 */
	async query<Row extends pg.QueryResultRow>(
		query: pg.QueryConfig,
		untilMs = Number.POSITIVE_INFINITY,
	): Promise<pg.QueryResult<Row>> {
		this.#running++;
		let connection: pg.PoolClient | null = this.#connection;
		try {
			connection ??= await (this.#opening ??= this.#open(untilMs));
			return await connection.query<Row>(limited(query, untilMs));
		} catch (error) {
			this.#close(connection, error as Error);
			throw error;
		} finally {
			this.#running--;
			if (this.#running === 0) this.#giveUp();
		}
	}

	/** Gives the connection up after the queries in progress. A later query takes one for itself alone. */
	release(): void {
		this.#released = true;
		if (this.#running === 0) this.#giveUp();
	}

	#giveUp(): void {
		if (this.#released) this.#close(this.#connection);
	}

	async #open(untilMs: number): Promise<pg.PoolClient> {
		try {
			const connection = await this.#connected(untilMs);
			// A connection that breaks between two queries is closed. Without a listener it would end the process.
			connection.on('error', (error) => this.#close(connection, error));
			try {
				await connection.query(limited({ text: this.#settings }, untilMs));
			} catch (error) {
				connection.release(error as Error);
				throw error;
			}
			this.#connection = connection;
			this.#onOpened();
			return connection;
		} finally {
			this.#opening = null;
		}
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

	/** Once: a connection that breaks fails each of its queries, and says so again while it closes. */
	#close(connection: pg.PoolClient | null, error?: Error): void {
		if (!connection || connection !== this.#connection) return;
		this.#connection = null;
		connection.release(error ?? true);
	}
}

const leftOf = (untilMs: number): number => Math.max(1, Math.ceil(untilMs - performance.now()));

const limited = (query: pg.QueryConfig, untilMs: number): pg.QueryConfig =>
	untilMs === Number.POSITIVE_INFINITY ? query : limitedTo(query, leftOf(untilMs));
