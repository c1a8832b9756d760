/**
 * Finds the row of an id. Ids of 31 bits are consecutive, so each page of neighbouring ids is a plain table without a
 * search. A page without ids is freed. The engine keeps larger ids in a map.
 */
import { allocate, at, free, NONE, widened } from './blocks';

/** A page holds two to the power of this ids. It begins with a block that counts them. */
const PAGE_BITS: i32 = 9;
const IN_PAGE: i32 = (1 << PAGE_BITS) - 1;
const PAGE_BLOCKS: i32 = 33;
const NUMBERS_IN_BLOCK: i32 = 16;

/** The engine's map of larger ids, see src/engine/kernel.ts. A number that is no id is not in it. */
declare function findFar(kind: i32, id: f64): i32;
declare function setFar(kind: i32, id: f64, row: i32): void;
declare function removeFar(kind: i32, id: f64): void;

/** The list of pages, by their number: its row, and its length in blocks. */
@unmanaged
class Index {
	pages: i32;
	blocks: i32;
}
const INDEX: usize = 8;
/** By the kind of rows: bets, wallets and markets. */
const indexes: usize = memory.data(4 * 8, 64);

function indexOf(kind: i32): Index {
	return changetype<Index>(indexes + <usize>kind * INDEX);
}

function slotOf(page: i32, id: i32): usize {
	return at(page + 1) + ((<usize>(id & IN_PAGE)) << 2);
}

/** Whether an id is a whole number of 31 bits. */
function isNear(id: f64): bool {
	return <f64>(<i32>id) == id && id >= 0;
}

/** The row of an id, or NONE. */
export function findId(kind: i32, id: f64): i32 {
	if (!isNear(id)) return findFar(kind, id);
	const page = pageOf(kind, <i32>id);
	return page == NONE ? NONE : load<i32>(slotOf(page, <i32>id));
}

/** Enters a new id. */
export function setId(kind: i32, id: f64, row: i32): void {
	if (!isNear(id)) {
		setFar(kind, id, row);
		return;
	}
	let page = pageOf(kind, <i32>id);
	if (page == NONE) page = addPage(kind, <i32>id);
	store<i32>(slotOf(page, <i32>id), row);
	store<i32>(at(page), load<i32>(at(page)) + 1);
}

/** Removes an id. */
export function removeId(kind: i32, id: f64): void {
	if (!isNear(id)) {
		removeFar(kind, id);
		return;
	}
	const page = pageOf(kind, <i32>id);
	if (page == NONE) return;
	store<i32>(slotOf(page, <i32>id), NONE);
	const left = load<i32>(at(page)) - 1;
	store<i32>(at(page), left);
	if (left > 0) return;
	store<i32>(entryOf(kind, <i32>id >> PAGE_BITS), NONE);
	free(page, PAGE_BLOCKS);
}

function pageOf(kind: i32, id: i32): i32 {
	const number = id >> PAGE_BITS;
	return number < indexOf(kind).blocks * NUMBERS_IN_BLOCK ? load<i32>(entryOf(kind, number)) : NONE;
}

function entryOf(kind: i32, number: i32): usize {
	return at(indexOf(kind).pages) + ((<usize>number) << 2);
}

function addPage(kind: i32, id: i32): i32 {
	const number = id >> PAGE_BITS;
	const index = indexOf(kind);
	if (number >= index.blocks * NUMBERS_IN_BLOCK) widen(index, number / NUMBERS_IN_BLOCK + 1);
	const page = allocate(PAGE_BLOCKS);
	store<i32>(entryOf(kind, number), page);
	return page;
}

function widen(index: Index, needed: i32): void {
	const blocks = max(needed, index.blocks * 2);
	index.pages = widened(index.pages, index.blocks, blocks);
	index.blocks = blocks;
}
