/** Days, weeks and months of a time zone, with its changes to summer time and back. Times are milliseconds since 1970. */
import { DAY_MS, HOUR_MS } from '#values/time.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes longer than using it a hundred times. */
function formatOf(zone: string): Intl.DateTimeFormat {
	const known = formats.get(zone);
	if (known) return known;
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	formats.set(zone, format);
	return format;
}

/** The numbers of the zone's wall clock, by their names. */
const wallOf = (atMs: number, zone: string): Record<string, number> =>
	Object.fromEntries(
		formatOf(zone)
			.formatToParts(atMs)
			.map(({ type, value }) => [type, Number(value)]),
	);

/** The wall clock of the zone as if it were UTC's. */
function wallMs(atMs: number, zone: string): number {
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = wallOf(atMs, zone);
	return Date.UTC(year, month - 1, day, hour, minute, second);
}

const dayOfWall = (wall: number): number => Math.floor(wall / DAY_MS);

/** The first instant of a day of the zone, given as the day's midnight of a wall clock. A day may begin at one o'clock. */
function firstInstant(midnight: number, zone: string): number {
	const offsetMs = wallMs(midnight, zone) - midnight;
	const near = midnight - offsetMs;
	// The offset at the day's start differs from that at UTC's midnight on the day of a change, by an hour or two.
	for (let atMs = near - 2 * HOUR_MS; ; atMs += HOUR_MS / 2)
		if (dayOfWall(wallMs(atMs, zone)) >= dayOfWall(midnight)) return atMs;
}

/** @param day such as 2026-09-30 */
export const startOfDate = (day: string, zone: string): number => firstInstant(Date.parse(`${day}T00:00:00Z`), zone);

/** The starts of the day, of the week from Monday on, and of the month in which an instant lies. */
export function startsOf(atMs: number, zone: string): { day: number; week: number; month: number } {
	const { year = 0, month = 1, day = 1 } = wallOf(atMs, zone);
	const startOf = (date: number) => firstInstant(Date.UTC(year, month - 1, date), zone);
	// The days are counted from 1 January 1970, a Thursday.
	const sinceMonday = (dayOfWall(Date.UTC(year, month - 1, day)) + 3) % 7;
	return { day: startOf(day), week: startOf(day - sinceMonday), month: startOf(1) };
}
