/** A connection of a database that stands between a test and the real one. */
import type pg from 'pg';

type Query = (text: pg.QueryConfig | string, values?: unknown[]) => Promise<pg.QueryResult>;

/** What the exchange uses of a connection. A statement begins when the one before has its answer, as PostgreSQL does them. */
export function inOrder(query: Query) {
	let before: Promise<unknown> = Promise.resolve();
	const next: Query = (text, values) => {
		const answer = before.then(() => query(text, values));
		before = answer.catch(() => undefined);
		return answer;
	};
	return { query: next, on: () => {}, removeListener: () => {}, release: () => {} };
}
