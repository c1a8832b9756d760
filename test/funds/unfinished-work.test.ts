/** What a crash interrupted is done once, however often its database is away meanwhile. */
import pino from 'pino';
import { expect, it } from 'vitest';
import { UnfinishedWork } from '#server/money/funds/unfinished-work.ts';

const log = pino({ level: 'silent' });

it('is begun again until it is done, and then no more', async () => {
	const { promise: done, resolve } = Promise.withResolvers<void>();
	let begun = 0;
	const work = async (): Promise<void> => {
		begun += 1;
		if (begun < 3) throw new Error('The database is away.');
		resolve();
	};
	new UnfinishedWork({ name: 'test', work, log }).start();
	await done;
	expect(begun).toBe(3);
});

it('is not begun again after the server stops', async () => {
	let begun = 0;
	const { promise: failed, resolve } = Promise.withResolvers<void>();
	const work = async (): Promise<void> => {
		begun += 1;
		resolve();
		throw new Error('The database is away.');
	};
	const unfinished = new UnfinishedWork({ name: 'test', work, log });
	unfinished.start();
	await failed;
	await unfinished.stop();
	// Longer than the first pause.
	await new Promise((resolveLater) => setTimeout(resolveLater, 300));
	expect(begun).toBe(1);
});
