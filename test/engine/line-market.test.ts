/** Markets whose prices are lines: bought above, sold below, equality void, all at evens. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketType } from '#engine/market-types/all-market-types.ts';
import { addMatched, addUnmatched, emptyFigures, exposureMinor, netIfWins } from '#values/exposure.ts';
import { ON_A_LINE } from '#values/figures.ts';
import { type LineRange, linesOf } from '#values/line-range.ts';
import { ladderOf } from '#values/price-ladder.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

/** 160 to 170 runs in steps of half a run: whole lines and lines between them. */
const RUNS: LineRange = { min: 16_000, max: 17_000, interval: 50 };

function totals(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const scene = new ExchangeScene();
	scene.openMarket({ runners: 1, numberOfWinners: ON_A_LINE, ladder: RUNS, ...terms });
	scene.players(100_000, [11, 12, 13, 14]);
	return scene;
}
const buy = (scene: ExchangeScene, player: number, line: number, stake: number, terms = {}) =>
	scene.lay(player, 0, line, stake, terms);
const sell = (scene: ExchangeScene, player: number, line: number, stake: number, terms = {}) =>
	scene.back(player, 0, line, stake, terms);
const settleAt = (scene: ExchangeScene, value: number, range = RUNS) =>
	scene.apply({
		kind: 'settle-market',
		atMs: 0,
		marketId: MARKET,
		results: marketType('LINE').resultOf({ value }, { runners: 1, lineRange: range }) ?? [],
	});
const gain = (scene: ExchangeScene, player: number) => (scene.cash(player) ?? 0) - 100_000;
const survives = (scene: ExchangeScene) => expect(scene.effects.rebuild().hash()).toBe(scene.engine.hash());

describe('a line', () => {
	it.each([
		[164, -1000],
		[165, 0],
		[166, 1000],
	])('of 165 that is bought pays at %i runs %i', (runs, profit) => {
		const scene = totals();
		sell(scene, 11, 165, 1000);
		buy(scene, 12, 165, 1000);
		expect([scene.exposure(11), scene.exposure(12)]).toEqual([1000, 1000]);
		survives(scene);
		expect(settleAt(scene, runs)).toEqual({ ok: true });
		expect([gain(scene, 12), gain(scene, 11)]).toEqual([profit, 0 - profit]);
		survives(scene);
	});

	it('equal to the number voids its bets, each of them once', () => {
		const scene = totals();
		sell(scene, 11, 165, 1000);
		buy(scene, 12, 165, 1000);
		settleAt(scene, 165);
		expect(scene.effects.voids).toEqual([
			{ betId: 1, stake: 1000, reason: 'LINE_EQUALLED' },
			{ betId: 2, stake: 1000, reason: 'LINE_EQUALLED' },
		]);
	});

	it('is bought from the lowest seller, then the earliest, each at the seller’s line', () => {
		const scene = totals();
		sell(scene, 11, 166, 300);
		sell(scene, 12, 165.5, 300);
		sell(scene, 13, 165.5, 300);
		const bought = buy(scene, 14, 166, 800);
		expect(scene.fills()).toEqual([
			[4, 2, 165.5, 300],
			[4, 3, 165.5, 300],
			[4, 1, 166, 200],
		]);
		expect(bought).toMatchObject({ matched: 800, remaining: 0 });
		// At 166 runs the bet at 165.5 wins, and the stake at 166 is returned.
		settleAt(scene, 166);
		expect([gain(scene, 14), gain(scene, 12), gain(scene, 11)]).toEqual([600, -300, 0]);
	});

	it('is sold to the highest buyer, and the rest rests', () => {
		const scene = totals();
		buy(scene, 11, 164, 300);
		buy(scene, 12, 165, 300);
		expect(sell(scene, 13, 164.5, 500)).toMatchObject({ matched: 300, remaining: 200 });
		expect(scene.fills()).toEqual([[3, 2, 165, 300]]);
		expect(scene.engine.levels(MARKET, 'PLAY', 0, 0, 5)).toEqual([{ price: 16_450, size: 200 }]);
		survives(scene);
	});

	it('of a fill-or-kill bet bounds every fill, because a better line does not make up for a worse one', () => {
		const scene = totals();
		sell(scene, 11, 164, 500);
		sell(scene, 12, 166, 500);
		expect(buy(scene, 13, 165, 1000, { fillOrKill: true })).toMatchObject({ matched: 0, remaining: 0 });
		expect(buy(scene, 13, 165, 1000, { fillOrKill: true, minFill: 500 })).toMatchObject({ matched: 500 });
	});

	it('meets no bet of its own player', () => {
		const scene = totals();
		sell(scene, 11, 165, 500);
		expect(buy(scene, 11, 165, 500)).toEqual({ ok: false, code: 'SELF_MATCH' });
	});

	it.each([159.5, 170.5, 165.25, 2])('of %d is not in the range', (line) => {
		expect(buy(totals(), 11, line, 500)).toEqual({ ok: false, code: 'PRICE_NOT_ON_LADDER' });
	});
});

