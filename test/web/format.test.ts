import { describe, expect, it, vi } from 'vitest';
import { type Minor, minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import {
	formatAmount,
	formatCompact,
	formatDay,
	formatMoney,
	formatPrice,
	formatSigned,
	formatTime,
} from '#web/format.ts';
import { TEXTS as BN } from '#web/texts/bn/first.ts';
import { TEXTS as EN } from '#web/texts/en/first.ts';
import { TEXTS as HI } from '#web/texts/hi/first.ts';

describe('amounts', () => {
	it.each([
		[123_456_750, '₹12,34,567.50'],
		[-2050, '−₹20.50'],
		[50_000, '₹500'],
		[0, '₹0'],
	])('%s minor units are written %s', (amount, text) => {
		expect(formatMoney(minorOf(amount))).toBe(text);
	});

	it('are grouped as India groups them, however long', () => {
		const india = new Intl.NumberFormat('en-IN');
		for (let amount = 1; amount < 1e13; amount = amount * 10 + 7)
			expect(formatAmount(minorOf(amount * 100))).toBe(india.format(amount));
	});

	it('always carry their sign as profit and loss', () => {
		expect([1500, -1500, 0].map((amount) => formatSigned(minorOf(amount)))).toEqual(['+15', '−15', '0']);
	});

	it('are short on price cells', () => {
		expect([98_000, 1_240_000, 125_000_000].map((amount) => formatCompact(minorOf(amount)))).toEqual([
			'980',
			'12.4k',
			'12.5L',
		]);
	});

	it('go on to the next short form where rounding takes them there', () => {
		const amounts = [999.94, 999.95, 99_949, 99_950, 1_450_000, 9_994_999, 9_995_000, 999_999_999];
		const short = new Intl.NumberFormat('en-IN', { notation: 'compact', maximumFractionDigits: 1, useGrouping: false });
		// `Intl` writes them as K or as T, by its version.
		const thousands = (text: string) => text.replace(/[KT]/, 'k');
		expect(amounts.map((amount) => formatCompact((amount * 100) as Minor))).toEqual(
			amounts.map((amount) => thousands(short.format(amount))),
		);
	});
});

describe('prices', () => {
	it.each([
		[101, '1.01'],
		[980, '9.80'],
		[1050, '10.5'],
		[100_000, '1000'],
	])('%s hundredths are written %s', (price, text) => {
		expect(formatPrice(price as Price)).toBe(text);
	});
});

describe('a time of day', () => {
	it('has two digits for hour and minute, at midnight too', () => {
		expect([
			formatTime(new Date(2026, 0, 10, 0, 5).toISOString()),
			formatTime(new Date(2026, 0, 10, 19, 30).toISOString()),
		]).toEqual(['00:05', '19:30']);
	});

	it('asks for the hours 0 to 23 by name: older browsers write 24:30 in India where it is only not of 12', async () => {
		vi.resetModules();
		const made = vi.spyOn(Intl, 'DateTimeFormat');
		try {
			const fresh = await import('#web/format.ts');
			for (const format of [fresh.formatDateTime, fresh.formatMoment]) format('2026-01-10T19:00:00Z');
			expect(made.mock.calls.map(([, options]) => options?.hourCycle)).toEqual(['h23', 'h23']);
		} finally {
			made.mockRestore();
		}
	});
});

describe('a day', () => {
	const now = new Date(2026, 0, 10, 12);
	const words = EN.matches;
	it('is said as a player says it', () => {
		expect(formatDay(new Date(2026, 0, 10, 23).toISOString(), words, now)).toBe('Today');
		expect(formatDay(new Date(2026, 0, 11, 1).toISOString(), words, now)).toBe('Tomorrow');
		expect(formatDay(new Date(2026, 0, 14).toISOString(), words, now)).toBe('Wed');
		expect(formatDay(new Date(2026, 1, 20).toISOString(), words, now)).toBe('20 Feb');
	});

	it.each([
		['en', EN],
		['hi', HI],
		['bn', BN],
	])('within a week has the name of the weekday that browsers write, in %s', (language, { matches }) => {
		const names = new Intl.DateTimeFormat(language, { weekday: 'short' });
		const days = Array.from({ length: 7 }, (_, at) => new Date(2026, 0, 11 + at));
		const said = days.map((day) =>
			formatDay(day.toISOString(), matches, new Date(day.getFullYear(), day.getMonth(), day.getDate() - 3)),
		);
		expect(said).toEqual(days.map((day) => names.format(day)));
	});
});

describe('a typed stake', () => {
	it.each([
		['500', 50_000],
		['12.5', 1250],
		['12.', 1200],
		['', null],
		['0', null],
		['-5', null],
		['1e5', null],
		['10.005', null],
		['ten', null],
		['99999999999', null],
	])('"%s" is %s minor units', (text, minor) => {
		expect(stakeMinor(text)).toBe(minor);
	});
});
