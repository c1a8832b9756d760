/** Virtual prices: bets on all the other runners together fill a bet on this one, and no player loses by it, nor does the house. */
import { describe, expect, it } from 'vitest';
import { BACK, LAY } from '#values/sides.ts';
import { impliedPrice } from '#values/virtual-prices.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

/** The long form, `STORIES=long`, meets what is rare. */
const SEEDS = process.env['STORIES'] === 'long' ? 200 : 50;
const HOUSE = 1;
const AMPLE = 100_000_000;

/** The house has no money at all: it needs none. */
function scene(runners = 3, terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ runners, crossMatching: true, houses: [HOUSE], ...terms });
	made.player(HOUSE, 0);
	made.players(AMPLE, [11, 12, 13, 14]);
	return made;
}
const houseNets = (made: ExchangeScene) => made.engine.profitLoss(HOUSE, MARKET) ?? [0];
const survives = (made: ExchangeScene) => expect(made.effects.rebuild().hash()).toBe(made.engine.hash());

describe('the implied price', () => {
	it.each([
		[[300, 600], BACK, 200],
		[[400, 400], BACK, 200],
		[[250, 500], BACK, 250],
		[[300, 300], BACK, 300],
		// 1 / (1 − 1/3.1 − 1/3.3) is 2.6729…: down for a backer, up for a layer
		[[310, 330], BACK, 267],
		[[310, 330], LAY, 268],
		[[300, 600], LAY, 200],
		[[200], BACK, 200],
		// more than certain together: any price is implied for a backer, none for a layer
		[[150, 150], BACK, 100_000],
		[[150, 150], LAY, null],
	] as const)('of %j is, for side %i, %s', (prices, side, price) => {
		expect(impliedPrice(prices, side)).toBe(price);
	});
});

describe('a back', () => {
	it('is matched by backs of all the others, in stakes that pay the same for each winner', () => {
		const made = scene();
		made.back(11, 1, 3, 66);
		made.back(12, 2, 6, 33);
		expect(made.back(13, 0, 2, 99)).toMatchObject({ matched: 99, matchedValue: 99 * 200, remaining: 0 });
		expect(made.fills().map(([, , price, stake]) => [price, stake])).toEqual([
			[2, 99],
			[3, 66],
			[6, 33],
		]);
		expect(houseNets(made)).toEqual([0]);
		expect(made.exposure(HOUSE)).toBe(0);
		survives(made);
		made.settle(1);
		expect([11, 12, 13, HOUSE].map((player) => made.cash(player))).toEqual([AMPLE + 132, AMPLE - 33, AMPLE - 99, 0]);
	});

	it('has no leg larger than a bet may be, and leaves the house nothing to lose', () => {
		const made = scene(2, { selfMatch: 'ALLOW' });
		const largest = 1_000_000_000;
		made.players(10_000_000_000_000, [21, 22]);
		for (let bet = 0; bet < 4; bet++) made.back(21, 1, 1.01, largest);
		expect(made.back(22, 0, 100, 30_000_000)).toMatchObject({ matched: 30_000_000, remaining: 0 });
		const ofHouse = [...made.effects.bets.values()].filter(({ walletId }) => walletId === HOUSE);
		expect(ofHouse.length).toBeGreaterThan(2);
		for (const { stake, matched } of ofHouse) {
			expect(stake).toBeLessThanOrEqual(largest);
			expect(matched).toBe(stake);
		}
		expect(made.exposure(HOUSE)).toBe(0);
		expect(Math.min(...houseNets(made))).toBeGreaterThanOrEqual(0);
		survives(made);
		made.settle(1);
		expect(made.cash(HOUSE)).toBeGreaterThanOrEqual(0);
	});

	it('takes the better of book and virtual price, and the book where they are the same', () => {
		const made = scene();
		made.back(11, 1, 3, 600);
		made.back(12, 2, 6, 300);
		made.lay(14, 0, 2.1, 50);
		made.lay(14, 0, 2, 50);
		made.back(13, 0, 2, 160);
		const ofTaker = made.effects.fills.filter(({ runner }) => runner === 0);
		expect(ofTaker.map(({ price, stake }) => [price, stake])).toEqual([
			[210, 50],
			[200, 50],
			[200, 60],
		]);
	});

	it('rests when the implied price is below its limit', () => {
		const made = scene();
		made.back(11, 1, 3, 600);
		made.back(12, 2, 6, 300);
		expect(made.back(13, 0, 2.02, 100)).toMatchObject({ matched: 0, remaining: 100 });
	});

	it('never meets bets of its own player on the others', () => {
		const made = scene();
		made.back(11, 1, 3, 600);
		made.back(12, 2, 6, 300);
		expect(made.back(11, 0, 2, 100)).toMatchObject({ matched: 0, remaining: 100 });
	});

	it('needs all the others: with one of them missing nothing is implied', () => {
		const made = scene();
		made.back(11, 1, 3, 600);
		expect(made.back(13, 0, 1.5, 100)).toMatchObject({ matched: 0 });
	});
});

