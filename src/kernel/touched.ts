/** Which rows the digest of the state has yet to hear of. The digest itself is reckoned outside. */
import { at, NONE, take, widened } from './lines';

/** A row and what it is of, in one number. */
export const KIND_BITS: i32 = 2;
const NUMBERS_A_LINE: i32 = 16;

let kept: bool = false;
let list: i32 = NONE;
let lines: i32 = 0;
let count: i32 = 0;

/** From now on what changes is noted. */
export function keepTouched(): void {
	kept = true;
	lines = 16;
	list = take(lines);
}

export function isKept(): bool {
	return kept;
}

export function note(row: i32, kind: i32): void {
	if (count == lines * NUMBERS_A_LINE) widen();
	store<i32>(at(list) + ((<usize>count) << 2), (row << KIND_BITS) | kind);
	count++;
}

/** How many are noted. */
export function touchedCount(): i32 {
	return count;
}

/** The row that the list of them begins at. */
export function touchedList(): i32 {
	return list;
}

/** All of them were heard of. */
export function forgetTouched(): void {
	count = 0;
}

function widen(): void {
	list = widened(list, lines, lines * 2);
	lines *= 2;
}
