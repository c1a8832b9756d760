/** A database between a test and the real one. */
import type pg from 'pg';
import { writesBatch } from '#server/exchange/ledger/batch-statement.ts';
import { inOrder } from '../support/connection-in-order.ts';

/** A database that stops at statements of a test's choice: each waits until its gate opens. */
export class GatedDatabase {
	readonly #db: pg.Pool;
	#gate: { text: string; reached: () => void; opened: Promise<void>; when: 'before' | 'after' } | null = null;

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** Stops the next statement that contains the text. */
	stop(text: string, when: 'before' | 'after' = 'before'): { reached: Promise<void>; open: () => void } {
		const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		this.#gate = { text, reached: reached.resolve, opened: opened.promise, when };
		return { reached: reached.promise, open: opened.resolve };
	}

	/** The exchange only sends queries. Those of one connection are done in their order, so one waits for the gate of another. */
	asDatabase(): pg.Pool {
		const query = (text: pg.QueryConfig | string, values?: unknown[]) => this.#query(text, values);
		const connect = async () => {
			const connection = inOrder(query);
			// A statement that is only planned would stand before the batch that a test stops, so it has its answer at once.
			const isPlanned = (text: pg.QueryConfig | string) =>
				typeof text !== 'string' && text.name !== undefined && !writesBatch(text);
			const queryInOrder = async (text: pg.QueryConfig | string, values?: unknown[]) =>
				isPlanned(text) ? { rows: [] } : await connection.query(text, values);
			return { ...connection, query: queryInOrder };
		};
		return { query, connect } as unknown as pg.Pool;
	}

	async #query(query: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
		const gate = this.#gate;
		const isStopped = gate !== null && (typeof query === 'string' ? query : query.text).includes(gate.text);
		if (isStopped) this.#gate = null;
		const pass = async () => {
			gate?.reached();
			await gate?.opened;
		};
		if (isStopped && gate.when === 'before') await pass();
		const answer = await this.#db.query(query as string, values);
		if (isStopped && gate.when === 'after') await pass();
		return answer;
	}
}
