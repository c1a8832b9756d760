/** Brackets: orders that are closed at an aim or at a stop as they are matched. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '#engine/triggers/plan.ts';
import { ASHA, BALA, batches, CARLA, codeOf, place, plansOf, restingOf, scene } from './plan-scene.ts';

/** Of a back at 3.00: closed at 2.94, or once 3.20 is traded. */
const BRACKET: Plan = { kind: 'BRACKET', profitTicks: 3, stopTicks: 4 };
const LAY = { side: 1, price: 300 } as const;

describe('a bracket', () => {
	it('places its bet, and at its aim what closes each part that is matched', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 300, 1_000]]);
		expect(made.exposure(ASHA)).toBe(1_000);
		made.lay(BALA, 0, 3.0, 400);
		batches(made);
		// 4.00 at 3.00 are closed by 4.08 at 2.94.
		expect(restingOf(made)).toEqual([
			[0, 300, 600],
			[1, 294, 408],
		]);
		expect(made.exposure(ASHA)).toBe(1_000);
		made.lay(BALA, 0, 3.0, 600);
		batches(made);
		expect(restingOf(made)).toEqual([[1, 294, 1_020]]);
		expect(made.exposure(ASHA)).toBe(1_000);
	});

	it('ends at its aim with the same profit by each runner', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		made.lay(BALA, 0, 3.0, 1_000);
		batches(made);
		made.back(CARLA, 0, 2.94, 500);
		batches(made);
		expect(restingOf(made)).toEqual([[1, 294, 520]]);
		made.back(CARLA, 0, 2.94, 520);
		batches(made);
		expect(plansOf(made)[0]?.[0]).toBe('PLACED');
		expect(made.engine.profitLoss(ASHA, 1)).toEqual([2_120, 2_000, 2_000]);
		expect(made.engine.watchesBooks()).toBe(false);
		expect(made.exposure(ASHA)).toBe(0);
	});

	it('closes what is open at its stop instead of its aim', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		made.lay(BALA, 0, 3.0, 800);
		batches(made);
		made.back(CARLA, 0, 2.94, 316);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 300, 200],
			[1, 294, 500],
		]);
		// Others match at the stop, and 8.00 × 3.00 − 3.16 × 2.94 are open.
		made.cancel(2, ASHA);
		made.lay(BALA, 0, 3.2, 100);
		made.back(CARLA, 0, 3.2, 100);
		batches(made);
		expect(plansOf(made)[0]?.[0]).toBe('PLACED');
		expect(restingOf(made)).toEqual([[1, 320, Math.floor((800 * 300 - 316 * 294) / 320)]]);
	});

	it('closes what is matched later without closing again what was closed', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		made.lay(BALA, 0, 3.0, 400);
		batches(made);
		made.back(CARLA, 0, 2.94, 408);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 300, 600]]);
		made.lay(BALA, 0, 3.0, 500);
		batches(made);
		made.lay(BALA, 0, 3.0, 100);
		batches(made);
		// 6.00 × 3.00 and what the rounding of the first left.
		expect(restingOf(made)).toEqual([[1, 294, Math.floor((1_000 * 300 - 408 * 294) / 294)]]);
		made.back(CARLA, 0, 2.94, 612);
		batches(made);
		expect(made.engine.triggersOf(ASHA)).toEqual([]);
		expect(made.engine.profitLoss(ASHA, 1)).toEqual([2_120, 2_000, 2_000]);
	});

	it('closes a lay by backs, and holds for its stop from the beginning', () => {
		const made = scene();
		place(made, BRACKET, LAY);
		batches(made);
		// Matched at 3.00 and closed at 2.92, 27 more may be lost if the runner does not win; if it wins, the 20.00 of the lay.
		expect(made.exposure(ASHA)).toBe(2_000);
		made.back(BALA, 0, 3.0, 1_000);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 315, 952]]);
		made.lay(CARLA, 0, 2.92, 100);
		made.back(BALA, 0, 2.92, 100);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 292, 1_027]]);
		expect(plansOf(made)[0]?.[0]).toBe('PLACED');
		made.lay(CARLA, 0, 2.92, 1_027);
		// Hundredths of a minor unit: 10.27 × 1.92 − 20.00, and 10.00 − 10.27.
		expect(made.engine.profitLoss(ASHA, 1)).toEqual([-2_816, -2_700, -2_700]);
	});

	it('needs no more money for what closes it than for itself, where nothing else is open', () => {
		const made = scene();
		made.player(14, 1_000);
		place(made, BRACKET, { walletId: 14 });
		batches(made);
		made.lay(BALA, 0, 3.0, 1_000);
		batches(made);
		made.lay(BALA, 0, 3.2, 100);
		made.back(CARLA, 0, 3.2, 100);
		batches(made);
		made.back(CARLA, 0, 3.2, 937);
		expect(made.engine.profitLoss(14, 1)).toEqual([-6_140, -6_300, -6_300]);
	});

	describe('of a player who loses by the same runner', () => {
		/** Player 14 may lose 20.00 if the runner wins. The bet of a bracket asks for no more, but its stop for 0.64. */
		const withLay = (funds: number) => {
			const made = scene();
			made.player(14, funds);
			made.back(BALA, 0, 3.0, 1_000);
			made.lay(14, 0, 3.0, 1_000);
			place(made, BRACKET, { walletId: 14 });
			batches(made);
			return made;
		};

		it('is refused where its stop asks for more than there is', () => {
			const made = withLay(2_063);
			expect(plansOf(made)).toEqual([['REFUSED', 'INSUFFICIENT_FUNDS', 1_000]]);
			expect([made.exposure(14), restingOf(made)]).toEqual([2_000, []]);
			expect(plansOf(withLay(2_064))).toEqual([['WAITING', null, 938]]);
		});

		it('holds on for its stop as its bet is matched, and not only from the end of the batch on', () => {
			const made = withLay(2_100);
			expect(made.exposure(14)).toBe(2_064);
			made.lay(CARLA, 0, 3.0, 1_000);
			expect(made.exposure(14)).toBe(2_064);
			expect(codeOf(made.back(14, 1, 2.0, 500))).toBe('INSUFFICIENT_FUNDS');
			batches(made);
			expect(restingOf(made)).toEqual([[1, 294, 1_020]]);
			made.lay(BALA, 0, 3.2, 100);
			made.back(CARLA, 0, 3.2, 100);
			batches(made);
			expect([plansOf(made)[0]?.[0], restingOf(made)]).toEqual(['PLACED', [[1, 320, 937]]]);
		});

		it('holds on for its stop as a back closes its lay, and as that is cancelled', () => {
			const made = scene();
			made.player(14, 1_100);
			made.lay(BALA, 0, 3.0, 1_000);
			made.back(14, 0, 3.0, 1_000);
			place(made, BRACKET, { walletId: 14, ...LAY });
			batches(made);
			expect(made.exposure(14)).toBe(1_028);
			made.back(CARLA, 0, 3.0, 600);
			expect(made.exposure(14)).toBe(1_028);
			batches(made);
			made.cancel(made.effects.triggers.get(3)?.betId as number, 14);
			expect(made.exposure(14)).toBe(1_017);
			batches(made);
			expect([made.exposure(14), restingOf(made)]).toEqual([1_017, [[0, 315, 571]]]);
		});

		it('may lack a coin for its stop where its bet is matched at a better price, which a restart takes as it is', () => {
			const made = scene({ minStake: 1 });
			made.player(14, 3_300);
			made.back(BALA, 0, 3.0, 1_600);
			made.lay(14, 0, 3.0, 1_600);
			made.lay(CARLA, 0, 3.05, 10);
			place(made, BRACKET, { walletId: 14, stake: 1_600 });
			batches(made);
			expect(restingOf(made)).toHaveLength(2);
			expect([made.exposure(14), made.engine.market(1)?.mayBeShort]).toEqual([3_300, true]);
		});
	});

	it('ends without a trace when its bet is cancelled unmatched, and goes on with what is matched', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		made.cancel(2, ASHA);
		batches(made);
		expect([plansOf(made)[0]?.[0], made.exposure(ASHA)]).toEqual(['CANCELLED', 0]);
		place(made, BRACKET);
		batches(made);
		made.lay(BALA, 0, 3.0, 500);
		made.cancel(4, ASHA);
		batches(made);
		expect(restingOf(made)).toEqual([[1, 294, 510]]);
	});

	it('leaves the rest to its player when the bet at its aim is cancelled, and is cancelled with both bets', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		made.lay(BALA, 0, 3.0, 500);
		batches(made);
		made.cancel(4, ASHA);
		batches(made);
		expect([plansOf(made)[0]?.[0], restingOf(made)]).toEqual(['CANCELLED', [[0, 300, 500]]]);
		place(made, BRACKET, { walletId: CARLA });
		batches(made);
		made.lay(BALA, 0, 3.0, 700);
		batches(made);
		const own = made.engine.triggersOf(CARLA)[0]?.triggerId as number;
		made.apply({ kind: 'cancel-trigger', atMs: 0, triggerId: own });
		expect(restingOf(made)).toEqual([]);
		expect(made.engine.unmatchedBets(CARLA)).toEqual([]);
	});

	it('closes less once a match of its bet is void', () => {
		const made = scene();
		place(made, BRACKET);
		batches(made);
		made.lay(BALA, 0, 3.0, 400);
		made.lay(BALA, 0, 3.0, 600);
		batches(made);
		const match = { batch: 1, rowNumber: 1, takerBetId: 4, makerBetId: 2, stake: 600, price: 300 };
		expect(codeOf(made.apply({ kind: 'void-matches', atMs: 0, marketId: 1, matches: [match] }))).toBeNull();
		batches(made);
		expect(restingOf(made)).toEqual([[1, 294, 408]]);
	});

	it.each([
		['no ticks to its aim', { ...BRACKET, profitTicks: 0 }, {}, {}, 'VALIDATION_FAILED'],
		['half a tick to its stop', { ...BRACKET, stopTicks: 0.5 }, {}, {}, 'VALIDATION_FAILED'],
		['an aim beyond the ladder', { ...BRACKET, profitTicks: 300 }, {}, {}, 'PRICE_NOT_ON_LADDER'],
		['a lay at its aim that is larger than a bet may be', BRACKET, {}, { maxStake: 1_000 }, 'STAKE_TOO_LARGE'],
		['a back at its stop that may win more than a bet may', BRACKET, LAY, { maxProfit: 1_500 }, 'PROFIT_TOO_LARGE'],
		[
			'a stop so far away that no number of a bet has what closes it there',
			{ ...BRACKET, stopTicks: 300 },
			{ side: 1, price: 60_000, stake: 10_000_000 },
			{},
			'STAKE_TOO_LARGE',
		],
		['bets each way', BRACKET, {}, { eachWayDivisor: 4, runners: 4, numberOfWinners: 2 }, 'TERMS_NOT_POSSIBLE'],
	] as const)('is refused with %s', (_, plan, asked, market, code) => {
		expect(codeOf(place(scene(market), plan as Plan, asked))).toBe(code);
	});
});
