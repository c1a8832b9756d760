/** The picture of a finish: the margins that times at the line make, and how much of the field is on it. */
import { expect, it } from 'vitest';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { filmOf, finishersOf, spanOf } from '#web/features/market/watch/photo-places.ts';

const SILKS = { pattern: 'PLAIN', body: '#fff', mark: '#fff', sleeves: '#fff', cap: '#fff' } as const;

/** Ten metres a second: 3,000 m in 300 s. */
const race = (seconds: readonly (number | null)[]): ScoreOf<'horseRacing'> => ({
	sport: 'horseRacing',
	eventId: '1',
	version: 1,
	note: '',
	state: 'FINISHED',
	distanceMetres: 3000,
	going: 'Good',
	runners: seconds.map((time, at) => ({
		runnerId: String(at + 1),
		number: at + 1,
		name: `Horse ${at + 1}`,
		jockey: 'J',
		silks: SILKS,
		status: time === null ? 'FELL' : 'RUNNER',
		position: 0,
		metres: time === null ? 900 : 3000,
		seconds: time,
	})),
});
const tenths = (metres: number): number => Math.round(metres * 10) / 10;
const gapsOf = (seconds: readonly (number | null)[]) =>
	finishersOf(race(seconds)).map(({ horse, gap }) => [horse.number, tenths(gap)]);
const filmed = (seconds: readonly number[]) => filmOf(finishersOf(race(seconds)));

it('has the margin of each horse from the one before, as their times say', () => {
	// 0.12 s are 1.2 m, half a length; 0.36 s more are 3.6 m.
	expect(gapsOf([300.48, 300, null, 300.12])).toEqual([
		[2, 0],
		[4, 1.2],
		[1, 3.6],
	]);
});

it('has a dead heat side by side, and the next horse behind both', () => {
	expect(gapsOf([300, 300.5, 300])).toEqual([
		[1, 0],
		[3, 0],
		[2, 5],
	]);
});

it('cuts film where a horse was long in coming, and nowhere else', () => {
	expect(filmed([300, 300.3, 302, 302.1]).map(({ at, isCut }) => [tenths(at), isCut])).toEqual([
		[0, false],
		[3, false],
		[6.6, true],
		[7.6, false],
	]);
});

it('shows the first three, or as many as there are, and never less than a length', () => {
	expect(spanOf(filmed([300, 300.1, 300.3, 309]))).toBeCloseTo(3);
	expect(spanOf(filmed([300, 300.3]))).toBeCloseTo(3);
	expect(spanOf(filmed([300, 300.01]))).toBe(2.4);
	expect(spanOf([])).toBe(2.4);
});
