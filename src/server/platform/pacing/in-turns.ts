/**
 * Work on many items that bets do not wait for: after a few milliseconds the event loop has a turn, in which bets are
 * taken and heartbeats are written. Items must not change until the work is done.
 */
import { setImmediate as turnOfOthers } from 'node:timers/promises';

const LONGEST_MS = 3;
/** Between two looks at the clock: far less than a millisecond of work. */
const ITEMS_A_LOOK = 32;

/** Visits each item, in order. */
export async function visitInTurns<Item>(
	items: Iterable<Item>,
	visit: (item: Item, at: number) => void,
): Promise<void> {
	let sinceMs = performance.now();
	let at = 0;
	for (const item of items) {
		visit(item, at++);
		if (at % ITEMS_A_LOOK !== 0 || performance.now() - sinceMs < LONGEST_MS) continue;
		await turnOfOthers();
		sinceMs = performance.now();
	}
}

/** Maps each item to any number of results, as `flatMap` does. */
export async function flatMapInTurns<Item, Made>(
	items: Iterable<Item>,
	map: (item: Item, at: number) => readonly Made[],
): Promise<Made[]> {
	const made: Made[] = [];
	await visitInTurns(items, (item, at) => void made.push(...map(item, at)));
	return made;
}

/** Groups items as `Map.groupBy` does. */
export async function groupInTurns<Item, Key>(
	items: Iterable<Item>,
	keyOf: (item: Item) => Key,
): Promise<Map<Key, Item[]>> {
	const groups = new Map<Key, Item[]>();
	await visitInTurns(items, (item) => {
		const key = keyOf(item);
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	});
	return groups;
}
