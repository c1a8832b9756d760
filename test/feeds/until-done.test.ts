/** How feeds repeat a failed act: the pauses, and the log. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { BackOff } from '#server/platform/pacing/back-off.ts';
import { untilDone } from '#server/world/feeds/until-done.ts';
import { Refused } from '#values/error-catalogue.ts';

describe('the waits between attempts', () => {
	const waits = (backOff: BackOff, count: number) => Array.from({ length: count }, () => backOff.failed());

	it('double up to the longest', () => {
		const latest = new BackOff({ firstMs: 250, longestMs: 10_000 }, () => 1);
		expect(waits(latest, 8)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
	});

	it('are spread over the second half of each', () => {
		const earliest = new BackOff({ firstMs: 250, longestMs: 10_000 }, () => 0);
		expect(waits(earliest, 3)).toEqual([125, 250, 500]);
	});

	it('begin anew after a success', () => {
		const backOff = new BackOff({ firstMs: 250, longestMs: 10_000 }, () => 1);
		waits(backOff, 5);
		backOff.succeeded();
		expect(waits(backOff, 2)).toEqual([250, 500]);
	});

	it('stay at the longest however often it fails', () => {
		const backOff = new BackOff({ firstMs: 250, longestMs: 10_000 }, () => 1);
		expect(waits(backOff, 5000).at(-1)).toBe(10_000);
	});
});

describe('work that fails', () => {
	const { signal } = new AbortController();
	const logged: { level: number; msg: string; failures?: number }[] = [];
	const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });

	it('succeeds in the end, with two log lines', async () => {
		logged.length = 0;
		let attempts = 0;
		let held = 0;
		const done = await untilDone({
			name: 'the test',
			attempt: async () => {
				attempts++;
				if (attempts < 4) throw new Error('not yet');
			},
			onFailed: async () => {
				held++;
			},
			signal,
			log,
		});
		expect([done, attempts, held]).toEqual([true, 4, 3]);
		expect(logged.map(({ msg, failures }) => [msg, failures])).toEqual([
			['the test failed and is retried', undefined],
			['the test continues', 3],
		]);
	});

	it('because the exchange is unavailable is not logged, and what fails after that is', {
		tags: 'thorough',
	}, async () => {
		logged.length = 0;
		const errors = [new Refused('STARTING'), new Error('broken'), new Refused('STARTING')];
		const attempt = async () => {
			const error = errors.shift();
			if (error) throw error;
		};
		expect(await untilDone({ name: 'the test', attempt, signal, log })).toBe(true);
		expect(logged.map(({ msg, failures }) => [msg, failures])).toEqual([
			['the test failed and is retried', undefined],
			['the test continues', 3],
		]);
		logged.length = 0;
		errors.push(new Refused('STARTING'));
		await untilDone({ name: 'the test', attempt, signal, log });
		expect(logged).toEqual([]);
	});

	it('ends when it is cancelled', async () => {
		const stopping = new AbortController();
		const attempt = async () => {
			stopping.abort();
			throw new Error('never');
		};
		expect(await untilDone({ name: 'the test', attempt, signal: stopping.signal, log })).toBe(false);
	});
});