describe('positions on lines', () => {
	it('bought low and sold high are won between and cost nothing outside', () => {
		const scene = totals();
		sell(scene, 11, 163, 1000);
		buy(scene, 12, 163, 1000);
		buy(scene, 11, 167, 1000);
		sell(scene, 12, 167, 1000);
		expect([scene.exposure(12), scene.exposure(11)]).toEqual([0, 2000]);
		survives(scene);
		settleAt(scene, 165);
		expect(gain(scene, 12)).toBe(2000);
	});

	it('on neighbouring whole numbers can lose once, not twice: nothing lies between them', () => {
		const range = { min: 100, max: 900, interval: 100 };
		const scene = totals({ ladder: range });
		sell(scene, 11, 5, 1000);
		buy(scene, 12, 5, 1000);
		buy(scene, 11, 6, 1000);
		sell(scene, 12, 6, 1000);
		// At 5 the first is void and the second lost, at 6 the other way round.
		expect(scene.exposure(11)).toBe(1000);
	});

	it('are listed by line: the net when it is the last one passed', () => {
		const figures = emptyFigures(5, ON_A_LINE, { line: { min: 100, max: 500, interval: 100 } });
		addMatched(figures, 0, 1, 200 * 1000, 1000);
		addMatched(figures, 0, 0, 400 * 500, 500);
		const nets = [0, 1, 2, 3, 4].map((line) => netIfWins(figures, line) / 100);
		expect(nets).toEqual([-500, 1500, 1500, 500, 500]);
	});

	it('can be voided match by match', () => {
		const scene = totals();
		sell(scene, 11, 165, 400);
		sell(scene, 12, 166, 400);
		buy(scene, 13, 166, 800);
		const [first] = scene.effects.fills;
		if (!first) throw new Error('nothing was matched');
		const match = {
			batch: 1,
			rowNumber: 0,
			takerBetId: first.taker,
			makerBetId: first.maker,
			price: first.price,
			stake: 400,
			takerFill: 0,
			makerFill: 0,
		};
		expect(scene.apply({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches: [match] })).toEqual({ ok: true });
		expect([scene.exposure(11), scene.exposure(12), scene.exposure(13)]).toEqual([0, 400, 400]);
		survives(scene);
		settleAt(scene, 170);
		expect([gain(scene, 13), gain(scene, 12), gain(scene, 11)]).toEqual([400, -400, 0]);
	});

	it('are reversed and settled anew when the market is reopened', () => {
		const scene = totals();
		sell(scene, 11, 165, 400);
		sell(scene, 12, 166, 400);
		buy(scene, 13, 166, 800);
		const bets = [...scene.effects.bets.values()].map((kept) => ({ ...kept, ...scene.engine.betDetail(kept.betId) }));
		settleAt(scene, 166);
		expect([gain(scene, 13), gain(scene, 12), gain(scene, 11)]).toEqual([400, 0, -400]);
		const payments = scene.effects.settledPlayers.map(({ walletId, net, commission }) => ({
			walletId,
			net,
			commission,
		}));
		const again = scene.apply({ kind: 'reopen-market', atMs: 0, marketId: MARKET, bets, payments, nextStep: 50 });
		expect(again).toEqual({ ok: true });
		expect([scene.exposure(11), scene.exposure(12), scene.exposure(13)]).toEqual([400, 400, 800]);
		settleAt(scene, 160);
		expect([gain(scene, 13), gain(scene, 12), gain(scene, 11)]).toEqual([-800, 400, 400]);
	});
});

