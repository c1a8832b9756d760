/** Days and months of the players' wall clock. */
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { DAY_MS } from '#values/time.ts';

/** The number of the day since 1970. */
export const dayOf = (atMs: number): number => Math.floor((atMs + INDIA_OFFSET_MS) / DAY_MS);
export const dayStartMs = (day: number): number => day * DAY_MS - INDIA_OFFSET_MS;

/** The same day and time N months later; if that month lacks the day, the excess days run into the next month. */
export function monthsAfter(atMs: number, months: number): number {
	const date = new Date(atMs + INDIA_OFFSET_MS);
	date.setUTCMonth(date.getUTCMonth() + months);
	return date.getTime() - INDIA_OFFSET_MS;
}
