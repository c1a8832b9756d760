/** Each way: one bet of two equal parts, to win and to be placed at a fraction of the odds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunnerResult } from '#engine/market-terms.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import { payableOf, profitExactParts } from '#engine/market-types/runner-result.ts';
import { eachWayRange } from '#values/each-way.ts';
import { addMatched, addUnmatched, emptyFigures, exposureMinor } from '#values/exposure.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const FIFTH = { numberOfWinners: 3, eachWayDivisor: 5 };

/** Six horses, three places at a fifth of the odds, unless the terms say otherwise. */
function race(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const scene = new ExchangeScene();
	scene.openMarket({ runners: 6, reducible: true, ...FIFTH, ...terms });
	scene.players(1_000_000, [11, 12, 13]);
	return scene;
}
/** Player 12 backs, player 11 lays. */
function bet(scene: ExchangeScene, runner: number, price: number, stake: number): void {
	scene.lay(11, runner, price, stake);
	scene.back(12, runner, price, stake);
}
const settle = (scene: ExchangeScene, ...results: RunnerResult[]) =>
	scene.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results });
const profitOf = (scene: ExchangeScene, player: number) =>
	scene.effects.settledPlayers.findLast(({ walletId }) => walletId === player)?.profit;
const survives = (scene: ExchangeScene) => expect(scene.effects.rebuild().hash()).toBe(scene.engine.hash());

