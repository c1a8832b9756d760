/** That an answer does not say by its time what became of the work. */
import { expect, it } from 'vitest';
import { ANSWER_MS, evenly } from '#server/people/players/evenly.ts';

/** A timer may fire within a millisecond of its time. */
const EARLY_MS = 2;

it('an outcome and a refusal take the same least time, which is longer than the work', async () => {
	const taken = async (work: () => Promise<string>) => {
		const begun = performance.now();
		const outcome = await evenly(work, ANSWER_MS).catch((refusal: Error) => refusal.message);
		return { outcome, isEven: performance.now() - begun >= ANSWER_MS - EARLY_MS };
	};
	const all = [taken(async () => 'known'), taken(() => Promise.reject(new Error('refused')))];
	expect(await Promise.all(all)).toEqual([
		{ outcome: 'known', isEven: true },
		{ outcome: 'refused', isEven: true },
	]);
});
