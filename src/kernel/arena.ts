/**
 * The arena of one market. All rows of a market stand together in pages of its own: most bets are on markets that are
 * not in the processor's cache, and each further page costs more to find than to read. When the market has ended, its
 * arena is freed at once.
 */
import { allocate, at, blocksFor, free, NONE, PAGE } from './blocks';

@unmanaged
export class Arena {
	/** The unused blocks, from one to another. */
	unused: i32;
	end: i32;
	/** The latest pages; their first block names the pages before them, and their number of blocks. */
	pages: i32;
	/** The block freed last; each free block names the one before it in its first word. */
	spareBlock: i32;
}

@unmanaged
class Pages {
	before: i32;
	blocks: i32;
}

/** Allocates a row of that many blocks, all zeros. */
export function allocateIn(arena: Arena, blocks: i32): i32 {
	if (arena.unused + blocks > arena.end) addPages(arena, blocks);
	const row = arena.unused;
	arena.unused += blocks;
	return row;
}

/** The first number of an unused block, the next one or one of the `blocks` after it; 0 where other pages follow. */
export function nextNumber(arena: Arena, blocks: i32): i32 {
	return arena.unused + blocks < arena.end ? load<i32>(at(arena.unused + blocks)) : 0;
}

/** Allocates a single block without clearing it. */
export function allocateBlock(arena: Arena): i32 {
	const row = arena.spareBlock;
	if (row == NONE) return allocateIn(arena, 1);
	arena.spareBlock = load<i32>(at(row));
	return row;
}

/** Frees a single block; only its first word changes. */
export function freeBlock(arena: Arena, row: i32): void {
	store<i32>(at(row), arena.spareBlock);
	arena.spareBlock = row;
}

/** Frees the whole arena. */
export function freeArena(arena: Arena): void {
	for (let row = arena.pages; row != NONE; ) {
		const before = changetype<Pages>(at(row)).before;
		free(row, changetype<Pages>(at(row)).blocks);
		row = before;
	}
	arena.unused = arena.end = arena.pages = arena.spareBlock = NONE;
}

function addPages(arena: Arena, needed: i32): void {
	const blocks = blocksFor(((needed + PAGE) / PAGE) * PAGE);
	const row = allocate(blocks);
	const pages = changetype<Pages>(at(row));
	pages.before = arena.pages;
	pages.blocks = blocks;
	arena.pages = row;
	arena.unused = row + 1;
	arena.end = row + blocks;
}