describe('an each-way bet', () => {
	it('of 10 at 11.0, a fifth of the odds, risks 20 and pays 100 to win and 20 for a place', () => {
		const scene = race();
		bet(scene, 0, 11, 1000);
		expect(scene.exposure(12)).toBe(2000);
		// 10 × 10 to win, 10 × 2 for the place.
		expect(scene.exposure(11)).toBe(12_000);
		survives(scene);
	});

	it.each([
		['wins', ['WIN', 'PLACED', 'PLACED', 'LOSE', 'LOSE', 'LOSE'], 12_000],
		['is placed', ['PLACED', 'WIN', 'PLACED', 'LOSE', 'LOSE', 'LOSE'], 2000 - 1000],
		['is neither', ['LOSE', 'WIN', 'PLACED', 'PLACED', 'LOSE', 'LOSE'], -2000],
		// Half of 10 at 11.0 back, less 10; the place in full.
		['ties for the win', ['WIN', 'WIN', 'PLACED', 'LOSE', 'LOSE', 'LOSE'], 5500 - 1000 + 2000],
		// Nothing to win; a third of 30 back for the place, less 10.
		['ties with two others for the last place', ['TIE', 'WIN', 'PLACED', 'TIE', 'TIE', 'LOSE'], -1000],
		// A quarter of 110 less 10; three of the four places of 30 less 10.
		['ties with three others for everything', ['WIN', 'WIN', 'WIN', 'WIN', 'LOSE', 'LOSE'], 2750 - 1000 + 2250 - 1000],
	] as const)('whose runner %s pays both parts', (_, results, profit) => {
		const scene = race();
		bet(scene, 0, 11, 1000);
		expect(settle(scene, ...results)).toEqual({ ok: true });
		expect([profitOf(scene, 12), profitOf(scene, 11)]).toEqual([profit, -profit]);
		survives(scene);
	});

	it('pays a tie of six for three places, half of a place each', () => {
		const scene = race({ runners: 7 });
		bet(scene, 0, 11, 1000);
		expect(settle(scene, ...Array<RunnerResult>(6).fill('WIN'), 'LOSE')).toEqual({ ok: true });
		// A sixth of 110 and half of 30 back, less 20: 13.333.
		expect([profitOf(scene, 12), profitOf(scene, 11)]).toEqual([1333, -1333]);
		survives(scene);
	});

	it('pays a tie of nine for the last place, and of sixteen at a tenth of the odds', () => {
		const scene = race({ runners: 20 });
		bet(scene, 0, 11, 900);
		const results = [
			'TIE',
			'WIN',
			'PLACED',
			...Array<RunnerResult>(8).fill('TIE'),
			...Array<RunnerResult>(9).fill('LOSE'),
		];
		expect(settle(scene, ...(results as RunnerResult[]))).toEqual({ ok: true });
		// A ninth of 27 back, less 18.
		expect(profitOf(scene, 12)).toBe(300 - 1800);
		const tenth = race({ runners: 20, eachWayDivisor: 10 });
		bet(tenth, 0, 11, 1600);
		const dead = (tied: number) => [
			...Array<RunnerResult>(tied).fill('WIN'),
			...Array<RunnerResult>(20 - tied).fill('LOSE'),
		];
		expect(settle(tenth, ...dead(17))).toEqual({ ok: false, code: 'INCOMPLETE_RESULT' });
		expect(settle(tenth, ...dead(16))).toEqual({ ok: true });
		// A sixteenth of 176 back, three sixteenths of 32, less 32.
		expect(profitOf(tenth, 12)).toBe(1100 + 600 - 3200);
	});

	it.each([
		['nobody to win', ['PLACED', 'PLACED', 'PLACED', 'LOSE', 'LOSE', 'LOSE']],
		['a place too many', ['WIN', 'PLACED', 'PLACED', 'PLACED', 'LOSE', 'LOSE']],
		['a place too few', ['WIN', 'PLACED', 'LOSE', 'LOSE', 'LOSE', 'LOSE']],
		['a tie that fits its places', ['WIN', 'PLACED', 'TIE', 'LOSE', 'LOSE', 'LOSE']],
		['more winners than places and somebody behind', ['WIN', 'WIN', 'WIN', 'WIN', 'PLACED', 'LOSE']],
	] as const)('is not paid by a result with %s', (_, results) => {
		const scene = race();
		bet(scene, 0, 11, 1000);
		expect(settle(scene, ...results)).toEqual({ ok: false, code: 'INCOMPLETE_RESULT' });
	});

	it('is reduced by a non-runner in its odds, and the place follows from those', () => {
		const scene = race();
		bet(scene, 0, 11, 1000);
		scene.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 5, reductionBp: 5000 });
		// 11.0 → 5.5, and 1 + 4.5 / 5 = 1.9 for the place.
		expect(scene.exposure(11)).toBe(4500 + 900);
		survives(scene);
		expect(settle(scene, 'WIN', 'PLACED', 'PLACED', 'LOSE', 'LOSE', 'VOID')).toEqual({ ok: true });
		expect(profitOf(scene, 12)).toBe(5400);
	});

	it('has its place part void when no more run than there are places', () => {
		const scene = race({ runners: 4 });
		bet(scene, 0, 11, 1000);
		bet(scene, 1, 3, 500);
		scene.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 3, reductionBp: 0 });
		// Whichever wins: the backer loses one part of 5, or of 10, or of both.
		expect([scene.exposure(12), scene.exposure(11)]).toEqual([1500, 10_000 - 500]);
		survives(scene);
		expect(settle(scene, 'WIN', 'PLACED', 'LOSE', 'VOID')).toEqual({ ok: true });
		expect(profitOf(scene, 12)).toBe(10_000 - 500);
	});

	it('is asked for again, as before, when the non-runner comes back', () => {
		const scene = race({ runners: 4 });
		bet(scene, 0, 11, 1000);
		scene.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 3, reductionBp: 0 });
		expect(scene.exposure(12)).toBe(1000);
		scene.apply({ kind: 'return-runner', atMs: 0, marketId: MARKET, runner: 3 });
		expect(scene.exposure(12)).toBe(2000);
		survives(scene);
	});

	it('is taken back and paid anew when its market is opened again', () => {
		const scene = race();
		bet(scene, 0, 11, 1000);
		const bets = [...scene.effects.bets.values()].map((kept) => ({ ...kept }));
		settle(scene, 'WIN', 'PLACED', 'PLACED', 'LOSE', 'LOSE', 'LOSE');
		const payments = scene.effects.settledPlayers.map(({ walletId, net, commission }) => ({
			walletId,
			net,
			commission,
		}));
		const again = scene.apply({ kind: 'reopen-market', atMs: 0, marketId: MARKET, bets, payments, nextStep: 50 });
		expect(again).toEqual({ ok: true });
		expect(scene.exposure(11)).toBe(12_000);
		settle(scene, 'PLACED', 'WIN', 'PLACED', 'LOSE', 'LOSE', 'LOSE');
		expect([scene.cash(12), scene.cash(11)]).toEqual([1_001_000, 999_000]);
	});

	it('is bound by what it can win at most', () => {
		const scene = race({ maxProfit: 11_999 });
		expect(scene.back(12, 0, 11, 1000)).toEqual({ ok: false, code: 'PROFIT_TOO_LARGE' });
		// A lay wins both stakes when its runner is not placed.
		expect(scene.lay(11, 0, 11, 6000)).toEqual({ ok: false, code: 'PROFIT_TOO_LARGE' });
		expect(scene.lay(11, 0, 11, 5999)).toMatchObject({ ok: true });
	});

	it('is refused before its figures could leave the exact integers', () => {
		const scene = race();
		scene.player(20, 10 ** 13);
		expect(scene.back(20, 0, 1000, 1_000_000_000)).toEqual({ ok: false, code: 'EXPOSURE_LIMIT' });
	});
});

