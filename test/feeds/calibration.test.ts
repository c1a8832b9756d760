/** What is priced at a quarter, a half or three quarters happens that often, in every sport and all its markets. */
import { expect, it } from 'vitest';
import { SIMULATED_SPORTS } from '#server/feeds/simulated/simulated-sports.ts';
import { calibrate } from '../../bench/support/calibration.ts';

const FIXTURES = 700;

it.each(SIMULATED_SPORTS.map((sport) => [sport.key, sport] as const))('%s is calibrated', (_, sport) => {
	for (const { seen, expected, happened } of calibrate(sport, FIXTURES, 3)) {
		// Four standard deviations: a wrong model is far outside, chance is not.
		const slack = 4 * Math.sqrt((expected * (1 - expected)) / seen);
		expect(seen).toBeGreaterThan(50);
		expect(Math.abs(happened / seen - expected)).toBeLessThan(slack);
	}
});
