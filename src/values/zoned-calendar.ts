/**
 * Days, hours and months of a time zone, with its changes to summer time and back: a day has 23, 24 or 25 hours. Zones
 * are IANA names, times are milliseconds since 1970, and days are numbered from 1 January 1970 of the zone's own
 * calendar. The runtime's table of zones decides everywhere, so that the database never has another midnight.
 */
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** Of a brand that has chosen no zone. */
export const HOME_ZONE = 'Asia/Kolkata';

/** The changes of all zones, and so their midnights and hours, fall on quarters of an hour. */
export const QUARTER_MS = HOUR_MS / 4;

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

/** An area and a place, such as America/Sao_Paulo, or UTC: neither an offset, which has no summer time, nor an abbreviation. */
export function isZone(name: string): boolean {
	if (!/^(UTC|[A-Z][A-Za-z]+(\/[A-Z][A-Za-z_-]+){1,2})$/.test(name)) return false;
	try {
		formatOf(name);
		return true;
	} catch {
		return false;
	}
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

const twoDigits = (number: number): string => String(number).padStart(2, '0');

const dayOfWall = (wall: number): number => Math.floor(wall / DAY_MS);

/** The first instant of a day of the zone, given as the day's midnight of a wall clock. A day may begin at one o'clock. */
function firstInstant(midnight: number, zone: string): number {
	const offsetMs = wallMs(midnight, zone) - midnight;
	const near = midnight - offsetMs;
	// The offset at the day's start differs from that at UTC's midnight on the day of a change, by an hour or two.
	for (let atMs = near - 2 * HOUR_MS; ; atMs += HOUR_MS / 2)
		if (dayOfWall(wallMs(atMs, zone)) >= dayOfWall(midnight)) return atMs;
}

/** The hour of the zone's wall clock, 0 to 23. */
export const hourOf = (atMs: number, zone: string): number => wallOf(atMs, zone)['hour'] ?? 0;

/** The number of the day in which an instant lies. */
export const dayOf = (atMs: number, zone: string): number => dayOfWall(wallMs(atMs, zone));
/** The first instant of a day by its number. */
export const dayStart = (day: number, zone: string): number => firstInstant(day * DAY_MS, zone);
/** A day by its number, such as 2026-09-30. */
export function dayName(day: number): string {
	const { year = 0, month = 0, day: date = 0 } = wallOf(day * DAY_MS, 'UTC');
	return `${year}-${twoDigits(month)}-${twoDigits(date)}`;
}
/** @param name such as 2026-09-30 */
export const dayNumber = (name: string): number => Date.parse(`${name}T00:00:00Z`) / DAY_MS;
/** The batches' time never goes back, so a day is closed by a later batch, or, on an idle server, by this margin. */
const MARGIN_MS = HOUR_MS;

/**
 * The first day that is not closed: postings of all days before it are complete.
 * @param lastBatchMs time of the last batch; one that a clock ahead stamped closes no day that is not over
 * @param nowMs as `earlierTime` has it
 */
export const firstOpenDay = (lastBatchMs: number, nowMs: number, zone: string): number =>
	Math.max(dayOf(Math.min(lastBatchMs, nowMs), zone), dayOf(nowMs - MARGIN_MS, zone));

/** @param day such as 2026-09-30 */
export const startOfDate = (day: string, zone: string): number => dayStart(dayNumber(day), zone);

/** The starts of the day, of the week from Monday on, and of the month in which an instant lies. */
export function startsOf(atMs: number, zone: string): { day: number; week: number; month: number } {
	const { year = 0, month = 1, day = 1 } = wallOf(atMs, zone);
	const startOf = (date: number) => firstInstant(Date.UTC(year, month - 1, date), zone);
	// The days are counted from 1 January 1970, a Thursday.
	const sinceMonday = (dayOfWall(Date.UTC(year, month - 1, day)) + 3) % 7;
	return { day: startOf(day), week: startOf(day - sinceMonday), month: startOf(1) };
}

/**
 * The same day and time N months later; if that month lacks the day, the excess days run into the next month. Of a time
 * that the clocks show twice the later one, and of one that they leave out the one as long after the change.
 */
export function monthsAfter(atMs: number, months: number, zone: string): number {
	const belowSecond = atMs % 1000;
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = wallOf(atMs, zone);
	const wall = Date.UTC(year, month - 1 + months, day, hour, minute, second);
	const offsets = [-DAY_MS, DAY_MS].map((aside) => wallMs(wall + aside, zone) - (wall + aside));
	const shown = offsets.map((offset) => wall - offset).filter((at) => wallMs(at, zone) === wall);
	return (shown.length > 0 ? Math.max(...shown) : wall - (offsets[0] ?? 0)) + belowSecond;
}

/** A stretch of a zone's calendar from its first instant to that of the next one. */
export interface Span {
	name: string;
	fromMs: number;
}

/** Days of a zone, both included, and the one after them. */
export const daysBetween = (first: number, last: number, zone: string): Span[] =>
	Array.from({ length: Math.max(0, last - first + 2) }, (_, at) => ({
		name: dayName(first + at),
		fromMs: dayStart(first + at, zone),
	}));

/** The same by month, such as 2026-09, from the month of the first day to that after the last day's. */
export function monthsBetween(first: number, last: number, zone: string): Span[] {
	const { year = 0, month = 1 } = wallOf(first * DAY_MS, 'UTC');
	const spans: Span[] = [];
	for (let at = month - 1; ; at++) {
		const start = Date.UTC(year, at, 1);
		const name = dayName(start / DAY_MS).slice(0, 'yyyy-mm'.length);
		spans.push({ name, fromMs: firstInstant(start, zone) });
		if (start > last * DAY_MS) return spans;
	}
}

/**
 * The hours of days, both included, such as "2026-10-25 01:00", and the first hour of the day after them. An hour that
 * the clocks show twice is one of two hours, and one that they leave out is none.
 */
export function hoursBetween(first: number, last: number, zone: string): Span[] {
	const days = daysBetween(first, last, zone);
	const end = days.at(-1);
	const hours = days.flatMap(({ name, fromMs }, at) => {
		const untilMs = days[at + 1]?.fromMs;
		if (untilMs === undefined) return [];
		// Only a day on which the clocks change has its hours looked up one by one.
		const stepMs = untilMs - fromMs === DAY_MS ? HOUR_MS : QUARTER_MS;
		const spans: Span[] = [];
		for (let atMs = fromMs; atMs < untilMs; atMs += stepMs) {
			const hour = stepMs === HOUR_MS ? (atMs - fromMs) / HOUR_MS : (wallOf(atMs, zone)['hour'] ?? 0);
			const hourName = `${name} ${twoDigits(hour)}:00`;
			if (spans.at(-1)?.name !== hourName) spans.push({ name: hourName, fromMs: atMs });
		}
		return spans;
	});
	return end ? [...hours, { name: `${end.name} 00:00`, fromMs: end.fromMs }] : hours;
}
