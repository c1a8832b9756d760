/**
 * One connection of a pool, kept between queries. A pool passes a connection on in a later phase of the event loop,
 * after pending promises have run. The committer's next statement would be sent after the answers to all callers of the
 * previous batch, and the database would idle meanwhile.
 */
import type pg from 'pg';

export class HeldConnection {
	readonly #db: Pick<pg.Pool, 'connect'>;
	#connection: pg.PoolClient | null = null;
	#isBusy = false;
	#released = false;

	constructor(db: Pick<pg.Pool, 'connect'>) {
		this.#db = db;
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

	/** Returns the connection after the query in progress. A later query takes one for itself alone. */
	release(): void {
		this.#released = true;
		if (!this.#isBusy) this.#close();
	}

	async #open(): Promise<pg.PoolClient> {
		const connection = await this.#db.connect();
		// A connection that breaks between two queries is closed. Without a listener it would end the process.
		connection.on('error', this.#broken);
		this.#connection = connection;
		return connection;
	}

	readonly #broken = (error: Error): void => this.#close(error);

	#close(error?: Error): void {
		const connection = this.#connection;
		this.#connection = null;
		connection?.release(error);
		// A connection that breaks while it closes calls this listener again; an intact one is returned without it.
		if (!error) connection?.removeListener('error', this.#broken);
	}
}
