/** The dirty rows, whose digest is stale. The engine computes the digest itself, outside the kernel. */
import { allocate, at, NONE, widened } from './blocks';

/** A row and its kind, in one number. */
export const KIND_BITS: i32 = 2;
const NUMBERS_IN_BLOCK: i32 = 16;

let kept: bool = false;
let list: i32 = NONE;
let blocks: i32 = 0;
let count: i32 = 0;

/** Starts listing the rows that change. */
export function trackDirtyRows(): void {
	kept = true;
	blocks = 16;
	list = allocate(blocks);
}

export function isTracking(): bool {
	return kept;
}

export function addDirtyRow(row: i32, kind: i32): void {
	if (count == blocks * NUMBERS_IN_BLOCK) widen();
	store<i32>(at(list) + ((<usize>count) << 2), (row << KIND_BITS) | kind);
	count++;
}

/** Number of rows in the list. */
export function dirtyCount(): i32 {
	return count;
}

/** The row at which their list begins. */
export function dirtyRows(): i32 {
	return list;
}

/** Empties the list: every digest is up to date. */
export function clearDirtyRows(): void {
	count = 0;
}

function widen(): void {
	list = widened(list, blocks, blocks * 2);
	blocks *= 2;
}
