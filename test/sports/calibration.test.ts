/**
 * Outcomes priced at a quarter, a half or three quarters happen that often, in every sport and all its markets.
 * @module-tag thorough
 */
import { expect, it } from 'vitest';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { ALL_KINDS, calibrate, deviationsOf } from '../../bench/support/calibration.ts';

const FIXTURES = 500;
/** A match of cricket has so many markets that fewer say as much; the long form, `CALIBRATION=long`, plays all. */
const FIXTURES_OF_CRICKET = process.env['CALIBRATION'] === 'long' ? FIXTURES : 120;
/** Fewer outcomes than this say nothing. */
const ENOUGH = 50;

it.each(SIMULATED_SPORTS.map((sport) => [sport.key, sport] as const))('%s is calibrated', (_, sport) => {
	const kinds = calibrate(sport, sport.key === 'cricket' ? FIXTURES_OF_CRICKET : FIXTURES, 3);
	for (const { seen } of kinds.get(ALL_KINDS) ?? []) expect(seen).toBeGreaterThan(ENOUGH);
	for (const [kind, bands] of kinds) {
		for (const band of bands.filter(({ seen }) => seen > ENOUGH)) {
			// Four standard deviations: a wrong model is far outside, chance is not.
			expect([kind, deviationsOf(band) < 4]).toEqual([kind, true]);
		}
	}
});
