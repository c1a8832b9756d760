/** Pegs: orders that follow the best price up to a limit. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '#engine/triggers/plan.ts';
import { MARKET } from './exchange-scene.ts';
import { ASHA, BALA, batches, CARLA, codeOf, place, plansOf, restingOf, scene } from './plan-scene.ts';

const OWN: Plan = { kind: 'PEG', follows: 'OWN', ticks: 0 };
const LAY = { side: 1, price: 400 } as const;

describe('a peg', () => {
	it('joins the best price of its own side and follows it, behind what stands there', () => {
		const made = scene();
		made.back(CARLA, 0, 3.5, 200);
		place(made, OWN);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 350, 200],
			[0, 350, 1_000],
		]);
		made.back(BALA, 0, 3.2, 100);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 320, 100],
			[0, 320, 1_000],
			[0, 350, 200],
		]);
		expect(made.exposure(ASHA)).toBe(1_000);
	});

	it('goes back when the best price that it follows is gone, though it stands there itself', () => {
		const made = scene();
		made.back(CARLA, 0, 3.5, 200);
		made.back(BALA, 0, 3.2, 100);
		place(made, OWN);
		batches(made);
		expect(restingOf(made)[1]).toEqual([0, 320, 1_000]);
		made.cancel(2, BALA);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 350, 200],
			[0, 350, 1_000],
		]);
	});

	it('stays at its limit, and where it is when nothing stands that it could follow', () => {
		const made = scene();
		made.back(CARLA, 0, 2.5, 200);
		place(made, OWN);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 250, 200],
			[0, 300, 1_000],
		]);
		made.cancel(1, CARLA);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 300, 1_000]]);
	});

	it('waits without a bet until there is a best price, and holds for its limit meanwhile', () => {
		const made = scene();
		place(made, OWN, LAY);
		batches(made);
		expect([restingOf(made), made.exposure(ASHA)]).toEqual([[], 3_000]);
		made.lay(BALA, 0, 2.0, 100);
		batches(made);
		expect(restingOf(made)).toEqual([
			[1, 200, 100],
			[1, 200, 1_000],
		]);
		expect(made.exposure(ASHA)).toBe(3_000);
	});

	it('holds the worst of its range, which its matched part leaves', () => {
		const made = scene();
		made.lay(BALA, 0, 2.0, 100);
		place(made, OWN, LAY);
		batches(made);
		made.back(CARLA, 0, 2.0, 500);
		batches(made);
		// 4.00 are matched at 2.00, and 6.00 may be matched at 4.00.
		expect(made.exposure(ASHA)).toBe(400 + 1_800);
		expect(plansOf(made)).toEqual([['WAITING', null, 600]]);
		made.lay(BALA, 0, 3.5, 100);
		batches(made);
		expect(restingOf(made)).toEqual([
			[1, 350, 100],
			[1, 350, 600],
		]);
		expect(made.exposure(ASHA)).toBe(2_200);
		made.back(CARLA, 0, 3.0, 700);
		batches(made);
		expect(plansOf(made)).toEqual([['PLACED', null, 600]]);
		expect(made.exposure(ASHA)).toBe(400 + 1_500);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it('goes up to its limit with no more money than it holds from the beginning', () => {
		const made = scene();
		made.player(14, 3_000);
		made.lay(BALA, 0, 2.0, 100);
		place(made, OWN, { ...LAY, walletId: 14 });
		batches(made);
		for (const price of [3.0, 3.95]) {
			made.lay(BALA, 0, price, 100);
			batches(made);
		}
		expect(restingOf(made)[1]).toEqual([1, 395, 1_000]);
		expect([made.cash(14), made.exposure(14)]).toEqual([0, 3_000]);
	});

	it('follows no other peg, and not itself', () => {
		const made = scene();
		made.back(CARLA, 0, 3.5, 200);
		place(made, OWN);
		place(made, { ...OWN, ticks: -0 }, { walletId: BALA, stake: 300 });
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 350, 200],
			[0, 350, 1_000],
			[0, 350, 300],
		]);
		made.cancel(1, CARLA);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 350, 1_000],
			[0, 350, 300],
		]);
	});

	it('stays ticks better than the opposite best price', () => {
		const made = scene();
		made.lay(BALA, 0, 3.2, 200);
		place(made, { kind: 'PEG', follows: 'OPPOSITE', ticks: 2 });
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 330, 1_000],
			[1, 320, 200],
		]);
		made.lay(BALA, 0, 3.25, 200);
		batches(made);
		expect(restingOf(made)[0]).toEqual([0, 335, 1_000]);
	});

	it('is not moved within its delay, and moved when that is over', () => {
		const made = scene({ betDelayMs: 2_000 });
		made.back(CARLA, 0, 3.5, 200, { persist: true });
		made.turnInPlay();
		place(made, OWN);
		batches(made);
		made.back(BALA, 0, 3.2, 100);
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: made.lastBet });
		batches(made);
		expect(restingOf(made)).toHaveLength(2);
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: 3 });
		expect(restingOf(made)).toContainEqual([0, 350, 1_000]);
		batches(made, 2_000);
		expect(restingOf(made)).not.toContainEqual([0, 350, 1_000]);
		made.apply({ kind: 'admit-bet', atMs: 4_000, betId: made.engine.counters().lastBetId });
		expect(restingOf(made)[1]).toEqual([0, 320, 1_000]);
	});

	it('follows no price while quotes are missing', () => {
		const made = scene();
		made.back(CARLA, 0, 3.5, 200);
		place(made, OWN);
		batches(made);
		made.back(BALA, 0, 3.2, 100);
		made.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [1] });
		expect(made.engine.hasTriggersToFire()).toBe(false);
		made.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [] });
		expect(made.engine.hasTriggersToFire()).toBe(true);
	});

	it('ends with its bet when it can follow no more', () => {
		const made = scene();
		made.back(CARLA, 0, 3.5, 200);
		place(made, OWN);
		batches(made);
		made.apply({
			kind: 'set-limits',
			atMs: 0,
			walletId: ASHA,
			limits: { maxStake: 500, maxProfit: 0, maxExposure: 0 },
		});
		made.back(BALA, 0, 3.2, 100);
		batches(made);
		expect(plansOf(made)).toEqual([['REFUSED', 'STAKE_TOO_LARGE', 1_000]]);
		expect(made.exposure(ASHA)).toBe(0);
	});

	it('counts in no queue while its bet is delayed: others follow what stands there', () => {
		const made = scene({ betDelayMs: 2_000 });
		made.back(CARLA, 0, 3.5, 200, { persist: true });
		made.turnInPlay();
		place(made, OWN);
		batches(made);
		expect(made.engine.pendingBets()).toHaveLength(1);
		place(made, OWN, { walletId: BALA, stake: 500 });
		batches(made);
		expect(made.engine.pendingBets()).toHaveLength(2);
	});

	it('is followed by others once it is gone and its bet stays', () => {
		const made = scene();
		made.back(CARLA, 0, 3.5, 200, { persist: true });
		made.lay(BALA, 0, 3.0, 200, { persist: true });
		place(made, { kind: 'PEG', follows: 'OPPOSITE', ticks: 1 }, { persist: false, stake: 300 });
		place(made, OWN, { walletId: CARLA });
		batches(made);
		expect(restingOf(made).slice(0, 3)).toEqual([
			[0, 305, 300],
			[0, 350, 200],
			[0, 350, 1_000],
		]);
		const [peg] = made.engine.restingBets(MARKET, 'PLAY', 0);
		made.apply({ kind: 'update-bet', atMs: 0, betId: peg?.betId ?? 0, walletId: ASHA, persist: true });
		batches(made);
		made.turnInPlay();
		batches(made);
		expect(plansOf(made)[0]).toEqual(['LAPSED', 'TURNED_IN_PLAY', 300]);
		expect(restingOf(made).slice(0, 3)).toEqual([
			[0, 305, 300],
			[0, 305, 1_000],
			[0, 350, 200],
		]);
	});

	it('leaves a rest below the smallest stake at its price, and follows no more', () => {
		const made = scene();
		made.lay(BALA, 0, 2.0, 100);
		place(made, OWN, LAY);
		batches(made);
		made.back(CARLA, 0, 2.0, 1_050);
		batches(made);
		expect(plansOf(made)).toEqual([['WAITING', null, 50]]);
		made.lay(BALA, 0, 2.5, 100);
		batches(made);
		expect(plansOf(made)).toEqual([['PLACED', null, 50]]);
		expect(restingOf(made)).toEqual([
			[1, 250, 100],
			[1, 200, 50],
		]);
		expect(made.exposure(ASHA)).toBe(950 + 50);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it.each([
		['a limit that is no price', OWN, { price: 301 }, 'PRICE_NOT_ON_LADDER'],
		['half a tick', { ...OWN, ticks: 0.5 }, {}, 'VALIDATION_FAILED'],
		['the opposite price itself', { kind: 'PEG', follows: 'OPPOSITE', ticks: 0 }, {}, 'VALIDATION_FAILED'],
		['too many ticks', { ...OWN, ticks: 1_001 }, {}, 'VALIDATION_FAILED'],
		['a price to wait for', OWN, { at: 300 }, 'VALIDATION_FAILED'],
		['more than there is', OWN, { ...LAY, stake: 400_000 }, 'INSUFFICIENT_FUNDS'],
	] as const)('is refused with %s', (_, plan, asked, code) => {
		const made = scene();
		expect(codeOf(place(made, plan as Plan, asked))).toBe(code);
	});

	it('holds for what is left where some of it was matched between its look and its move', () => {
		const made = scene();
		made.lay(BALA, 0, 2, 500);
		place(made, OWN, LAY);
		batches(made);
		made.lay(BALA, 0, 2.1, 500);
		made.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [] });
		// It is due; what was there before it is met, and a part of its bet.
		made.back(CARLA, 0, 2, 1_300);
		made.lay(BALA, 0, 2.2, 500);
		expect(made.apply({ kind: 'fire-triggers', atMs: 0, betId: made.engine.counters().lastBetId + 1 }).ok).toBe(true);
		batches(made);
		expect(plansOf(made)).toEqual([['WAITING', null, 700]]);
	});
});
