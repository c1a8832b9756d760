/** Limits by key forget the keys that are idle, and none that asks. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AttemptBackOff } from '#server/people/players/back-off.ts';
import { RateLimit, SteadyLimit } from '#server/people/players/rate-limit.ts';
import { Refused } from '#values/error-catalogue.ts';

/** More than a limit remembers, in two halves that it does. */
const HALF = 60_000;

function isTaken(limit: RateLimit, key: string): boolean {
	try {
		limit.take(key);
		return true;
	} catch (error) {
		if (error instanceof Refused && error.code === 'THROTTLED') return false;
		throw error;
	}
}
const limits: [string, () => (key: string) => boolean][] = [
	[
		'of a window',
		() => {
			const limit = new RateLimit(1);
			return (key) => isTaken(limit, key);
		},
	],
	[
		'of a steady rate',
		() => {
			const limit = new SteadyLimit<string>(() => 0);
			return (key) => limit.take(key, 1);
		},
	],
	[
		'of attempts',
		() => {
			const limit = new AttemptBackOff({ free: 1, firstWaitMs: 1000, longestWaitMs: 60_000 }, () => 0);
			return (key) => {
				const mayTry = limit.waitMs(key) === 0;
				if (mayTry) limit.count(key);
				return mayTry;
			};
		},
	],
];

describe.each(limits)('a limit %s', (_, limitOf) => {
	it('holds a key that goes on asking while a flood of others comes, and forgets one that does not', () => {
		const take = limitOf();
		expect([take('asks'), take('idle'), take('asks'), take('idle')]).toEqual([true, true, false, false]);
		for (let at = 0; at < HALF; at++) take(`first ${at}`);
		expect(take('asks')).toBe(false);
		for (let at = 0; at < HALF; at++) take(`second ${at}`);
		expect([take('asks'), take('idle')]).toEqual([false, true]);
	});
});

it('a jump of the wall clock opens no limit', () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	onTestFinished(() => void vi.useRealTimers());
	const [window, steady] = [new RateLimit(1), new SteadyLimit<string>()];
	const take = () => [isTaken(window, 'key'), steady.take('key', 1)];
	expect(take()).toEqual([true, true]);
	for (const days of [1, -2]) {
		vi.setSystemTime(Date.now() + days * 86_400_000);
		expect(take()).toEqual([false, false]);
	}
});
