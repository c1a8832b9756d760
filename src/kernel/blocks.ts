/**
 * The memory of one engine: blocks of 64 bytes, the size of a cache line. Every row takes whole blocks, and its number is
 * the number of its first block, so a shift finds a row and a row never moves. Freed blocks are reused by rows of the same
 * length.
 */

/** The kind of a row in the digest; bets, wallets and markets also have an index. */
export const BETS: i32 = 0;
export const POSITIONS: i32 = 1;
export const WALLETS: i32 = 2;
export const MARKETS: i32 = 3;

/** No row begins at the first block. It is never written: what is read through NONE is nothing. */
export const NONE: i32 = 0;
export const BLOCK: i32 = 64;
const BLOCK_BITS: i32 = 6;
/** The number of blocks in a page of the processor's memory. */
export const PAGE: i32 = 64;

/** The least growth of memory, in pages of 64 KB, and its share of the present size. */
const LEAST_GROWTH: i32 = 16;
const GROWTH_PART: i32 = 8;
const BLOCKS_IN_MEMORY_PAGE: i32 = 1 << 10;

/** Rows up to this length are reused by their exact length, longer ones by the next power of two. */
const EXACT_LENGTHS: i32 = 64;
const LENGTHS: i32 = EXACT_LENGTHS + 32;

/** By length, the first free row; each free row names the next in its first word. */
const spare: usize = memory.data(LENGTHS * 4, 64);

/** Called after memory has grown: outside views of it are detached then. */
declare function grown(): void;

let unused: i32 = (<i32>__heap_base >> BLOCK_BITS) + 1;
let limit: i32 = memory.size() * BLOCKS_IN_MEMORY_PAGE;

/** Where a row begins. */
export function at(row: i32): usize {
	return (<usize>row) << BLOCK_BITS;
}

/** Allocates a row of that many blocks, all zeros. A row of a page or more begins at a page. */
export function allocate(blocks: i32): i32 {
	const first = spareOf(blocks);
	const row = load<i32>(first);
	if (row == NONE) return fresh(blocksFor(blocks));
	store<i32>(first, load<i32>(at(row)));
	clear(row, blocksFor(blocks));
	return row;
}

/** Frees a row. */
export function free(row: i32, blocks: i32): void {
	const first = spareOf(blocks);
	store<i32>(at(row), load<i32>(first));
	store<i32>(first, row);
}

/** Copies a row into a longer one and frees the old one. */
export function widened(row: i32, blocks: i32, wider: i32): i32 {
	const longer = allocate(wider);
	memory.copy(at(longer), at(row), (<usize>blocks) << BLOCK_BITS);
	if (blocks > 0) free(row, blocks);
	return longer;
}

function clear(row: i32, blocks: i32): void {
	const end = at(row + blocks);
	for (let word = at(row); word < end; word += 8) store<i64>(word, 0);
}

function fresh(blocks: i32): i32 {
	const row = blocks >= PAGE ? (unused + PAGE - 1) & ~(PAGE - 1) : unused;
	unused = row + blocks;
	if (unused > limit) grow();
	return row;
}

function grow(): void {
	const missing = (unused - limit + BLOCKS_IN_MEMORY_PAGE - 1) / BLOCKS_IN_MEMORY_PAGE;
	let step = max(missing, max(LEAST_GROWTH, memory.size() / GROWTH_PART));
	// The last of four gigabytes may not have space for the usual step.
	while (memory.grow(step) < 0) {
		if (step == missing) throw new Error('no memory is left');
		step = max(missing, step / 2);
	}
	limit = memory.size() * BLOCKS_IN_MEMORY_PAGE;
	grown();
}

function spareOf(blocks: i32): usize {
	return spare + ((blocks <= EXACT_LENGTHS ? blocks : EXACT_LENGTHS + bitsOf(blocks)) << 2);
}

/** The number of blocks allocated for a row of that many. */
export function blocksFor(blocks: i32): i32 {
	return blocks <= EXACT_LENGTHS ? blocks : 1 << bitsOf(blocks);
}

/** The smallest power of two that is not below a number. */
function bitsOf(blocks: i32): i32 {
	return 32 - clz(blocks - 1);
}

for (let word = at(NONE); word < at(NONE + 1); word += 8)
	assert(load<i64>(word) == 0, 'no data stands in the first block');
