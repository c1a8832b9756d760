/** Days and months of the players' wall clock, India's: five and a half hours ahead of UTC. */
export const DAY_MS = 86_400_000;
const OFFSET_MS = 5.5 * 3_600_000;

/** The number of the day since 1970. */
export const dayOf = (atMs: number): number => Math.floor((atMs + OFFSET_MS) / DAY_MS);
export const dayStartMs = (day: number): number => day * DAY_MS - OFFSET_MS;

/** The same day and time so many months later; for a day that the month lacks, as many days into the next month. */
export function monthsAfter(atMs: number, months: number): number {
	const date = new Date(atMs + OFFSET_MS);
	date.setUTCMonth(date.getUTCMonth() + months);
	return date.getTime() - OFFSET_MS;
}
