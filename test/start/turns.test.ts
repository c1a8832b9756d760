/** Tasks take turns about their subjects. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Turns } from '#server/platform/pacing/turns.ts';

const SUBJECTS = ['a', 'b', 'c'] as const;

const tasks = (mostSubjects: number, heaviest: number) =>
	fc.array(
		fc.record({
			subjects: fc.array(fc.constantFrom(...SUBJECTS), { minLength: 1, maxLength: mostSubjects }),
			weight: fc.integer({ min: 1, max: heaviest }),
			isLate: fc.boolean(),
			fails: fc.boolean(),
		}),
		{ maxLength: 25 },
	);
type Order = Record<(typeof SUBJECTS)[number], number[]>;
const alone = fc.record({ atOnce: fc.constant(1), asked: tasks(4, 1) });
const byWeight = fc.record({ atOnce: fc.integer({ min: 5, max: 7 }), asked: tasks(1, 5) });

describe('turns', () => {
	it('run every task, in the order in which they came, within the weight that a subject bears', async () => {
		await fc.assert(
			fc.asyncProperty(fc.oneof(alone, byWeight), fc.scheduler(), async ({ atOnce, asked }, scheduler) => {
				const turns = new Turns({ atOnce });
				const borne = { a: 0, b: 0, c: 0 };
				const came: Order = { a: [], b: [], c: [] };
				const begun: Order = { a: [], b: [], c: [] };
				const outcomes = Promise.allSettled(
					asked.map(async ({ subjects, weight, isLate, fails }, at) => {
						const different = new Set(subjects);
						if (isLate) await scheduler.schedule(Promise.resolve());
						for (const subject of different) came[subject].push(at);
						const task = async () => {
							for (const subject of different) {
								begun[subject].push(at);
								borne[subject] += weight;
							}
							expect(Math.max(...Object.values(borne))).toBeLessThanOrEqual(atOnce);
							await scheduler.schedule(Promise.resolve());
							for (const subject of different) borne[subject] -= weight;
							if (fails) throw new Error('as asked');
						};
						await turns.takeAll(subjects, task, weight);
					}),
				);
				await scheduler.waitFor(outcomes);
				const said = (await outcomes).map((one) => (one.status === 'rejected' ? String(one.reason) : 'done'));
				expect(said).toEqual(asked.map(({ fails }) => (fails ? 'Error: as asked' : 'done')));
				expect(begun).toEqual(came);
			}),
			{ numRuns: 200 },
		);
	});

	it('refuse one that would be one too many to wait, and take none of its places', async () => {
		const turns = new Turns({ atOnce: 2, mostWaiting: 1, refusal: () => new Error('too many') });
		const ends = Promise.withResolvers<void>();
		const kept = [turns.take('a', () => ends.promise, 2), turns.take('a', async () => undefined)];
		await expect(turns.takeAll(['b', 'a'], async () => undefined)).rejects.toThrow('too many');
		await turns.take('b', async () => undefined, 2);
		ends.resolve();
		await Promise.all(kept);
		await turns.take('a', async () => undefined, 2);
	});
});
