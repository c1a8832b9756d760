/** A step of a walk lasts as long on a slow machine as on a fast one: it takes fewer bets there. */
import { expect, it } from 'vitest';
import { StepPace } from '#server/exchange/order/step-pace.ts';

const LIMITS = { most: 500, mostBesideBets: 100 };
const STEPS = 60;

/** What the steps take on a machine that computes so long for a bet, once it is known. */
function stepsOn(msABet: number, areOthersWaiting: boolean): { bets: number; ms: number } {
	const pace = new StepPace(LIMITS);
	for (let step = 0; step < STEPS; step++) pace.took(pace.next(areOthersWaiting), pace.next(areOthersWaiting) * msABet);
	const bets = pace.next(areOthersWaiting);
	return { bets, ms: bets * msABet };
}

it('takes as many bets as are allowed on a fast machine, and lasts no longer on slow ones', () => {
	expect(stepsOn(0.0001, false).bets).toBe(LIMITS.most);
	expect(stepsOn(0.0001, true).bets).toBe(LIMITS.mostBesideBets);
	const [slow, slower] = [stepsOn(0.02, false), stepsOn(0.2, false)];
	expect(slow.bets).toBeLessThan(LIMITS.most);
	expect(slower.bets).toBeLessThan(slow.bets);
	expect(slower.ms).toBeLessThanOrEqual(slow.ms + 0.02);
	expect(stepsOn(0.02, true).ms).toBeLessThan(slow.ms / 2);
});

it('takes one bet on a machine that is too slow for more, and recovers from one slow step', () => {
	expect(stepsOn(1_000, true).bets).toBe(1);
	const pace = new StepPace(LIMITS);
	const next = () => pace.next(false);
	for (let step = 0; step < STEPS; step++) pace.took(next(), next() * 0.001);
	pace.took(500, 500);
	const afterPause = next();
	expect(afterPause).toBeLessThan(LIMITS.most);
	for (let step = 0; step < STEPS; step++) pace.took(next(), next() * 0.001);
	expect(next()).toBe(LIMITS.most);
});