describe('a line market', () => {
	it.each([
		['lines of a quarter', { ladder: { min: 25, max: 125, interval: 25 } }],
		['an interval that misses its end', { ladder: { min: 100, max: 950, interval: 100 } }],
		['no range', { ladder: 'CLASSIC' as const }],
		['two runners', { runners: 2 }],
		['a house', { model: 'FANCY' as const, houses: [11] }],
		['more lines than a position can hold', { ladder: { min: 50, max: 100_000, interval: 50 } }],
	])('is not opened with %s', (_, terms) => {
		const scene = new ExchangeScene();
		const opened = scene.openMarket({ runners: 1, numberOfWinners: ON_A_LINE, ladder: RUNS, ...terms });
		expect(opened).toMatchObject({ code: 'VALIDATION_FAILED' });
	});

	it('and no other takes a range for its ladder', () => {
		expect(new ExchangeScene().openMarket({ ladder: RUNS })).toMatchObject({ code: 'VALIDATION_FAILED' });
	});

	it('is settled by results that a whole number gives, and no others', () => {
		const range = { min: 100, max: 300, interval: 50 };
		const settle = (...results: ('WIN' | 'VOID' | 'LOSE')[]) => {
			const scene = totals({ ladder: range });
			return scene.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results }).ok;
		};
		// Lines 1, 1.5, 2, 2.5 and 3.
		expect(settle('WIN', 'WIN', 'VOID', 'LOSE', 'LOSE')).toBe(true);
		expect(settle('LOSE', 'LOSE', 'LOSE', 'LOSE', 'LOSE')).toBe(true);
		expect(settle('VOID', 'VOID', 'VOID', 'VOID', 'VOID')).toBe(true);
		expect(settle('WIN', 'VOID', 'LOSE', 'LOSE', 'LOSE')).toBe(false);
		expect(settle('WIN', 'LOSE', 'LOSE', 'LOSE', 'LOSE')).toBe(false);
		expect(settle('WIN', 'LOSE', 'VOID', 'LOSE', 'LOSE')).toBe(false);
		expect(settle('WIN', 'WIN', 'VOID', 'LOSE')).toBe(false);
	});

	it('that was not played to its end is void unless every line is passed', () => {
		const shape = { runners: 1, lineRange: { min: 100, max: 200, interval: 50 } };
		const { resultOf } = marketType('LINE');
		expect(resultOf({ value: 2, unfinished: true }, shape)).toEqual(['VOID', 'VOID', 'VOID']);
		expect(resultOf({ value: 3, unfinished: true }, shape)).toEqual(['WIN', 'WIN', 'WIN']);
		expect(resultOf({}, shape)).toBeNull();
	});

	it('takes a range for a ladder: ticks, and the nearest lines to a number', () => {
		const ladder = ladderOf(RUNS);
		expect([ladder.tickCount, ladder.tickOf(16_050), ladder.priceAt(20), ladder.tickOf(16_025)]).toEqual([
			21, 1, 17_000, -1,
		]);
		expect(ladder.nearest(16_020)).toEqual({ below: 16_000, above: 16_050 });
		expect([ladder.nearest(15_000), ladder.nearest(18_000)]).toEqual([
			{ below: null, above: 16_000 },
			{ below: 17_000, above: null },
		]);
	});
});

describe('exposure on lines', () => {
	const range = fc
		.record({
			min: fc.integer({ min: 1, max: 12 }),
			interval: fc.integer({ min: 1, max: 5 }),
			lines: fc.integer({ min: 2, max: 9 }),
		})
		.map(({ min, interval, lines }) => ({
			min: min * 50,
			interval: interval * 50,
			max: (min + interval * (lines - 1)) * 50,
		}));
	const order = fc.record({
		rung: fc.nat(),
		side: fc.constantFrom(0 as const, 1 as const),
		stake: fc.integer({ min: 1, max: 100_000 }),
		matched: fc.boolean(),
	});

	it('is the worst of all possible numbers, for any bets: on halves, whole lines and both', () => {
		fc.assert(
			fc.property(range, fc.array(order, { maxLength: 12 }), (of, orders) => {
				const lines = linesOf(of);
				const bets = orders.map((each) => ({ ...each, line: lines[each.rung % lines.length] as number }));
				const figures = emptyFigures(lines.length, ON_A_LINE, { line: of });
				for (const { line, side, stake, matched } of bets) {
					if (matched) addMatched(figures, 0, side, stake * line, stake);
					else addUnmatched(figures, 0, side, line, stake);
				}
				let worst = 0;
				for (let number = Math.floor(of.min / 100) - 1; number <= of.max / 100 + 1; number++) {
					let sum = 0;
					for (const { line, side, stake, matched } of bets) {
						const above = Math.sign(number * 100 - line);
						const result = (side === 1 ? above : -above) * stake;
						sum += matched ? result : Math.min(0, result);
					}
					worst = Math.min(worst, sum);
				}
				expect(exposureMinor(figures)).toBe(-worst + 0);
			}),
			{ numRuns: 1000 },
		);
	});
});
