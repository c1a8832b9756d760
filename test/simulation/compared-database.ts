/** A pool that sends each statement to PostgreSQL and to the double, one at a time, and compares what they answer. */

import { isDeepStrictEqual } from 'node:util';
import { Semaphore } from 'async-mutex';
import type pg from 'pg';
import { expect } from 'vitest';
import { APPLICATION_NAME } from '#server/platform/postgres/connect.ts';
import { attachedMonths } from '#server/platform/postgres/months.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { DatabaseDouble, type Session } from './database/double.ts';
import { parsedOf, received } from './database/statements.ts';
import type { Row } from './database/tables.ts';
import { SeededNumbers } from './seeded-numbers.ts';
import { BEGINNING_MS, SimulatedTime } from './simulated-time.ts';

type Query = pg.QueryConfig & { rowMode?: string };
/** By the clocks and the processes of each. */
const OWN: ReadonlySet<string> = new Set(['clock', 'backend', 'seen_at', 'snapshot']);

/** What is compared of a row: what each has of its own is there in both, or in none. */
const comparable = (row: Readonly<Record<string, unknown>>, text = ''): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => {
			const isOwn = OWN.has(name) || (name === 'epoch' && text.startsWith('update lease'));
			return [name, isOwn ? value === null : value];
		}),
	);

export class ComparedDatabase {
	readonly #db: pg.Pool;
	readonly double: DatabaseDouble;
	readonly #turns = new Semaphore(1);
	/** Names of exported snapshots there, and here. */
	readonly #snapshots = new Map<string, string>();
	/** What the two answered differently. */
	readonly differences: { text: string; double: unknown; postgres: unknown }[] = [];
	/** Statements that were compared, by text. */
	readonly compared = new Map<string, number>();

	constructor(db: pg.Pool) {
		this.#db = db;
		const numbers = new SeededNumbers(1);
		this.double = new DatabaseDouble(new SimulatedTime(numbers), numbers, APPLICATION_NAME);
	}

	/** The double begins with the lease that PostgreSQL has. */
	async begin(): Promise<void> {
		const { rows } = await this.#db.query<Row>('select * from lease');
		this.double.fill('lease', rows[0] as Row);
		this.double.months = await attachedMonths(this.#db, 'bet');
	}

	asPool(): pg.Pool {
		const query = async (config: Query | string, values?: unknown[]) => {
			const connection = await this.#connect();
			try {
				return await connection.query(config, values);
			} finally {
				connection.release();
			}
		};
		return { query, connect: () => this.#connect(), on: () => {} } as unknown as pg.Pool;
	}

	async #connect() {
		const client = await this.#db.connect();
		const session = this.double.open(APPLICATION_NAME, () => {}) as Session;
		return {
			query: (config: Query | string, values?: unknown[]) =>
				this.#turns.runExclusive(() =>
					this.#both(
						client,
						session,
						typeof config === 'string' ? { text: config, ...(values && { values }) } : config,
					),
				),
			on: () => {},
			removeListener: () => {},
			release: (error?: Error | boolean) => {
				client.release(error);
				this.double.close(session);
			},
		};
	}

	/** Names of snapshots there become those of the double. */
	#translated<Value>(value: Value): Value {
		if (typeof value !== 'string') return value;
		for (const [theirs, ours] of this.#snapshots)
			if (value.includes(theirs)) return value.replace(theirs, ours) as Value;
		return value;
	}

	async #both(client: pg.PoolClient, session: Session, query: Query): Promise<pg.QueryResult> {
		const { text, values = [], rowMode } = query;
		const parsed = parsedOf(this.#translated(text));
		const parameters = received(parsed, values).map((value) => this.#translated(value));
		const [theirs, error] = await client.query(query).then(
			// A text of several statements has an answer for each.
			(result) => [[result].flat().at(-1), null] as const,
			(failed: { code: string }) => [null, failed] as const,
		);
		this.double.host.wallAheadMs = Date.now() - BEGINNING_MS;
		const ours = this.double.runNow(session, { parsed, parameters });
		this.compared.set(text, (this.compared.get(text) ?? 0) + 1);
		if (error || !theirs) {
			const code = 'error' in ours ? ours.error.code : null;
			if (code !== error.code) this.differences.push({ text, double: code, postgres: error.code });
			throw error;
		}
		if ('error' in ours) {
			this.differences.push({ text, double: ours.error.message, postgres: theirs.rows });
			return theirs;
		}
		this.#takeEpoch(text, theirs.rows[0]);
		if (text.includes('pg_export_snapshot'))
			this.#snapshots.set(theirs.rows[0]?.['snapshot'] as string, ours.answer.rows[0]?.['snapshot'] as string);
		const shown = (rows: readonly Record<string, unknown>[], rowCount: number | null) => {
			if (text.includes('pg_stat_activity')) return rows.length > 0;
			const count = /^\s*(select|update|delete|insert|with)/.test(text) ? rowCount : null;
			const found = rows.map((row) => canonicalJson(rowMode === 'array' ? Object.values(row) : comparable(row, text)));
			return { count, rows: text.includes('order by') ? found : found.sort() };
		};
		const [double, postgres] = [shown(ours.answer.rows, ours.answer.rowCount), shown(theirs.rows, theirs.rowCount)];
		if (!isDeepStrictEqual(double, postgres)) this.differences.push({ text, double, postgres });
		return theirs;
	}

	/** An epoch follows the clock, so each would give another. */
	#takeEpoch(text: string, row: Record<string, unknown> | undefined): void {
		if (!text.trimStart().startsWith('update lease set epoch') || !row) return;
		const lease = this.double.table('lease');
		const [ours] = [...lease.rows()];
		lease.put({ ...ours, epoch: row['epoch'] });
	}

	/** The tables of both are the same. */
	async compareTables(names: readonly string[]): Promise<void> {
		for (const name of names) {
			const { rows } = await this.#db.query<Record<string, unknown>>(`select * from ${name}`);
			const ours = this.double.read(parsedOf(`select * from ${name}`), []);
			const sorted = (all: readonly Record<string, unknown>[]) =>
				all
					.map((row) => comparable(row))
					.map((row) => canonicalJson(row))
					.sort();
			expect(sorted(ours), name).toEqual(sorted(rows));
		}
	}
}