describe('a lay', () => {
	it('is filled by lays of all the others', () => {
		const made = scene();
		made.lay(11, 1, 3, 66);
		made.lay(12, 2, 6, 33);
		expect(made.lay(13, 0, 2, 99)).toMatchObject({ matched: 99, matchedValue: 99 * 200 });
		made.settle(0);
		expect([11, 12, 13, HOUSE].map((player) => made.cash(player))).toEqual([AMPLE + 66, AMPLE + 33, AMPLE - 99, 0]);
	});
});

describe('the house', () => {
	it('loses in no outcome and holds nothing, for any bets (random markets)', { tags: 'thorough' }, () => {
		let across = 0;
		for (let seed = 1; seed <= SEEDS; seed++) {
			const numbers = new SeededNumbers(seed);
			const runners = 2 + numbers.below(4);
			const made = scene(runners);
			const fair = 100 * runners;
			for (let bet = 0; bet < 60; bet++) {
				const near = fair + 10 * (numbers.below(13) - 6);
				const price = near - (near % (near < 400 ? 10 : 20));
				const side = numbers.chance(50) ? BACK : LAY;
				const [player, runner, stake] = [
					numbers.from([11, 12, 13, 14]),
					numbers.below(runners),
					1 + numbers.below(5000),
				];
				const from = made.effects.fills.length;
				const outcome =
					side === BACK ? made.back(player, runner, price / 100, stake) : made.lay(player, runner, price / 100, stake);
				if (!outcome.ok) continue;
				const fills = made.effects.fills.slice(from);
				across += fills.some((fill) => fill.runner !== runner) ? 1 : 0;
				for (const fill of fills) {
					if (fill.taker !== outcome.betId) continue;
					expect(side === BACK ? fill.price - price : price - fill.price).toBeGreaterThanOrEqual(0);
				}
				expect(Math.min(...houseNets(made), 0), `seed ${seed}`).toBe(0);
				expect(made.exposure(HOUSE)).toBe(0);
			}
			survives(made);
			made.settle(numbers.below(runners));
			expect(made.cash(HOUSE)).toBeGreaterThanOrEqual(0);
		}
		expect(across).toBeGreaterThan(SEEDS);
	});

	it.each([
		['several winners', { numberOfWinners: 2 }],
		['runners that may be taken out', { reducible: true }],
		['no house', { houses: [] }],
		['starting prices', { startingPrice: true }],
	])('does not stand between in a market with %s', (_, terms) => {
		const made = new ExchangeScene();
		const wrong = { runners: 4, crossMatching: true, houses: [HOUSE], ...terms };
		expect(made.openMarket(wrong)).toMatchObject({ code: 'VALIDATION_FAILED' });
	});

	it('has its legs voided together or not at all', () => {
		const made = scene();
		made.back(11, 1, 3, 66);
		made.back(12, 2, 6, 33);
		made.back(13, 0, 2, 99);
		const results = ['WIN', 'VOID', 'LOSE'] as const;
		expect(made.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results })).toMatchObject({
			code: 'INCOMPLETE_RESULT',
		});
		const match = { batch: 1, rowNumber: 0, takerBetId: 3, makerBetId: 4, price: 200, stake: 99 };
		expect(made.apply({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches: [match] })).toMatchObject({
			code: 'WRONG_MARKET_STATE',
		});
		made.voidMarket();
		expect([11, 12, 13].map((player) => made.cash(player))).toEqual([AMPLE, AMPLE, AMPLE]);
	});
});
