/** What a crash interrupted is done once, however often its database is away meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { expect, it } from 'vitest';
import { UnfinishedWork } from '#server/money/funds/unfinished-work.ts';

const log = pino({ level: 'silent' });

/** Begun work that is done at its third attempt, and would fail at any other. */
function doneAtThird() {
	const { promise: done, resolve } = Promise.withResolvers<void>();
	const tried = { count: 0, done };
	const work = async (): Promise<void> => {
		tried.count += 1;
		if (tried.count !== 3) throw new Error('The database is away.');
		resolve();
	};
	new UnfinishedWork({ name: 'test', work, log }).start();
	return tried;
}

it.concurrent('is begun again until it is done, and then no more', async () => {
	const tried = doneAtThird();
	await tried.done;
	// One attempt more would begin before the next turn of the event loop.
	await nextTurn();
	expect(tried.count).toBe(3);
});

it.concurrent('is not begun again after the server stops', async () => {
	let begun = 0;
	const { promise: failed, resolve } = Promise.withResolvers<void>();
	const work = async (): Promise<void> => {
		begun += 1;
		resolve();
		throw new Error('The database is away.');
	};
	const stopped = new UnfinishedWork({ name: 'test', work, log });
	stopped.start();
	const other = doneAtThird();
	await failed;
	await stopped.stop();
	// Two pauses at their shortest are longer than the first one at its longest.
	await other.done;
	expect(begun).toBe(1);
});
