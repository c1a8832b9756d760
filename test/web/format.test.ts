import { describe, expect, it } from 'vitest';
import { formatCompact, formatDay, formatMoney, formatPrice, formatSigned } from '#web/format.ts';
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

	it('always carry their sign as profit and loss', () => {
		expect([formatSigned(15), formatSigned(-15), formatSigned(0)]).toEqual(['+15', '−15', '0']);
	});

	it('are short on price cells', () => {
		expect([formatCompact(980), formatCompact(12_400), formatCompact(1_250_000)]).toEqual(['980', '12.4k', '1.3m']);
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
