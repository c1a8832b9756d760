/** Single voided matches: both sides lose that part, the money held for it is released, and the rest stays. */
import { describe, expect, it } from 'vitest';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

/** Player 11 lays 1000 at 3.0; 12 backs 400 of it, then 13 backs 300. */
function scene(): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket();
	made.players(100_000, [11, 12, 13]);
	made.lay(11, 0, 3, 1000);
	made.back(12, 0, 3, 400);
	made.back(13, 0, 3, 300);
	return made;
}
const voided = (made: ExchangeScene, takerBetId: number, stake: number, more: object = {}) =>
	made.apply({
		kind: 'void-matches',
		atMs: 0,
		marketId: MARKET,
		matches: [{ batch: 1, rowNumber: 0, takerBetId, makerBetId: 1, price: 300, stake, ...more }],
	});
const survives = (made: ExchangeScene) => expect(made.effects.rebuild().hash()).toBe(made.engine.hash());

describe('a voided match', () => {
	it('releases both players; unmatched parts stay in the book', () => {
		const made = scene();
		expect(voided(made, 2, 400)).toEqual({ ok: true });
		expect(made.exposure(12)).toBe(0);
		expect(made.exposure(13)).toBe(300);
		// 300 matched at 3.0 and 300 waiting: 600 × 2.
		expect(made.exposure(11)).toBe(1200);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([{ betId: 1, side: 1, price: 300, remaining: 300 }]);
		survives(made);
	});

	it('pays nothing when the market is settled', () => {
		const made = scene();
		voided(made, 2, 400);
		made.settle(0);
		expect(made.cash(12)).toBe(100_000);
		expect(made.cash(13)).toBe(100_600);
		expect(made.cash(11)).toBe(99_400);
	});

	it('can void a player’s hedge: the whole balance is held, and no further risk is accepted', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.player(11, 1000);
		made.players(100_000, [12, 13]);
		made.lay(12, 0, 5, 1000);
		made.back(11, 0, 5, 1000);
		made.back(13, 0, 5, 1000);
		made.lay(11, 0, 5, 1000);
		expect(made.exposure(11)).toBe(0);
		// Without the back the lay alone can lose 4000.
		voided(made, 2, 1000, { price: 500 });
		expect(made.exposure(11)).toBe(1000);
		expect(made.back(11, 1, 2, 10)).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
		survives(made);
		made.settle(0);
		expect(made.cash(11)).toBe(-3000);
	});

	it.each([
		['more than was matched', { stake: 401 }],
		['a bet of nobody', { makerBetId: 99 }],
	])('is refused for %s, and nothing changes', (_, wrong) => {
		const made = scene();
		const before = made.engine.hash();
		expect(voided(made, 2, 400, wrong)).toMatchObject({ code: 'ORDER_NOT_ACTIVE' });
		expect(made.engine.hash()).toBe(before);
	});

	it('is named once: a command that names it twice is refused, and nothing changes', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(100_000, [11, 12, 13]);
		made.lay(11, 0, 3, 400);
		made.lay(13, 0, 3, 400);
		made.back(12, 0, 3, 800);
		made.lay(11, 0, 3, 400);
		const before = made.engine.hash();
		const match = { batch: 1, rowNumber: 0, takerBetId: 3, makerBetId: 1, price: 300, stake: 200 };
		const twice = { kind: 'void-matches' as const, atMs: 0, marketId: MARKET, matches: [match, match] };
		expect(made.apply(twice)).toMatchObject({ code: 'ORDER_NOT_ACTIVE' });
		expect(made.engine.hash()).toBe(before);
	});

	describe('in a market with a removed runner', () => {
		/** 11 lays 700 at 3.0, of which 12 backs 400 and then 300; a non-runner takes 10 %, then 200 more are matched at 3.0. */
		function reduced(): ExchangeScene {
			const made = new ExchangeScene();
			made.openMarket({ reducible: true, minReductionBp: 0, lapseReductionBp: 10_000 });
			made.players(100_000, [11, 12]);
			made.lay(11, 0, 3, 900, { persist: true });
			made.back(12, 0, 3, 400);
			made.back(12, 0, 3, 300);
			made.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 2, reductionBp: 1000 });
			made.back(12, 0, 3, 200);
			return made;
		}

		it('counts at its reduced price, and a later match at its own', () => {
			const made = reduced();
			// 2.7 for the first two.
			expect(made.exposure(11)).toBe(700 * 1.7 + 200 * 2);
			expect(voided(made, 3, 300, { takerFill: 0, makerFill: 1 })).toEqual({ ok: true });
			expect(made.exposure(11)).toBe(400 * 1.7 + 200 * 2);
			// The third of the maker's fills is now the second.
			expect(voided(made, 4, 200, { takerFill: 0, makerFill: 1 })).toEqual({ ok: true });
			expect([made.exposure(11), made.exposure(12)]).toEqual([400 * 1.7, 400]);
			survives(made);
			made.settle(0);
			expect([made.cash(11), made.cash(12)]).toEqual([100_000 - 680, 100_680]);
		});

		it.each([
			['another of its fills', { takerFill: 0, makerFill: 1 }],
			['a fill there is not', { takerFill: 1, makerFill: 0 }],
			['none of its fills', {}],
		])('is refused when it names %s', (_, wrong) => {
			const made = reduced();
			expect(voided(made, 2, 400, wrong)).toEqual({ ok: false, code: 'ORDER_NOT_ACTIVE' });
		});

		it('is refused when it is named twice', () => {
			const made = reduced();
			const match = {
				batch: 1,
				rowNumber: 0,
				takerBetId: 4,
				makerBetId: 1,
				price: 300,
				stake: 200,
				takerFill: 0,
				makerFill: 2,
			};
			const matches = [match, { ...match, rowNumber: 1 }];
			expect(made.apply({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches })).toMatchObject({ ok: false });
		});
	});

	it('is refused in a settled market', () => {
		const made = scene();
		made.settle(0);
		expect(voided(made, 2, 400)).toMatchObject({ code: 'WRONG_MARKET_STATE' });
	});
});
