/** The growing delay between tries: free at first, bounded always, forgotten with time. */
import { describe, expect, it } from 'vitest';
import { AttemptBackOff } from '#server/people/players/back-off.ts';

const POLICY = { free: 3, firstWaitMs: 1000, longestWaitMs: 60_000 };
/** Doublings from the first wait to the longest: 1, 2, 4, 8, 16, 32, 60 s. */
const DOUBLINGS = 6;

function backOff() {
	const clock = { nowMs: 0 };
	const subject = new AttemptBackOff(POLICY, () => clock.nowMs);
	/** Tries as soon as it may. */
	const tryAgain = (key: string): number => {
		const waitMs = subject.waitMs(key);
		clock.nowMs += waitMs;
		subject.count(key);
		return waitMs;
	};
	return { clock, subject, tryAgain };
}

/** Numbers from 0 to 1 that are the same in every run. */
function* random(seed: number): Generator<number, never> {
	for (let state = seed; ; ) {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		yield state / 2 ** 32;
	}
}

describe('a back-off', () => {
	it('doubles the wait after each attempt that is not free, up to its limit', () => {
		const { tryAgain } = backOff();
		const waits = Array.from({ length: 14 }, () => tryAgain('key') / 1000);
		expect(waits.slice(0, 8)).toEqual([0, 0, 0, 1, 2, 4, 8, 16]);
		// By now some of the first tries are forgotten, so a step may repeat; none goes back.
		expect(waits).toEqual(waits.toSorted((one, other) => one - other));
		expect(waits.at(-1)).toBe(60);
	});

	it('delays no other key', () => {
		const { subject, tryAgain } = backOff();
		for (let tries = 0; tries < 20; tries++) tryAgain('one');
		expect(subject.waitMs('other')).toBe(0);
	});

	it('counts simultaneous attempts', () => {
		const { subject } = backOff();
		for (let tries = 0; tries < 3; tries++) subject.count('key');
		expect(subject.waitMs('key')).toBe(1000);
	});

	it('opens at once for a forgiven key, and counts one less after a correct attempt', () => {
		const { subject } = backOff();
		for (let tries = 0; tries < 3; tries++) subject.count('key');
		subject.uncount('key');
		expect(subject.waitMs('key')).toBe(0);
		for (let tries = 0; tries < 3; tries++) subject.count('key');
		subject.forgive('key');
		subject.count('key');
		expect(subject.waitMs('key')).toBe(0);
	});

	it('forgets one attempt in each of its longest waits', () => {
		const { clock, subject, tryAgain } = backOff();
		for (let tries = 0; tries < 30; tries++) tryAgain('key');
		clock.nowMs += (POLICY.free + DOUBLINGS) * POLICY.longestWaitMs;
		expect([tryAgain('key'), tryAgain('key'), tryAgain('key')]).toEqual([0, 0, 0]);
		expect(subject.waitMs('key')).toBe(1000);
	});

	it('admits no more than its rate and waits no longer than its limit, for random attempts', () => {
		for (let seed = 1; seed <= 40; seed++) {
			const { clock, subject } = backOff();
			const chance = random(seed);
			const pause = chance.next().value * 20_000;
			let admitted = 0;
			for (let tries = 0; tries < 300; tries++) {
				clock.nowMs += Math.floor(chance.next().value * pause);
				const waitMs = subject.waitMs('key');
				expect(waitMs).toBeLessThanOrEqual(POLICY.longestWaitMs);
				if (waitMs > 0) continue;
				subject.count('key');
				admitted++;
			}
			const mostAdmitted = POLICY.free + DOUBLINGS + 1 + clock.nowMs / POLICY.longestWaitMs;
			expect(admitted).toBeLessThanOrEqual(mostAdmitted);
		}
	});
});
