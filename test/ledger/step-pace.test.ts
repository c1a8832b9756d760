/** A step of a walk lasts as long on a slow machine, or a slow disk, as on a fast one: it takes fewer bets there. */
import { describe, expect, it } from 'vitest';
import { StepPace } from '#server/exchange/order/step-pace.ts';

const LIMITS = { most: 500, mostBesideBets: 100 };
const BATCHES = 60;
/** A batch without a step, on a fast machine. */
const ORDINARY_MS = 1;

/** What the steps take on a machine that takes so long for a batch, and for a bet of a step, once both are known. */
function stepsOn(msABet: number, areOthersWaiting: boolean, ordinaryMs = ORDINARY_MS): { bets: number; ms: number } {
	const pace = new StepPace(LIMITS);
	for (let batch = 0; batch < BATCHES; batch++) pace.wrote(0, ordinaryMs);
	for (let batch = 0; batch < BATCHES; batch++) {
		const bets = pace.next(areOthersWaiting);
		pace.wrote(bets, ordinaryMs + bets * msABet);
	}
	const bets = pace.next(areOthersWaiting);
	return { bets, ms: bets * msABet };
}

describe('the pace of steps', () => {
	it('takes as many bets as are allowed on a fast machine, and lasts no longer on slow ones', () => {
		expect(stepsOn(0.0001, false).bets).toBe(LIMITS.most);
		expect(stepsOn(0.0001, true).bets).toBe(LIMITS.mostBesideBets);
		const [slow, slower] = [stepsOn(0.1, false), stepsOn(1, false)];
		expect(slow.bets).toBeLessThan(LIMITS.most);
		expect(slower.bets).toBeLessThan(slow.bets);
		expect(slower.ms).toBeLessThanOrEqual(slow.ms + 0.1);
		expect(stepsOn(0.1, true).ms).toBeLessThan(slow.ms / 2);
	});

	it('adds no more beside bets than a batch takes without it, where that is long anyway', () => {
		const [fast, slowDisk] = [stepsOn(0.1, true), stepsOn(0.1, true, 6)];
		expect(slowDisk.bets).toBeGreaterThan(fast.bets);
		expect(slowDisk.ms).toBeLessThanOrEqual(6.1);
		expect(slowDisk.ms).toBeGreaterThan(4);
	});

	it('takes one bet on a machine that is too slow for more, and recovers from one slow step', () => {
		expect(stepsOn(1_000, true).bets).toBe(1);
		const pace = new StepPace(LIMITS);
		const next = () => pace.next(false);
		const written = () => {
			pace.wrote(0, ORDINARY_MS);
			pace.wrote(next(), ORDINARY_MS + next() * 0.015);
		};
		for (let batch = 0; batch < BATCHES; batch++) written();
		expect(next()).toBe(LIMITS.most);
		pace.wrote(500, 5_000);
		const afterPause = next();
		expect(afterPause).toBeLessThan(LIMITS.most);
		expect(afterPause).toBeGreaterThan(LIMITS.most / 3);
		for (let batch = 0; batch < BATCHES; batch++) written();
		expect(next()).toBe(LIMITS.most);
	});
});