describe('an each-way market', () => {
	it.each([
		['a divisor of none', { eachWayDivisor: 0 }],
		['half a divisor', { eachWayDivisor: 2.5 }],
		['a place for everybody', { numberOfWinners: 6 }],
		['any number of places', { numberOfWinners: 0 }],
		['virtual prices', { crossMatching: true, houses: [11], reducible: false }],
	])('is not opened with %s', (_, terms) => {
		const scene = new ExchangeScene();
		expect(scene.openMarket({ runners: 6, ...FIFTH, ...terms })).toMatchObject({ code: 'VALIDATION_FAILED' });
	});

	it('knows from the order of a race what its runners get', () => {
		const shape = { runners: 5, places: 3 };
		const { resultOf } = marketType('EACH_WAY');
		expect(resultOf({ winners: [2], placed: [0], tied: [1, 4] }, shape)).toEqual([
			'PLACED',
			'TIE',
			'WIN',
			'LOSE',
			'TIE',
		]);
		expect(resultOf({ unfinished: true }, shape)).toEqual(['VOID', 'VOID', 'VOID', 'VOID', 'VOID']);
	});
});

interface Order {
	runner: number;
	side: 0 | 1;
	price: number;
	stake: number;
	matched: boolean;
}
const RUNNERS = 5;
const order = fc.record<Order>({
	runner: fc.integer({ min: 0, max: RUNNERS - 1 }),
	side: fc.constantFrom(0 as const, 1 as const),
	price: fc.integer({ min: 101, max: 2000 }),
	stake: fc.integer({ min: 1, max: 100_000 }),
	matched: fc.boolean(),
});

/** One part after the other, as two bets: to win at the price, to be placed at a fraction of it; exact, times the divisor. */
function profitByParts({ side, price, stake, matched }: Order, won: boolean, placed: boolean, divisor: number): number {
	const toWin = won ? stake * (price - 100) * divisor : -stake * 100 * divisor;
	const toBePlaced = placed ? stake * (price - 100) : -stake * 100 * divisor;
	const profit = side === 0 ? toWin + toBePlaced : -toWin - toBePlaced;
	return matched ? profit : Math.min(0, profit);
}

/** Who wins, and who is placed with the winner among them: every way there is without a dead heat. */
function* finishes(places: number): Generator<{ winner: number; placed: Set<number> }> {
	for (let bits = 0; bits < 2 ** RUNNERS; bits++) {
		const placed = new Set(Array.from({ length: RUNNERS }, (_, at) => at).filter((at) => (bits >> at) & 1));
		if (placed.size === places) for (const winner of placed) yield { winner, placed };
	}
}

const figuresFor = (orders: readonly Order[], places: number, divisor: number) => {
	const figures = emptyFigures(RUNNERS, places, { eachWay: divisor });
	for (const { runner, side, price, stake, matched } of orders) {
		if (matched) addMatched(figures, runner, side, price * stake, stake);
		else addUnmatched(figures, runner, side, price, stake);
	}
	return figures;
};

describe('exposure each way', () => {
	it('is the worst of all finishes, whatever is bet', () => {
		const terms = fc.record({
			places: fc.integer({ min: 1, max: RUNNERS - 1 }),
			divisor: fc.integer({ min: 1, max: 10 }),
		});
		fc.assert(
			fc.property(fc.array(order, { maxLength: 12 }), terms, (orders, { places, divisor }) => {
				let worst = 0;
				for (const { winner, placed } of finishes(places)) {
					let sum = 0;
					for (const each of orders) {
						sum += profitByParts(each, each.runner === winner, placed.has(each.runner), divisor);
					}
					worst = Math.min(worst, sum);
				}
				expect(exposureMinor(figuresFor(orders, places, divisor))).toBe(Math.ceil(-worst / (100 * divisor)) + 0);
			}),
		);
	});

	it('covers every dead heat, too', () => {
		const results = fc.array(fc.constantFrom<RunnerResult>('WIN', 'PLACED', 'LOSE', 'TIE'), {
			minLength: RUNNERS,
			maxLength: RUNNERS,
		});
		let paid = 0;
		fc.assert(
			fc.property(fc.array(order, { maxLength: 12 }), results, (orders, result) => {
				const terms = { runners: RUNNERS, numberOfWinners: 2, eachWayDivisor: 4, ladder: 'CLASSIC' };
				const payable = payableOf(result, terms as Parameters<typeof payableOf>[1], new Map());
				if (!payable) return;
				paid++;
				const matched = orders.map((each) => ({ ...each, matched: true }));
				const sum = matched.reduce(
					(total, { side, runner, price, stake }) =>
						total + (profitExactParts({ side, runner, matched: stake, matchedValue: stake * price }, payable) ?? 0),
					0,
				);
				expect(-sum / payable.parts).toBeLessThanOrEqual(100 * exposureMinor(figuresFor(matched, 2, 4)));
			}),
			{ numRuns: 2000 },
		);
		expect(paid).toBeGreaterThan(50);
	});

	it('of a single bet is what it can lose at most', () => {
		fc.assert(
			fc.property(order, fc.integer({ min: 1, max: 10 }), (each, divisor) => {
				const { side, price, stake } = each;
				const { liability } = eachWayRange(side, stake * price, stake, divisor);
				expect(exposureMinor(figuresFor([each], 2, divisor))).toBe(Math.ceil(liability / (100 * divisor)));
			}),
		);
	});
});
