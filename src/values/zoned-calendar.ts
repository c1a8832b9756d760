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

/** The wall clock of the zone as if it were UTC's. */
function wallMs(atMs: number, zone: string): number {
	const parts = Object.fromEntries(
		formatOf(zone)
			.formatToParts(atMs)
			.map(({ type, value }) => [type, Number(value)]),
	);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
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
	const wall = new Date(wallMs(atMs, zone));
	const [year, month, date] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
	const sinceMonday = (wall.getUTCDay() + 6) % 7;
	const startOf = (dateOfMonth: number) => firstInstant(Date.UTC(year, month, dateOfMonth), zone);
	return { day: startOf(date), week: startOf(date - sinceMonday), month: startOf(1) };
}
