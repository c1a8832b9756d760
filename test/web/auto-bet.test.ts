/** Auto-bet of Crash against the limits that the player set before it began. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOf, roundsOf, startedRun, withPlaced, withResult } from '#web/features/casino/crash/auto-bet.ts';

const NONE = { rounds: null, stopLoss: null, stopWin: null };
const limit = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: null });

it.each([
	['two rounds', { ...NONE, rounds: 2 }, [-40, -40, -40], 2, 'rounds'],
	['a loss that the next bet could pass', { ...NONE, stopLoss: 100 }, [-40, -40, -40], 2, 'loss'],
	['a loss that is reached exactly', { ...NONE, stopLoss: 80 }, [-40, -40, -40], 2, 'loss'],
	['a win that was reached', { ...NONE, stopWin: 30 }, [-40, 70, 70], 2, 'win'],
	['nothing', NONE, [-40, -40, -40], 3, null],
] as const)('auto-bet ends after %s', (_, plan, profits, placed, why) => {
	let run = startedRun(plan);
	for (const profit of profits) if (endOf(run, 40) === null) run = withResult(withPlaced(run), profit);
	expect([run.placed, endOf(run, 40)]).toEqual([placed, why]);
});

it('auto-bet never passes a limit that the player set (random rounds)', () => {
	const rounds = fc.array(fc.record({ stake: fc.integer({ min: 1, max: 50 }), multiple: fc.nat({ max: 4 }) }), {
		maxLength: 40,
	});
	const plans = fc.record({ rounds: limit(20), stopLoss: limit(200), stopWin: limit(200) });
	fc.assert(
		fc.property(plans, rounds, (plan, results) => {
			let run = startedRun(plan);
			let [placed, net] = [0, 0];
			for (const { stake, multiple } of results) {
				if (endOf(run, stake) !== null) continue;
				expect(net).toBeLessThan(plan.stopWin ?? Number.POSITIVE_INFINITY);
				placed++;
				net += stake * multiple - stake;
				run = withResult(withPlaced(run), stake * multiple - stake);
				expect(net).toBeGreaterThanOrEqual(-(plan.stopLoss ?? Number.POSITIVE_INFINITY));
				expect(placed).toBeLessThanOrEqual(plan.rounds ?? Number.POSITIVE_INFINITY);
			}
		}),
	);
});

it('a number of rounds that is no number of rounds is no missing limit', () => {
	expect(['', '0', '00', '1', '10000000', '99999999999999999999'].map(roundsOf)).toEqual([
		null,
		undefined,
		undefined,
		1,
		10_000_000,
		undefined,
	]);
});
