/** The driver's side of the double: a pool of connections of one process, which end with it. */
import type pg from 'pg';
import type { Host } from '../host.ts';
import type { Network, Stream } from '../network.ts';
import type { DatabaseDouble, Session } from './double.ts';
import { parsedOf, received } from './statements.ts';

type Query = pg.QueryConfig & { rowMode?: string; query_timeout?: number };

interface PoolOptions {
	database: DatabaseDouble;
	network: Network;
	host: Host;
	/** Names the process to the database. */
	applicationName: string;
	most: number;
}

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

class Connection {
	readonly #options: PoolOptions;
	readonly #onReleased: (connection: Connection, isBroken: boolean) => void;
	readonly #listeners: ((error: Error) => void)[] = [];
	readonly #there: Stream = { lastAtMs: 0 };
	readonly #back: Stream = { lastAtMs: 0 };
	#session: Session | null = null;
	/** Fail the queries without an answer, in their order. */
	readonly #running = new Set<(error: Error) => void>();
	/** What arrived at the database behind the statement that it does, in order. */
	readonly #arrived: (() => void)[] = [];
	#isDoing = false;
	isTaken = true;
	isBroken = false;

	constructor(options: PoolOptions, onReleased: (connection: Connection, isBroken: boolean) => void) {
		this.#options = options;
		this.#onReleased = onReleased;
	}

	open(): Promise<void> {
		const { database, network, host, applicationName } = this.#options;
		return new Promise((resolve, reject) => {
			network.send(
				host,
				database.host,
				() => {
					const onEnded = (error: Error) => network.send(database.host, host, () => this.#broken(error), this.#back);
					this.#session = database.open(applicationName, onEnded);
					network.send(database.host, host, () => (this.#session ? resolve() : reject(refused())), this.#back);
				},
				this.#there,
			);
		});
	}

	#broken(error: Error): void {
		this.isBroken = true;
		const terminated = new Error('Connection terminated unexpectedly');
		const ended = 'code' in error ? error : terminated;
		const [first, ...behind] = this.#running;
		if (first) first(ended);
		else for (const listener of this.#listeners.slice()) listener(ended);
		for (const fail of behind) fail(terminated);
		if (!this.isTaken) this.#onReleased(this, true);
	}

	/** Sends it behind those without an answer; the database does them in their order. */
	query(config: Query | string, values?: unknown[]): Promise<pg.QueryResult> {
		const query: Query = typeof config === 'string' ? { text: config, ...(values && { values }) } : config;
		if (this.isBroken)
			return Promise.reject(new Error('Client has encountered a connection error and is not queryable'));
		const parsed = parsedOf(query.text);
		const sent = { parsed, parameters: received(parsed, query.values) };
		const { database, network, host } = this.#options;
		return new Promise((resolve, reject) => {
			let timer: NodeJS.Timeout | undefined;
			const failed = (error: Error): void => {
				clearTimeout(timer);
				this.#running.delete(failed);
				reject(error);
			};
			this.#running.add(failed);
			// The database goes on with what was given up.
			if (query.query_timeout !== undefined)
				timer = setTimeout(() => {
					if (!this.#running.has(failed)) return;
					this.isBroken = true;
					failed(new Error('Query read timeout'));
					for (const fail of this.#running) fail(new Error('Connection terminated unexpectedly'));
				}, query.query_timeout);
			network.send(
				host,
				database.host,
				() =>
					this.#inTurn((done) => {
						const session = this.#session as Session;
						database.run(session, sent, (outcome) => {
							done();
							network.send(
								database.host,
								host,
								() => {
									if (!this.#running.has(failed) || session.isReset) return;
									if ('error' in outcome) failed(outcome.error);
									else {
										clearTimeout(timer);
										this.#running.delete(failed);
										const { rows, rowCount } = outcome.answer;
										const shown = query.rowMode === 'array' ? rows.map((row) => Object.values(row)) : rows;
										resolve({ rows: shown, rowCount } as unknown as pg.QueryResult);
									}
								},
								this.#back,
							);
						});
					}),
				this.#there,
			);
		});
	}

	/** The database does one statement of a connection after another. */
	#inTurn(run: (done: () => void) => void): void {
		const next = () => {
			this.#isDoing = true;
			run(() => {
				this.#isDoing = false;
				this.#arrived.shift()?.();
			});
		};
		if (this.#isDoing) this.#arrived.push(next);
		else next();
	}

	on(_event: 'error', listener: (error: Error) => void): this {
		this.#listeners.push(listener);
		return this;
	}
	removeListener(_event: 'error', listener: (error: Error) => void): this {
		const at = this.#listeners.indexOf(listener);
		if (at >= 0) this.#listeners.splice(at, 1);
		return this;
	}

	release(error?: Error | boolean): void {
		if (!this.isTaken) throw new Error('Release called on client which has already been released to the pool.');
		this.isTaken = false;
		this.#onReleased(this, this.isBroken || Boolean(error));
	}

	/** Says goodbye, or is found to be gone. */
	close(): void {
		const { database, network, host } = this.#options;
		this.isBroken = true;
		network.send(host, database.host, () => this.closeNow(), this.#there);
	}
	closeNow(): void {
		if (this.#session?.isOpen) this.#options.database.close(this.#session);
	}
}

export class PoolDouble {
	readonly #options: PoolOptions;
	readonly #all = new Set<Connection>();
	readonly #idle: Connection[] = [];
	readonly #waiting: (() => void)[] = [];

	constructor(options: PoolOptions) {
		this.#options = options;
	}

	/** As the product sees it: what else a pool has is not used. */
	asPool(): pg.Pool {
		return this as unknown as pg.Pool;
	}

	async connect(): Promise<Connection> {
		for (;;) {
			const idle = this.#idle.pop();
			if (idle) {
				idle.isTaken = true;
				return idle;
			}
			if (this.#all.size < this.#options.most) break;
			await new Promise<void>((resume) => this.#waiting.push(resume));
		}
		const connection = new Connection(this.#options, (each, isBroken) => this.#released(each, isBroken));
		this.#all.add(connection);
		try {
			await connection.open();
		} catch (error) {
			this.#released(connection, true);
			throw error;
		}
		return connection;
	}

	#released(connection: Connection, isBroken: boolean): void {
		if (isBroken) {
			if (!this.#all.delete(connection)) return;
			const at = this.#idle.indexOf(connection);
			if (at >= 0) this.#idle.splice(at, 1);
			connection.close();
		} else this.#idle.push(connection);
		this.#waiting.shift()?.();
	}

	async query(config: Query | string, values?: unknown[]): Promise<pg.QueryResult> {
		const connection = await this.connect();
		try {
			const result = await connection.query(config, values);
			connection.release();
			return result;
		} catch (error) {
			connection.release(true);
			throw error;
		}
	}

	on(): this {
		return this;
	}

	/** The process has ended, so its connections do. */
	end(): void {
		for (const connection of this.#all) connection.close();
	}
}
