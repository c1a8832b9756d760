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
	 */
	async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
		if (this.#isBusy) throw new Error('A held connection sends one query at a time.');
		this.#isBusy = true;
		try {
			const connection = this.#connection ?? (await this.#open());
			return await connection.query<Row>(query);
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

	async #open(): Promise<pg.PoolClient> {
		const connection = await this.#db.connect();
		// A connection that breaks between two queries is closed. Without a listener it would end the process.
		connection.on('error', this.#broken);
		this.#connection = connection;
		await connection.query(this.#settings);
		return connection;
	}

	readonly #broken = (error: Error): void => this.#close(error);

	#close(error?: Error): void {
		const connection = this.#connection;
		this.#connection = null;
		// A connection that breaks while it closes calls this listener again.
		connection?.release(error ?? true);
	}
}
