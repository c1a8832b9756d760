/**
 * Books with triggers: which of them changed since their triggers were looked at, the prices of their fills since, and the
 * ticks that concern a trigger. Nearly all changes concern none, which is found here, without the triggers:
 * src/engine/triggers has these.
 */
import { allocate, at, free, NONE, widened } from './blocks';

/** Prices that triggers watch: of the last fill, and the best one that a backer and a layer can take. */
export const LAST: i32 = 0;
export const BACKERS: i32 = 1;
export const LAYERS: i32 = 2;
const BOUNDS: usize = 8;

@unmanaged
export class Watch {
	/** NONE once the book is forgotten. */
	book: i32;
	isListed: i32;
	/** The lowest and the highest price of a fill since its triggers were looked at; 0 for none. */
	lowestPrice: i32;
	highestPrice: i32;
	/**
	 * By the price that is watched: what lies between concerns no trigger. Of the last fill they are prices, and ticks of
	 * the others.
	 */
	below: i32;
	above: i32;
	belowForBackers: i32;
	aboveForBackers: i32;
	belowForLayers: i32;
	aboveForLayers: i32;
}

/** Beyond all ticks and prices. */
const NEVER_BELOW: i32 = i32.MIN_VALUE;
const NEVER_ABOVE: i32 = i32.MAX_VALUE;
const NUMBERS_IN_BLOCK: i32 = 16;

/** The watches whose books changed. */
let list: i32 = NONE;
let blocks: i32 = 0;
let count: i32 = 0;

export function watchAt(row: i32): Watch {
	return changetype<Watch>(at(row));
}

/** Adds a watch that nothing concerns. */
export function addWatch(book: i32): i32 {
	const row = allocate(1);
	watchAt(row).book = book;
	for (let price = LAST; price <= LAYERS; price++) bound(row, price, NEVER_BELOW, NEVER_ABOVE);
	return row;
}

/** The book of a watch is forgotten. */
export function endWatch(row: i32): void {
	const watch = watchAt(row);
	watch.book = NONE;
	if (!watch.isListed) free(row, 1);
}

/** Sets the bounds of a price that is watched. */
export function bound(row: i32, price: i32, below: i32, above: i32): void {
	const bounds = at(row) + offsetof<Watch>('below') + <usize>price * BOUNDS;
	store<i32>(bounds, below);
	store<i32>(bounds, above, 4);
}

/** Whether prices from the lowest to the highest may concern a trigger. */
export function isConcerned(row: i32, price: i32, lowest: i32, highest: i32): bool {
	const bounds = at(row) + offsetof<Watch>('below') + <usize>price * BOUNDS;
	return lowest <= load<i32>(bounds) || highest >= load<i32>(bounds, 4);
}

/** The book of a watch changed. */
export function listWatch(row: i32): void {
	const watch = watchAt(row);
	if (watch.isListed) return;
	watch.isListed = 1;
	if (count == blocks * NUMBERS_IN_BLOCK) widen();
	store<i32>(at(list) + ((<usize>count) << 2), row);
	count++;
}

/** Takes a book that changed out of the list, or NONE. */
export function nextChanged(): i32 {
	while (count > 0) {
		count--;
		const row = load<i32>(at(list) + ((<usize>count) << 2));
		const watch = watchAt(row);
		watch.isListed = 0;
		if (watch.book != NONE) return watch.book;
		free(row, 1);
	}
	return NONE;
}

/** Counts the prices of a fill in. */
export function noteFills(row: i32, first: i32, last: i32): void {
	const watch = watchAt(row);
	widenRange(watch, first);
	widenRange(watch, last);
	listWatch(row);
}

function widenRange(watch: Watch, price: i32): void {
	if (watch.lowestPrice == 0 || price < watch.lowestPrice) watch.lowestPrice = price;
	if (price > watch.highestPrice) watch.highestPrice = price;
}

function widen(): void {
	const more = blocks == 0 ? 1 : blocks * 2;
	list = widened(list, blocks, more);
	blocks = more;
}
