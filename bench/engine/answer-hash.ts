/** The digests by which the workload's README verifies an answer. */
import type { FillLog } from './workload.ts';

const LANES = [
	{ start: 0x811c9dc5, factor: 0x9e3779b1 },
	{ start: 0x12345678, factor: 0x85ebca6b },
] as const;

function lane({ start, factor }: { start: number; factor: number }, words: Iterable<number>): string {
	let hash = start | 0;
	for (const word of words) {
		hash = Math.imul(hash ^ word, factor);
		hash ^= hash >>> 15;
	}
	return (hash >>> 0).toString(16).padStart(8, '0');
}

export function fillHash(fills: FillLog): string {
	const words = fills.words.subarray(0, fills.length);
	return LANES.map((parameters) => lane(parameters, words)).join('');
}

/** Over book, side, tick, order and remaining stake of every resting order, in that order, then by time. */
export function bookHash(resting: Iterable<readonly number[]>): string {
	return lane(LANES[0], flat(resting));
}

function* flat(rows: Iterable<readonly number[]>): Generator<number> {
	for (const row of rows) yield* row;
}
