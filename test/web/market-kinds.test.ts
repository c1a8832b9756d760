/** How the market page groups a match's markets, and the line of a fancy that it shows first. */
import { describe, expect, it } from 'vitest';
import { minorOf, ZERO } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Market } from '#web/api/answers.ts';
import { quotingOf } from '#web/betting/quoting.ts';
import { grouped, groupOf, mainLine, offeredLines } from '#web/features/market/market-kinds.ts';
import type { RunnerPrices } from '#web/live/prices/price-book.ts';

const market = (id: string, type: string, bettingModel: Market['bettingModel']) =>
	({ id, type, bettingModel }) as Market;

const prices = (yes: number | null, no: number | null): RunnerPrices => ({
	back: yes === null ? [] : [{ price: Math.round(yes * 100) as Price, size: minorOf(100) }],
	lay: no === null ? [] : [{ price: Math.round(no * 100) as Price, size: minorOf(100) }],
	lastPriceTraded: null,
	totalMatched: ZERO,
	status: 'ACTIVE',
});

describe('the kinds of markets', () => {
	it('come in the page’s order, each with its markets as they were listed, and none that is empty', () => {
		const groups = grouped([
			market('1', 'SESSION_RUNS', 'FANCY'),
			market('2', 'CORRECT_SCORE', 'EXCHANGE'),
			market('3', 'MATCH_ODDS', 'EXCHANGE'),
			market('4', 'ODD_EVEN', 'FANCY'),
			market('5', 'BOOKMAKER', 'BOOKMAKER'),
		]);
		expect(groups.map(({ group, markets }) => [group, markets.map(({ id }) => id)])).toEqual([
			['ODDS', ['3']],
			['BOOKMAKER', ['5']],
			['FANCY', ['1', '4']],
			['SCORE', ['2']],
		]);
	});

	it('have a place for an unknown type', () => {
		expect(groupOf({ type: 'FIRST_GOAL', bettingModel: 'EXCHANGE' })).toBe('OTHER');
		expect(groupOf({ type: 'NEXT_BALL', bettingModel: 'FANCY' })).toBe('FANCY');
	});

	it('are quoted as their players read them: a bookmaker in decimals in football, per 100 in cricket', () => {
		const bookmaker = { bettingModel: 'BOOKMAKER' } as const;
		expect(quotingOf(bookmaker, { sportId: 1 })).toBe('ODDS');
		expect(quotingOf(bookmaker, { sportId: 3 })).toBe('RATE');
		expect(quotingOf({ bettingModel: 'FANCY', lines: [1] }, { sportId: 3 })).toBe('LINE');
		expect(quotingOf({ bettingModel: 'FANCY' }, { sportId: 3 })).toBe('RATE');
		expect(quotingOf({ bettingModel: 'EXCHANGE' }, { sportId: 3 })).toBe('ODDS');
	});
});

describe('a fancy’s lines', () => {
	const book = {
		runners: new Map([
			['45', prices(1.5, 1.6)],
			['46', prices(1.95, 2.05)],
			['47', prices(2, null)],
			['48', prices(null, null)],
		]),
	};
	const offered = offeredLines([44, 45, 46, 47, 48], book);

	it('are those on which something can be taken', () => {
		expect(offered.map(({ line }) => line)).toEqual([45, 46, 47]);
		expect(offeredLines([44], null)).toEqual([]);
	});

	it('are headed by the one nearest to evens that can be taken both ways', () => {
		expect(mainLine(offered)?.line).toBe(46);
		expect(mainLine(offered.filter(({ line }) => line === 47))?.line).toBe(47);
		expect(mainLine([])).toBeNull();
	});
});
