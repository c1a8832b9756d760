/**
 * Finds the row of an id of 31 bits. Ids are given one after the other, so each page of neighbouring ids is a plain table
 * and needs no search. A page without ids is freed.
 */
import { allocate, at, free, NONE, widened } from './blocks';

/** Ids of a page: two to the power of this. A page begins with a block that says how many of its ids are there. */
const PAGE_BITS: i32 = 9;
const IN_PAGE: i32 = (1 << PAGE_BITS) - 1;
const PAGE_BLOCKS: i32 = 33;
const NUMBERS_IN_BLOCK: i32 = 16;

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

/** The row of an id, or NONE. */
export function findId(kind: i32, id: i32): i32 {
	const page = pageOf(kind, id);
	return page == NONE ? NONE : load<i32>(slotOf(page, id));
}

/** Enters an id that is not there yet. */
export function setId(kind: i32, id: i32, row: i32): void {
	let page = pageOf(kind, id);
	if (page == NONE) page = addPage(kind, id);
	store<i32>(slotOf(page, id), row);
	store<i32>(at(page), load<i32>(at(page)) + 1);
}

/** Takes an id out that is there. */
export function removeId(kind: i32, id: i32): void {
	const page = pageOf(kind, id);
	if (page == NONE) return;
	store<i32>(slotOf(page, id), NONE);
	const living = load<i32>(at(page)) - 1;
	store<i32>(at(page), living);
	if (living > 0) return;
	store<i32>(entryOf(kind, id >> PAGE_BITS), NONE);
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
