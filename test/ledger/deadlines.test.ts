/** Deadlines of commands that were applied: those of one millisecond share a timer. */
import { expect, it } from 'vitest';
import { Deadlines } from '#server/exchange/order/deadline.ts';

const never = new Promise<never>(() => {});
const unknown = { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN' } };

it('refuses what is unsettled when its deadline comes, and nothing else of the same millisecond', async () => {
	const deadlines = new Deadlines('OUTCOME_UNKNOWN');
	const untilMs = performance.now() + 30;
	const durable = Promise.withResolvers<string>();
	const waiting = [durable.promise, never, Promise.reject(new Error('lost'))];
	const answers = waiting.map((promise) => deadlines.before(promise, untilMs));
	const later = deadlines.before(durable.promise, untilMs + 60_000);
	durable.resolve('done');
	const done = { status: 'fulfilled', value: 'done' };
	const lost = { status: 'rejected', reason: { message: 'lost' } };
	expect(await Promise.allSettled([...answers, later])).toMatchObject([done, unknown, lost, done]);
	expect(performance.now()).toBeGreaterThanOrEqual(untilMs - 1);
	// It has passed, and what comes now is refused as well.
	expect(await Promise.allSettled([deadlines.before(never, untilMs)])).toMatchObject([unknown]);
});
