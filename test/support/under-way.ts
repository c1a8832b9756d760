/** Acts of operators about one brand that are under way at the same time. */
import type pg from 'pg';
import { expect } from 'vitest';

/** Resolves when that number of acts of the name has begun. */
export type Begun = (act: string, count: number) => Promise<unknown>;

/**
 * The answers to requests that are under way together, since the row of the brand is held until all of them have begun.
 * @param ask sends them, and waits until they have begun
 */
export async function underWayTogether(
	db: pg.Pool,
	host: string,
	ask: (begun: Begun) => Promise<Promise<string>[]>,
): Promise<string[]> {
	const holding = await db.connect();
	const begun: Begun = (act, count) =>
		expect.poll(async () => (await db.query('select from act_under_way where act = $1', [act])).rowCount).toBe(count);
	try {
		await holding.query('begin');
		await holding.query('select from brand where host = $1 for update', [host]);
		const asked = await ask(begun);
		await holding.query('rollback');
		return await Promise.all(asked);
	} finally {
		holding.release(true);
	}
}
