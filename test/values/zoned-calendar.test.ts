/** The calendar of time zones, by hand, and by another format on each day of a year. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import {
	dayName,
	dayNumber,
	dayOf,
	dayStart,
	daysBetween,
	hoursBetween,
	isZone,
	monthsAfter,
	monthsBetween,
	startOfDate,
	startsOf,
} from '#values/zoned-calendar.ts';

const iso = (atMs: number) => new Date(atMs).toISOString();

it.each([
	['London in winter', '2026-12-01T00:30:00Z', 'Europe/London', ['2026-12-01', '2026-11-30', '2026-12-01'], '00:00'],
	['London in summer', '2026-07-01T22:59:00Z', 'Europe/London', ['2026-06-30', '2026-06-28', '2026-06-30'], '23:00'],
	['India', '2026-02-28T18:30:00Z', 'Asia/Kolkata', ['2026-02-28', '2026-02-22', '2026-02-28'], '18:30'],
] as const)('day, week and month begin at the midnight of %s', (_, at, zone, days, time) => {
	const { day, week, month } = startsOf(Date.parse(at), zone);
	expect([day, week, month].map(iso)).toEqual(days.map((date) => `${date}T${time}:00.000Z`));
});

it('a week over the change of the clocks begins on its Monday, by the clock of that day', () => {
	// London's clocks go back on Sunday, 25 October 2026.
	const { day, week } = startsOf(Date.parse('2026-10-25T12:00:00Z'), 'Europe/London');
	expect([iso(day), iso(week)]).toEqual(['2026-10-24T23:00:00.000Z', '2026-10-18T23:00:00.000Z']);
	expect(iso(startsOf(Date.parse('2026-10-31T12:00:00Z'), 'Europe/London').week)).toBe('2026-10-26T00:00:00.000Z');
});

it.each(['Europe/London', 'America/Toronto', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Cairo'])(
	'each day of a year begins with its first instant, in %s',
	(zone) => {
		const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
		for (let utcMs = Date.parse('2026-01-01'); utcMs < Date.parse('2027-01-01'); utcMs += DAY_MS) {
			const date = iso(utcMs).slice(0, 10);
			const startMs = startOfDate(date, zone);
			expect([dateOf.format(startMs), dateOf.format(startMs - 1) < date]).toEqual([date, true]);
		}
	},
);

it.each([
	['Europe/London', '2026-03-29', 23],
	['Europe/London', '2026-10-25', 25],
	['America/New_York', '2026-11-01', 25],
	['Australia/Lord_Howe', '2026-04-05', 24.5],
	['Africa/Cairo', '2026-04-24', 23],
	['Asia/Kolkata', '2026-03-29', 24],
] as const)('a day of %s, %s, has %d hours', (zone, name, hours) => {
	const day = dayNumber(name);
	const [from, to] = daysBetween(day, day, zone);
	expect([from?.name, (to?.fromMs ?? 0) - (from?.fromMs ?? 0)]).toEqual([name, hours * HOUR_MS]);
	expect([dayOf(from?.fromMs ?? 0, zone), dayOf((to?.fromMs ?? 0) - 1, zone)]).toEqual([day, day]);
});

it('an hour that the clocks show twice lasts two hours, and one that they leave out is none', () => {
	const lengths = (name: string) => {
		const day = dayNumber(name);
		const hours = hoursBetween(day, day, 'Europe/London');
		return hours
			.slice(0, 4)
			.map((hour, at) => [hour.name.slice(11), ((hours[at + 1]?.fromMs ?? 0) - hour.fromMs) / HOUR_MS]);
	};
	expect(lengths('2026-10-25')).toEqual([
		['00:00', 1],
		['01:00', 2],
		['02:00', 1],
		['03:00', 1],
	]);
	expect(lengths('2026-03-29')).toEqual([
		['00:00', 1],
		['02:00', 1],
		['03:00', 1],
		['04:00', 1],
	]);
});

it.each(['Australia/Lord_Howe', 'Africa/Cairo'])(
	'each quarter of an hour of a year is in the day and the hour that the clocks of %s show',
	{ tags: 'thorough' },
	(zone) => {
		const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
		const [first, last] = [dayNumber('2026-01-01'), dayNumber('2026-12-31')];
		const hours = hoursBetween(first, last, zone);
		let at = 0;
		for (let ms = dayStart(first, zone); ms < dayStart(last + 1, zone); ms += HOUR_MS / 4) {
			while ((hours[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY) <= ms) at++;
			const shown = format.format(ms);
			if (hours[at]?.name !== `${shown.slice(0, 13)}:00` || dayName(dayOf(ms, zone)) !== shown.slice(0, 10))
				expect.fail(`${iso(ms)} is ${shown}, and not in ${hours[at]?.name}`);
		}
	},
);

it('months begin at the zone’s midnight, and end with the month of the last day', () => {
	const months = monthsBetween(dayNumber('2026-03-30'), dayNumber('2026-04-02'), 'Europe/London');
	expect(months.map(({ name, fromMs }) => [name, iso(fromMs)])).toEqual([
		['2026-03', '2026-03-01T00:00:00.000Z'],
		['2026-04', '2026-03-31T23:00:00.000Z'],
		['2026-05', '2026-04-30T23:00:00.000Z'],
	]);
});

it.each([
	// In UTC it is still February.
	['Asia/Kolkata', '2026-03-01T01:00+05:30', 6, '2026-09-01T01:00+05:30'],
	// A day that a month lacks is no earlier one.
	['Asia/Kolkata', '2026-08-31T12:00+05:30', 6, '2027-03-03T12:00+05:30'],
	['Asia/Kolkata', '2028-02-29T12:00+05:30', 12, '2029-03-01T12:00+05:30'],
	// The clocks say noon again, an hour earlier or later by UTC.
	['Europe/London', '2026-09-26T12:00+01:00', 6, '2027-03-26T12:00+00:00'],
	['Europe/London', '2026-01-15T12:00+00:00', 6, '2026-07-15T12:00+01:00'],
	// Half past one comes twice: no exclusion ends early. And on the day when it does not come, it ends after the change.
	['Europe/London', '2026-04-25T01:30+01:00', 6, '2026-10-25T01:30+00:00'],
	['Europe/London', '2025-09-29T01:30+01:00', 6, '2026-03-29T02:30+01:00'],
] as const)('in %s, %s and %d months is %s', (zone, from, months, to) => {
	expect(iso(monthsAfter(Date.parse(from), months, zone))).toBe(iso(Date.parse(to)));
});

it('a zone is a place or UTC, and no offset, abbreviation or path', () => {
	expect(['Europe/London', 'America/Argentina/Buenos_Aires', 'UTC'].filter(isZone)).toHaveLength(3);
	expect(['+05:30', 'IST', 'Europe/Atlantis', 'europe/london', '../etc', '', 'Etc/GMT+5'].filter(isZone)).toEqual([]);
});
