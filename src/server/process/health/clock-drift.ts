/** How far this machine's clock is from another one, as far as one question can tell. */
import type pg from 'pg';
import { databaseTime } from '#server/platform/postgres/earlier-time.ts';

/** Ours less theirs lies between the two, milliseconds. */
export interface Drift {
	leastMs: number;
	mostMs: number;
}

/** The clocks differ by this much at least. */
export const offAtLeast = ({ leastMs, mostMs }: Drift): number => Math.round(Math.max(0, leastMs, -mostMs));

/** The best estimate of ours less theirs. */
export const middleOf = ({ leastMs, mostMs }: Drift): number => Math.round((leastMs + mostMs) / 2);

/**
 * @param askedMs when we asked, by our clock
 * @param answeredMs when we had the answer
 * @param theirs between which two readings of their clock the answer was made
 */
export const driftOf = (askedMs: number, answeredMs: number, theirs: { fromMs: number; toMs: number }): Drift => ({
	leastMs: askedMs - theirs.fromMs,
	mostMs: answeredMs - theirs.toMs,
});

/** @throws Error of the database */
export async function databaseDrift(db: Pick<pg.Pool, 'query'>): Promise<Drift> {
	const askedMs = Date.now();
	const ms = await databaseTime(db);
	return driftOf(askedMs, Date.now(), { fromMs: ms, toMs: ms });
}
