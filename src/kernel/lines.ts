/**
 * The memory of one engine: lines of 64 bytes, as the processor's cache takes them. Everything stands in rows of whole
 * lines, and a row's number is the number of the line it begins at, so it is found by a shift and never moves. Lines
 * that were given back are handed out again to rows of the same length.
 */

/** What the digest is told a row is of; bets, wallets and markets have an index of their own, too. */
export const BETS: i32 = 0;
export const POSITIONS: i32 = 1;
export const WALLETS: i32 = 2;
export const MARKETS: i32 = 3;

/** No row begins at the first line. */
export const NONE: i32 = 0;
export const LINE: i32 = 64;
const LINE_BITS: i32 = 6;
/** Lines that the processor finds by one address of its own: a page of its memory. */
export const PAGE: i32 = 64;

/** What memory grows by at least, in the machine's pages of 64 KB, and the part of it that it grows by. */
const LEAST_GROWTH: i32 = 16;
const GROWTH_PART: i32 = 8;
const LINES_A_PAGE: i32 = 1 << 10;

/** Rows up to so many lines are given back by their exact length, longer ones by the next power of two. */
const EXACT_LENGTHS: i32 = 64;
const LENGTHS: i32 = EXACT_LENGTHS + 32;

/** By length the first row that was given back; each names the next in its first word. */
const spare: usize = memory.data(LENGTHS * 4, 64);

/** Told when memory grew: what looked at it from outside looks at nothing now. */
declare function grown(): void;

let unused: i32 = (<i32>__heap_base >> LINE_BITS) + 1;
let limit: i32 = memory.size() * LINES_A_PAGE;

/** Where a row begins. */
export function at(row: i32): usize {
	return (<usize>row) << LINE_BITS;
}

/** A row of so many lines, all zeros. Those of a page or more begin with one. */
export function take(lines: i32): i32 {
	const first = spareOf(lines);
	const row = load<i32>(first);
	if (row == NONE) return fresh(roomFor(lines));
	store<i32>(first, load<i32>(at(row)));
	clear(row, roomFor(lines));
	return row;
}

/** Takes a row back. */
export function give(row: i32, lines: i32): void {
	const first = spareOf(lines);
	store<i32>(at(row), load<i32>(first));
	store<i32>(first, row);
}

/** The same numbers in a longer row; the old one is given back. */
export function widened(row: i32, lines: i32, wider: i32): i32 {
	const longer = take(wider);
	memory.copy(at(longer), at(row), (<usize>lines) << LINE_BITS);
	if (lines > 0) give(row, lines);
	return longer;
}

function clear(row: i32, lines: i32): void {
	const end = at(row + lines);
	for (let word = at(row); word < end; word += 8) store<i64>(word, 0);
}

function fresh(lines: i32): i32 {
	const row = lines >= PAGE ? (unused + PAGE - 1) & ~(PAGE - 1) : unused;
	unused = row + lines;
	if (unused > limit) grow();
	return row;
}

function grow(): void {
	const missing = (unused - limit + LINES_A_PAGE - 1) / LINES_A_PAGE;
	let step = max(missing, max(LEAST_GROWTH, memory.size() / GROWTH_PART));
	// The last of four gigabytes may not leave room for the usual step.
	while (memory.grow(step) < 0) {
		if (step == missing) throw new Error('no memory is left');
		step = max(missing, step / 2);
	}
	limit = memory.size() * LINES_A_PAGE;
	grown();
}

function spareOf(lines: i32): usize {
	return spare + ((lines <= EXACT_LENGTHS ? lines : EXACT_LENGTHS + bitsOf(lines)) << 2);
}

/** How many lines a row of so many is given. */
export function roomFor(lines: i32): i32 {
	return lines <= EXACT_LENGTHS ? lines : 1 << bitsOf(lines);
}

/** The power of two that a number fits into. */
function bitsOf(lines: i32): i32 {
	return 32 - clz(lines - 1);
}
