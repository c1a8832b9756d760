/** The worked examples of the exchange rules that concern markets with one winner; figures as they are written there. */
import { describe, expect, it } from 'vitest';
import { averagePrice, netMinor } from '#values/liability.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const [HOME, DRAW, AWAY] = [0, 1, 2];
const AMPLE = 100_000_000;

describe('matching', () => {
	it('matches a back with the best lays, oldest first, and leaves the rest of the last one (example 1)', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(AMPLE, [11, 12, 13, 14]);
		scene.lay(11, HOME, 2.02, 5000);
		scene.lay(12, HOME, 2.02, 3000);
		scene.lay(13, HOME, 2.0, 10_000);
		expect(scene.back(14, HOME, 2.0, 10_000)).toMatchObject({ ok: true, matched: 10_000, remaining: 0 });
		expect(scene.fills()).toEqual([
			[4, 1, 2.02, 5000],
			[4, 2, 2.02, 3000],
			[4, 3, 2.0, 2000],
		]);
		const back = scene.effects.bets.get(4);
		// 2.016 on average; the integer hundredths of a screen show 2.02.
		expect((back?.matchedValue ?? 0) / (back?.matched ?? 1)).toBe(201.6);
		expect(averagePrice(back?.matched ?? 0, back?.matchedValue ?? 0)).toBe(202);
		expect(scene.engine.profitLoss(14, MARKET)).toEqual([10_160 * 100, -10_000 * 100, -10_000 * 100]);
		expect(scene.exposure(11)).toBe(5100);
		expect(scene.exposure(12)).toBe(3060);
		// C's matched 20 costs 20 and his unmatched 80 as much again.
		expect(scene.engine.profitLoss(13, MARKET)?.[HOME]).toBe(-2000 * 100);
		expect(scene.engine.restingBets(MARKET, 'PLAY', HOME)).toEqual([
			{ betId: 3, side: 1, price: 200, remaining: 8000 },
		]);
	});

	it('takes a better resting price and rests the remainder at the asked price (example 2)', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(AMPLE, [11, 12]);
		scene.lay(11, HOME, 3.1, 4000);
		expect(scene.back(12, HOME, 3.0, 10_000)).toMatchObject({ matched: 4000, remaining: 6000 });
		expect(scene.fills()).toEqual([[2, 1, 3.1, 4000]]);
		expect(scene.engine.profitLoss(12, MARKET)?.[HOME]).toBe(8400 * 100);
		expect(scene.engine.levels(MARKET, 'PLAY', HOME, 0, 3)).toEqual([{ price: 300, size: 6000 }]);
		expect(scene.engine.lastPriceTraded(MARKET, 'PLAY', HOME)).toBe(310);
		expect(scene.engine.totalMatched(MARKET, 'PLAY', HOME)).toBe(4000);
	});
});

describe('exposure', () => {
	it('counts every outcome, including the one without a bet (example 4)', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(AMPLE, [11, 12]);
		scene.back(12, HOME, 3.15, 1000);
		scene.back(12, AWAY, 2.52, 1000);
		scene.lay(11, HOME, 3.15, 1000);
		scene.lay(11, AWAY, 2.52, 1000);
		expect(scene.engine.profitLoss(11, MARKET)).toEqual([-1150 * 100, 2000 * 100, -520 * 100]);
		expect(scene.exposure(11)).toBe(1150);
	});

	it('adds the loss of every unmatched bet to each outcome (example 5)', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(AMPLE, [11, 12]);
		scene.lay(12, HOME, 3.0, 10_000);
		scene.back(11, HOME, 3.0, 10_000);
		scene.lay(11, HOME, 2.5, 10_000);
		scene.back(11, DRAW, 4.0, 5000);
		expect(scene.exposure(11)).toBe(15_000);
	});

	it('holds backs of all runners against each other, more once they are matched (example 6)', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(AMPLE, [11, 12]);
		for (const runner of [HOME, DRAW, AWAY]) scene.back(11, runner, 2.0, 1000);
		expect(scene.exposure(11)).toBe(2000);
		for (const runner of [HOME, DRAW, AWAY]) scene.lay(12, runner, 2.0, 1000);
		expect(scene.exposure(11)).toBe(1000);
	});

	it('is whole minor units rounded up while the bets stay exact', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(AMPLE, [11]);
		// 50 × 0.01 is half a minor unit, twice that is one: the second lay costs nothing more.
		scene.lay(11, HOME, 1.01, 50);
		expect(scene.exposure(11)).toBe(1);
		scene.lay(11, HOME, 1.01, 50);
		expect(scene.exposure(11)).toBe(1);
		scene.lay(11, HOME, 1.01, 1);
		expect(scene.exposure(11)).toBe(2);
	});
});

describe('settlement', () => {
	it('takes commission from the net of the market, not from each winning bet (example 8)', () => {
		const scene = new ExchangeScene();
		scene.openMarket({ commissionBp: 700 });
		scene.players(AMPLE, [11, 12]);
		// HOME wins: the back makes +150.00, the other runner's back loses 50.00.
		scene.lay(12, HOME, 2.5, 10_000);
		scene.back(11, HOME, 2.5, 10_000);
		scene.lay(12, AWAY, 2.0, 5000);
		scene.back(11, AWAY, 2.0, 5000);
		scene.settle(HOME);
		expect(scene.effects.settledPlayers).toContainEqual({
			marketId: MARKET,
			walletId: 11,
			net: 10_000,
			commission: 700,
			profit: 9300,
		});
		expect(scene.cash(11)).toBe(AMPLE + 9300);
		expect(scene.cash(12)).toBe(AMPLE - 10_000);
		expect(scene.engine.houseBalance('commission', 'PLAY', 0)).toBe(700);
	});

	it('refuses a stake whose rounded return is too far from the exact one (example 17)', () => {
		const scene = new ExchangeScene();
		scene.openMarket({ profitRatioRule: true });
		scene.players(AMPLE, [11]);
		expect(scene.back(11, HOME, 1.06, 13)).toEqual({ ok: false, code: 'INVALID_PROFIT_RATIO' });
		// 0.17 × 0.06 = 1.02 minor units, shown as 1: close enough.
		expect(scene.back(11, HOME, 1.06, 17)).toMatchObject({ ok: true });
	});

	it('rounds each net once, an exact half towards the house on either side', () => {
		expect([50, 51, 49, -49, -50, -51, 150, -150, 0].map(netMinor)).toEqual([0, 1, 0, 0, -1, -1, 1, -2, 0]);
	});
});
