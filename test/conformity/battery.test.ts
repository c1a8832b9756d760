/** The statistical battery finds each planted fault, and nothing in sound streams; its functions have known values. */
import { expect, it } from 'vitest';
import { figuresOf, verdictOn } from '../../tools/conformity/battery/battery.ts';
import {
	chiSquareChance,
	fitChance,
	normalChance,
	poissonChance,
	upperGamma,
} from '../../tools/conformity/battery/distributions.ts';
import { PLANTED_STREAMS, soundStream } from '../../tools/conformity/battery/planted-streams.ts';
import { STREAM_TESTS } from '../../tools/conformity/battery/stream-tests.ts';

const COUNT = 40_000;
/** The streams follow from it, so that a run finds what the run before found. */
const SEED = 'battery';

it('the distributions have the values of tables', () => {
	// Upper points of chi square, 5 % and 1 %: NIST handbook, 1.3.6.7.4.
	for (const [degrees, at, upper] of [
		[1, 3.841, 0.05],
		[10, 18.307, 0.05],
		[10, 23.209, 0.01],
		[100, 124.342, 0.05],
	] as const)
		expect(upperGamma(degrees / 2, at / 2)).toBeCloseTo(upper, 4);
	expect(chiSquareChance(18.307, 10)).toBeCloseTo(0.1, 3);
	expect(normalChance(1.96)).toBeCloseTo(0.05, 4);
	expect(normalChance(-2.5758)).toBeCloseTo(0.01, 4);
	// By hand: e^-2 is P(X = 0) of a mean of 2.
	expect(poissonChance(0, 2)).toBeCloseTo(2 * Math.exp(-2), 10);
	expect(poissonChance(2, 2)).toBe(1);
	expect(poissonChance(6, 2)).toBeCloseTo(2 * (1 - Math.exp(-2) * (1 + 2 + 2 + 4 / 3 + 2 / 3 + 4 / 15)), 10);
	// Fewer than five expected are taken together with their neighbours: two cells of ten.
	expect(fitChance([4, 4, 12], [3, 7, 10])).toBeCloseTo(chiSquareChance(0.8, 1), 10);
	expect(fitChance([1, 2], [1, 2])).toBeNull();
});

const found = PLANTED_STREAMS.map(({ fault, open }) => {
	const figures = figuresOf(open(SEED), COUNT);
	return { fault, tests: verdictOn(figures).outside.map(({ test }) => test) };
});

it.each(found)('finds that $fault', ({ tests }) => expect(tests).not.toEqual([]));

it('needs every test that it has: each finds a planted fault', () => {
	const finding = new Set(found.flatMap(({ tests }) => tests));
	expect(Object.keys(STREAM_TESTS).filter((test) => !finding.has(test))).toEqual([]);
});

it('finds nothing in sound streams, whose figures are spread evenly', () => {
	const figures = [2, 3, 6, 10, 37, 52, 100, 10_000, 2 ** 32].flatMap((sides) =>
		figuresOf(soundStream(SEED, sides), COUNT),
	);
	expect(verdictOn(figures).outside).toEqual([]);
	// Half of the figures of a right test are below one half; four standard deviations either way.
	const below = figures.filter(({ chance }) => chance < 0.5).length;
	expect(Math.abs(below - figures.length / 2)).toBeLessThan(2 * Math.sqrt(figures.length));
});
