/** The price chart's geometry: step lines of chances, an axis that fits them, volume that adds up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Minor } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { chanceAt, mostLikely, type PricePoint, priceChart, RANGES, type Range } from '#web/betting/price-lines.ts';
import { continued } from '#web/store/market-queries.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const point = (minutesAgo: number, price: number, volume = 10_000): PricePoint => ({
	at: new Date(NOW - minutesAgo * 60_000).toISOString(),
	price: price as Price,
	low: price as Price,
	high: price as Price,
	volume: volume as Minor,
});
const of = (...points: PricePoint[]) => ({ runners: [{ runnerId: 'A', points }] });

describe('a line', () => {
	it('is level until the price changes, and steps there', () => {
		const [line] = priceChart(of(point(60, 200), point(30, 400)), ['A'], 'all', NOW).lines;
		expect(line?.corners).toEqual([
			{ at: 0, chance: 50 },
			{ at: 0.5, chance: 50 },
			{ at: 0.5, chance: 25 },
			{ at: 1, chance: 25 },
		]);
		expect([line?.before, line?.now]).toEqual([50, 25]);
	});

	it('begins a shorter range with the price that stood before it', () => {
		const [line] = priceChart(of(point(300, 200), point(2, 250)), ['A'], '5m', NOW).lines;
		expect(line?.corners[0]).toEqual({ at: 0, chance: 50 });
		expect(line?.now).toBe(40);
	});

	it('has at each moment the chance of the last price before it, and none before the first', () => {
		const chart = priceChart(
			{ runners: [...of(point(60, 200), point(30, 400)).runners, { runnerId: 'B', points: [point(15, 500)] }] },
			['A', 'B'],
			'all',
			NOW,
		);
		const [first, second] = chart.lines;
		if (!first || !second) throw new Error('A line is missing.');
		expect([0, 0.49, 0.5, 1].map((at) => chanceAt(first, at))).toEqual([50, 50, 25, 25]);
		expect([0, 0.74, 0.75].map((at) => chanceAt(second, at))).toEqual([null, null, 20]);
	});

	it('is none of a runner that was never traded', () => {
		expect(priceChart(of(), ['A'], 'all', NOW).lines).toEqual([]);
	});
});

it('random trades stay on the axis and in time, and the bars add up to the range’s volume', () => {
	const points = fc.array(
		fc.record({ ago: fc.integer({ min: 0, max: 400 }), price: fc.integer({ min: 101, max: 100_000 }) }),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(points, fc.constantFrom(...(Object.keys(RANGES) as Range[])), (drawn, range) => {
			const sorted = drawn.toSorted((one, other) => other.ago - one.ago).map(({ ago, price }) => point(ago, price));
			const chart = priceChart(of(...sorted), ['A'], range, NOW);
			expect(chart.high - chart.low).toBeGreaterThanOrEqual(10);
			for (const { corners } of chart.lines) {
				expect(corners.map(({ at }) => at)).toEqual(corners.map(({ at }) => at).toSorted((one, other) => one - other));
				for (const { at, chance } of corners) {
					expect(at >= 0 && at <= 1 && chance >= chart.low && chance <= chart.high).toBe(true);
				}
			}
			const within = sorted.filter(({ at }) => Date.parse(at) >= chart.fromMs);
			const sum = chart.volumes.reduce((total, share) => total + share * chart.mostVolume, 0);
			expect(sum).toBeCloseTo(
				within.reduce((total, { volume }) => total + volume, 0),
				3,
			);
		}),
	);
});

describe('chances of a market with one winner', () => {
	// A at 2.0 is 50 %, B at 4.0 25 %, C at 5.0 20 %; B's trade at 2.5 half an hour later makes 40 % of it.
	const runners = [
		{ runnerId: 'A', points: [point(60, 200)] },
		{ runnerId: 'B', points: [point(60, 400), point(30, 250)] },
		{ runnerId: 'C', points: [point(60, 500)] },
	];

	it('add up to a hundred at every moment, on an axis from nought to there', () => {
		const chart = priceChart({ runners }, ['A', 'B', 'C'], 'all', NOW, ['A', 'B', 'C']);
		const at = (share: number) => chart.lines.map((line) => Math.round((chanceAt(line, share) ?? 0) * 10) / 10);
		expect([chart.low, chart.high]).toEqual([0, 100]);
		expect(at(0.2)).toEqual([52.6, 26.3, 21.1]);
		// A trade of one moves all.
		expect(at(0.8)).toEqual([45.5, 36.4, 18.2]);
	});

	it('leave out a runner that was withdrawn, and stand as traded while another was never traded', () => {
		const without = priceChart({ runners }, ['A', 'B'], 'all', NOW, ['A', 'B']);
		expect(without.lines.map(({ now }) => Math.round(now * 10) / 10)).toEqual([55.6, 44.4]);
		const unknown = priceChart({ runners }, ['A', 'B'], 'all', NOW, ['A', 'B', 'C', 'D']);
		expect(unknown.lines.map(({ now }) => now)).toEqual([50, 40]);
	});

	it('add up however often was traded, and a line has no more corners than a chart has pixels', () => {
		const many = ['A', 'B', 'C'].map((runnerId, of) => ({
			runnerId,
			points: Array.from({ length: 3000 }, (_, at) => point(300 - at / 10, 150 + ((at * (of + 3)) % 600))),
		}));
		const chart = priceChart({ runners: many }, ['A', 'B', 'C'], 'all', NOW, ['A', 'B', 'C']);
		for (let share = 0.01; share <= 1; share += 0.01) {
			const sum = chart.lines.reduce((total, line) => total + (chanceAt(line, share) ?? 0), 0);
			expect(sum).toBeCloseTo(100, 6);
		}
		for (const { corners } of chart.lines) expect(corners.length).toBeLessThan(900);
	});
});

it('the likeliest runners have lines, in the order of the market', () => {
	const runners = [500, 200, 1_000, 300].map((price, at) => ({ runnerId: String(at), points: [point(1, price)] }));
	expect(mostLikely({ runners }, 2)).toEqual(['1', '3']);
});

describe('updates of the hub', () => {
	const held = { ...of(point(3, 200), point(1, 210)), marks: [] };
	it('replaces a point that grew, appends a later one, and leaves out an older one', () => {
		const grown = continued(held, [{ runnerId: 'A', ...point(1, 220, 500) }]).runners[0]?.points;
		expect(grown?.map(({ price }) => price)).toEqual([200, 220]);
		expect(continued(held, [{ runnerId: 'A', ...point(0, 230) }]).runners[0]?.points).toHaveLength(3);
		expect(continued(held, [{ runnerId: 'A', ...point(2, 230) }])).toEqual(held);
		expect(continued(held, [{ runnerId: 'B', ...point(0, 230) }])).toEqual(held);
	});
});
