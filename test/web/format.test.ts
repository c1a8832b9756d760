import { describe, expect, it } from 'vitest';
import {
	formatAmount,
	formatCompact,
	formatDay,
	formatMoney,
	formatPrice,
	formatSigned,
	formatTime,
} from '#web/format.ts';
import { stakePaise } from '#web/store/slip.ts';

describe('amounts', () => {
	it.each([
		[1_234_567.5, '₹12,34,567.50'],
		[-20.5, '−₹20.50'],
		[500, '₹500'],
		[0, '₹0'],
		[-0.001, '₹0'],
	])('%s is written %s', (amount, text) => {
		expect(formatMoney(amount)).toBe(text);
	});

	it('are grouped as India groups them, however long', () => {
		const india = new Intl.NumberFormat('en-IN');
		for (let amount = 1; amount < 1e13; amount = amount * 10 + 7)
			expect(formatAmount(amount)).toBe(india.format(amount));
	});

	it('always carry their sign as profit and loss', () => {
		expect([formatSigned(15), formatSigned(-15), formatSigned(0)]).toEqual(['+15', '−15', '0']);
	});

	it('are short on price cells', () => {
		expect([formatCompact(980), formatCompact(12_400), formatCompact(1_250_000)]).toEqual(['980', '12.4k', '1.3m']);
	});

	it('go on to the next short form where rounding takes them there', () => {
		const amounts = [999.94, 999.95, 999_949, 999_950, 1_450_000, 999_999_999, 2_500_000_000_000];
		const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1, useGrouping: false });
		const thousands = (text: string) => text.toLowerCase().replace('2.5t', '2500b');
		expect(amounts.map(formatCompact)).toEqual(amounts.map((amount) => thousands(short.format(amount))));
	});
});

describe('prices', () => {
	it.each([
		[1.01, '1.01'],
		[9.8, '9.80'],
		[10.5, '10.5'],
		[1000, '1000'],
	])('%s is written %s', (price, text) => {
		expect(formatPrice(price)).toBe(text);
	});
});

describe('a time of day', () => {
	it('has two digits for hour and minute, at midnight too', () => {
		expect([
			formatTime(new Date(2026, 0, 10, 0, 5).toISOString()),
			formatTime(new Date(2026, 0, 10, 19, 30).toISOString()),
		]).toEqual(['00:05', '19:30']);
	});
});

describe('a day', () => {
	const now = new Date(2026, 0, 10, 12);
	const words = { today: 'Today', tomorrow: 'Tomorrow' };
	it('is said as a player says it', () => {
		expect(formatDay(new Date(2026, 0, 10, 23).toISOString(), words, now)).toBe('Today');
		expect(formatDay(new Date(2026, 0, 11, 1).toISOString(), words, now)).toBe('Tomorrow');
		expect(formatDay(new Date(2026, 0, 14).toISOString(), words, now)).toBe('Wed');
		expect(formatDay(new Date(2026, 1, 20).toISOString(), words, now)).toBe('20 Feb');
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
	])('"%s" is %s paise', (text, paise) => {
		expect(stakePaise(text)).toBe(paise);
	});
});
