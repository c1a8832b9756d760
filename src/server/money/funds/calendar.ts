/** Days and months of the players' wall clock. */
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** The batches' time never goes back, so a day is closed by a later batch, or, on an idle server, by this margin. */
const MARGIN_MS = HOUR_MS;

/** The number of the day since 1970. */
export const dayOf = (atMs: number): number => Math.floor((atMs + INDIA_OFFSET_MS) / DAY_MS);
export const dayStartMs = (day: number): number => day * DAY_MS - INDIA_OFFSET_MS;

/** A day as `2026-11-25`. */
export const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
export const dayNumber = (name: string): number => Date.parse(name) / DAY_MS;

/** The first day that is not closed: postings of all days before it are complete. @param lastBatchMs time of the last batch */
export const firstOpenDay = (lastBatchMs: number, nowMs: number): number =>
	Math.max(dayOf(lastBatchMs), dayOf(nowMs - MARGIN_MS));

/** The same day and time N months later; if that month lacks the day, the excess days run into the next month. */
export function monthsAfter(atMs: number, months: number): number {
	const date = new Date(atMs + INDIA_OFFSET_MS);
	date.setUTCMonth(date.getUTCMonth() + months);
	return date.getTime() - INDIA_OFFSET_MS;
}
