/** The calendar of time zones, by hand, and by another format on each day of a year. */
import { expect, it } from 'vitest';
import { DAY_MS } from '#values/time.ts';
import { startOfDate, startsOf } from '#values/zoned-calendar.ts';

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
