/**
 * How a connection's statements reach the driver: by callbacks, with their limits in time kept here.
 *
 * For a promise or a limit the driver assigns a function literal to a property of the statement, and V8 allocates such a
 * function among the old objects. It holds the statement and what led to it, and until the next full collection every
 * collection of the young objects copies all of that, though it is garbage. At 2,000 bets a second this was a seventh of what
 * was allocated, and stopped the process for 5 to 18 ms every half second; a function that is passed on stops it for one.
 */
import type pg from 'pg';
import type { LimitedQuery } from '#server/platform/postgres/limited-queries.ts';

type Done = (error: Error | null | undefined, result?: pg.QueryResult) => void;
type DriverQuery = (config: LimitedQuery, done: Done) => void;

/**
 * A statement without its answer at its own limit, or else at that of its pool, fails; its connection ends.
 * @param limitMs the pool's limit as it is when the statement is sent; undefined or 0 for none
 */
export function queryByCallbacks(client: pg.PoolClient, limitMs: () => number | undefined): void {
	// What follows is not among the types of the driver.
	const send: DriverQuery = Reflect.get(client, 'query').bind(client);
	const parameters: object = Reflect.get(client, 'connectionParameters');
	const connection: { stream: { destroy(): void } } = Reflect.get(client, 'connection');
	// The driver keeps no limit.
	Object.defineProperty(parameters, 'query_timeout', { value: 0 });

	const sendLimited = (config: LimitedQuery, done: Done): void => {
		const { query_timeout: own, ...statement } = config;
		const most = own || limitMs();
		if (!most) {
			send(statement, done);
			return;
		}
		let hasPassed = false;
		const timer = setTimeout(() => {
			hasPassed = true;
			done(new Error('Query read timeout'));
			// What the statement does is unknown, and those behind it would be answered for it.
			connection.stream.destroy();
		}, most);
		send(statement, (error, result) => {
			clearTimeout(timer);
			if (!hasPassed) done(error, result);
		});
	};

	const answered = async (config: LimitedQuery): Promise<pg.QueryResult> => {
		try {
			return await new Promise<pg.QueryResult>((resolve, reject) => {
				sendLimited(config, (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult)));
			});
		} catch (error) {
			// The driver's stack begins at its socket: this one leads to who asked.
			Error.captureStackTrace(error as Error);
			throw error;
		}
	};

	const query = (
		text: string | LimitedQuery,
		values?: unknown[] | Done,
		done?: Done,
	): Promise<pg.QueryResult> | undefined => {
		const config: LimitedQuery = typeof text === 'string' ? { text } : { ...text };
		if (Array.isArray(values)) config.values = values;
		const callback = typeof values === 'function' ? values : done;
		if (!callback) return answered(config);
		sendLimited(config, callback);
		return undefined;
	};
	Object.assign(client, { query });
}
