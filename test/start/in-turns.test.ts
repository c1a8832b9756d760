import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { flatMapInTurns, groupInTurns, visitInTurns } from '#server/platform/pacing/in-turns.ts';

/** Keeps the processor for some time, as the sums of a bet do. */
function compute(ms: number): void {
	const from = performance.now();
	while (performance.now() - from < ms);
}

/** How often others had their turn while the work was done. */
async function turnsBeside(work: () => Promise<void>): Promise<number> {
	let turns = 0;
	const end = { isReached: false };
	const working = work().finally(() => {
		end.isReached = true;
	});
	while (!end.isReached) {
		await turn();
		turns++;
	}
	await working;
	return turns;
}

it('long work gives others their turns, and short work is done at once', async () => {
	const items = Array.from({ length: 320 }, (_, at) => at);
	const seen: number[] = [];
	const long = await turnsBeside(() => visitInTurns(items, (item) => void (seen.push(item), compute(0.2))));
	expect(seen).toEqual(items);
	// Ten looks at the clock, each after 6 ms of work.
	expect(long).toBeGreaterThanOrEqual(10);
	expect(await turnsBeside(() => visitInTurns(items, () => {}))).toBeLessThan(long);
});

it('maps and groups as arrays and maps do', async () => {
	const items = Array.from({ length: 1000 }, (_, at) => (at * 7919) % 1013);
	const twice = (item: number, at: number) => (item % 3 === 0 ? [] : [item, at]);
	expect(await flatMapInTurns(items, twice)).toEqual(items.flatMap(twice));
	const grouped = await groupInTurns(items, (item) => item % 10);
	expect([...grouped]).toEqual([...Map.groupBy(items, (item) => item % 10)]);
});
