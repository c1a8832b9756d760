/**
 * The resting bets of every runner in every pool: per side and tick a queue, oldest first. Resting backs wait for
 * layers (lowest price first), resting lays for backers (highest price first). Queues stand in pages of 32 ticks,
 * allocated when first needed; a bit for each filled tick finds the best price.
 */

import { Arena, allocateIn } from './arena';
import { BACK, Bet, betAt, LAY } from './bets';
import { at, BLOCK, NONE } from './blocks';
import { arenaOf, bookCount, firstBookOf } from './markets';
import { addFill, fillCount } from './report';
import { addWatch, removeWatch } from './watches';

/** Ticks that a page of queues and a word of bits cover. */
const WORD_BITS: i32 = 5;
const WORD: i32 = 1 << WORD_BITS;
const IN_WORD: i32 = WORD - 1;
/**
 * The order in which bets reached the book, as the engine records delays: twice the bet's id, or after a delay twice
 * the last id assigned by then, plus one.
 */
export declare function reachedBook(bet: i32): f64;

/** The limit of a bet that accepts any price. */
export const ANY_TICK: i32 = -1;

@unmanaged
export class Book {
	/** Backers' stake matched, minor units. */
	totalMatched: f64;
	/** Hundredths, 0 before the first fill. */
	lastPrice: i32;
	/** Where the words of backs and of lays begin. */
	backs: Words;
	lays: Words;
	/** No bet rests beyond these: ladders are long, and bets rest near the best price. */
	bestBack: Words;
	bestLay: Words;
	/** Its market's. */
	arena: Arena;
	/** What concerns its triggers, plans and bets that end by themselves, see watches.ts; NONE for most books, which have none and keep nothing of what follows. */
	watch: i32;
	/** The lowest and the highest price of a fill since its triggers were looked at; 0 for none. */
	lowestPrice: i32;
	highestPrice: i32;
	/** The next one of the books that changed since; NONE for one that did not, and LAST_CHANGED at the end. */
	nextChanged: i32;
}

/** The filled ticks among 32, and the page of their queues or NONE. */
@unmanaged
class Words {
	bits: u32;
	page: i32;
}
const WORDS: usize = 8;

@unmanaged
class Queue {
	/** What rests there, minor units. */
	size: f64;
	oldest: i32;
	newest: i32;
}
const QUEUE: usize = 16;
/** Blocks of a page of queues. */
const QUEUES: i32 = (WORD * <i32>QUEUE) / BLOCK;

function bookAt(row: i32): Book {
	return changetype<Book>(at(row));
}

function wordsOf(book: Book, side: i32, tick: i32): Words {
	const begin = side == BACK ? book.backs : book.lays;
	return changetype<Words>(changetype<usize>(begin) + (<usize>tick >> WORD_BITS) * WORDS);
}

function queueIn(words: Words, tick: i32): Queue {
	return changetype<Queue>(at(words.page) + <usize>(tick & IN_WORD) * QUEUE);
}

function queueOf(book: Book, side: i32, tick: i32): Queue {
	return queueIn(wordsOf(book, side, tick), tick);
}

function blocksOfWords(words: i32): i32 {
	return (2 * words * <i32>WORDS + BLOCK - 1) / BLOCK;
}

/** Opens the books of a market that was added, all of them empty, for a ladder of that many ticks. */
export function addBooks(market: i32, ticks: i32): void {
	const first = firstBookOf(market);
	const arena = arenaOf(market);
	const words = (ticks + WORD - 1) / WORD;
	for (let row = first; row < first + bookCount(market); row++) {
		const book = bookAt(row);
		const backs = at(allocateIn(arena, blocksOfWords(words)));
		const lays = backs + <usize>words * WORDS;
		book.arena = arena;
		book.backs = changetype<Words>(backs);
		book.lays = changetype<Words>(lays);
		book.bestBack = changetype<Words>(lays);
		book.bestLay = changetype<Words>(lays - WORDS);
	}
}

/** Closes a book without resting bets that will get none; its traded volume stays known. */
export function closeBook(row: i32): void {
	const book = bookAt(row);
	book.backs = book.lays = book.bestBack = changetype<Words>(WORDS);
	book.bestLay = changetype<Words>(0);
}

/** Ends what follows the closed books of a market that is about to be forgotten. */
export function endWatches(market: i32): void {
	const first = firstBookOf(market);
	for (let row = first; row < first + bookCount(market); row++) if (bookAt(row).watch != NONE) endWatch(row);
}

/** Puts a bet at the end of its price's queue. */
export function rest(book: i32, row: i32): void {
	const bet = betAt(row);
	const queue = findOrAddQueue(book, bet);
	const newest = queue.newest;
	bet.older = newest;
	bet.newer = NONE;
	if (newest == NONE) queue.oldest = row;
	else betAt(newest).newer = row;
	queue.newest = row;
	queue.size += <f64>bet.remaining;
	noteChange(bookAt(book), book);
}

/**
 * Puts a bet into its price's queue by the time it reached the book, then by its id: it was delayed, or keeps its time
 * at a lowered price, or is restored.
 */
export function restByAge(book: i32, row: i32, reached: f64): void {
	const bet = betAt(row);
	let older = newestOf(book, bet.side, bet.tick);
	while (older != NONE && isYounger(older, reached, bet.id)) older = betAt(older).older;
	const queue = findOrAddQueue(book, bet);
	const newer = older == NONE ? queue.oldest : betAt(older).newer;
	bet.older = older;
	bet.newer = newer;
	if (older == NONE) queue.oldest = row;
	else betAt(older).newer = row;
	if (newer == NONE) queue.newest = row;
	else betAt(newer).older = row;
	queue.size += <f64>bet.remaining;
	noteChange(bookAt(book), book);
}

function isYounger(row: i32, reached: f64, id: f64): bool {
	const other = reachedBook(row);
	return other > reached || (other == reached && betAt(row).id > id);
}

/** Removes stake from a resting bet; one with nothing left leaves its queue. */
export function reduce(book: i32, row: i32, stake: i32): void {
	const bet = betAt(row);
	assert(stake > 0 && stake <= bet.remaining, 'a resting bet is reduced by its remaining stake at most');
	const side = bet.side;
	const words = wordsOf(bookAt(book), side, bet.tick);
	const queue = queueIn(words, bet.tick);
	bet.remaining -= stake;
	queue.size -= <f64>stake;
	noteChange(bookAt(book), book);
	if (bet.remaining > 0) return;
	if (bet.older == NONE) queue.oldest = bet.newer;
	else betAt(bet.older).newer = bet.newer;
	if (bet.newer == NONE) queue.newest = bet.older;
	else betAt(bet.newer).older = bet.older;
	if (queue.oldest != NONE) return;
	words.bits &= ~(1 << (bet.tick & IN_WORD));
}

/**
 * Fills an incoming bet from the resting bets, best price first, then the oldest, and lowers the remaining stake of all
 * of them.
 * @param wanted stake
 * @param limit the worst acceptable tick, or ANY_TICK
 * @returns the number of reported fills, with earlier ones
 */
export function takeFrom(row: i32, side: i32, taker: i32, wanted: i32, limit: i32): i32 {
	const book = bookAt(row);
	let left = wanted;
	while (left > 0) {
		const best = bestFor(row, side);
		if (best < 0 || (limit != ANY_TICK && !meets(side, limit, best))) break;
		const words = wordsOf(book, 1 - side, best);
		const queue = queueIn(words, best);
		const before = left;
		let maker = queue.oldest;
		while (left > 0 && maker != NONE) {
			const bet = betAt(maker);
			const stake = min(bet.remaining, left);
			left -= stake;
			bet.remaining -= stake;
			addFill(maker, bet.id, stake, bet.price);
			if (bet.remaining > 0) break;
			maker = bet.newer;
		}
		queue.oldest = maker;
		queue.size -= <f64>(before - left);
		if (maker != NONE) betAt(maker).older = NONE;
		else {
			queue.newest = NONE;
			words.bits &= ~(1 << (best & IN_WORD));
		}
	}
	betAt(taker).remaining -= wanted - left;
	return fillCount();
}

/** Records a trade in a book: the price of its first and of its last fill, between which the others are, and its stake. */
export function recordTrade(row: i32, first: i32, last: i32, stake: f64): void {
	const book = bookAt(row);
	book.lastPrice = last;
	book.totalMatched += stake;
	if (book.watch != NONE) {
		widenRange(book, first);
		widenRange(book, last);
		noteChange(book, row);
	}
}

/** Counts what was matched outside the book, at none of its prices. */
export function addVolume(row: i32, stake: f64): void {
	bookAt(row).totalMatched += stake;
	noteChange(bookAt(row), row);
}

/** Backers' stake matched, minor units. */
export function volumeOf(row: i32): f64 {
	return bookAt(row).totalMatched;
}

/** The price of the last fill, hundredths; 0 before the first one. */
export function lastPrice(row: i32): i32 {
	return bookAt(row).lastPrice;
}

/** Counts a price into the range of those that were traded. */
function widenRange(book: Book, price: i32): void {
	if (book.lowestPrice == 0 || price < book.lowestPrice) book.lowestPrice = price;
	if (price > book.highestPrice) book.highestPrice = price;
}

export function lowestPrice(row: i32): i32 {
	return bookAt(row).lowestPrice;
}
export function highestPrice(row: i32): i32 {
	return bookAt(row).highestPrice;
}

/** Begins a new range of prices of a book's fills. @param from a price that counts, or 0 for nothing yet */
export function beginRange(row: i32, from: i32): void {
	const book = bookAt(row);
	book.lowestPrice = book.highestPrice = from;
}

const LAST_CHANGED: i32 = -1;
/** The books with triggers that changed, each naming the next: a list that takes no memory and no call. */
let firstChanged: i32 = LAST_CHANGED;

/** A bet outside the book that it would rest in has ended, or lost stake. */
export function noteBet(row: i32): void {
	noteChange(bookAt(row), row);
}

/** Its prices may have changed, or a bet in it. */
function noteChange(book: Book, row: i32): void {
	if (book.watch == NONE || book.nextChanged != NONE) return;
	book.nextChanged = firstChanged;
	firstChanged = row;
}

/** Takes a book that changed out of the list, or NONE. */
export function takeChanged(): i32 {
	if (firstChanged == LAST_CHANGED) return NONE;
	const row = firstChanged;
	firstChanged = bookAt(row).nextChanged;
	bookAt(row).nextChanged = NONE;
	return row;
}

/** The bounds of a book's triggers, or NONE. */
export function watchOf(row: i32): i32 {
	return bookAt(row).watch;
}

/** Watches a book from now on, which counts as changed. @returns its bounds */
export function watchBook(row: i32): i32 {
	const book = bookAt(row);
	if (book.watch == NONE) book.watch = addWatch();
	noteChange(book, row);
	return book.watch;
}

function endWatch(row: i32): void {
	removeWatch(bookAt(row).watch);
	if (bookAt(row).nextChanged == NONE) return;
	let left = firstChanged;
	firstChanged = LAST_CHANGED;
	while (left != LAST_CHANGED) {
		const book = bookAt(left);
		const next = book.nextChanged;
		if (left != row) {
			book.nextChanged = firstChanged;
			firstChanged = left;
		}
		left = next;
	}
}

/** The first resting bet that an incoming one would meet at a tick or a better one, or NONE. */
export function firstMet(row: i32, side: i32, limit: i32): i32 {
	const best = bestFor(row, side);
	return best >= 0 && meets(side, limit, best) ? oldestFor(row, side, best) : NONE;
}

/** A backer takes any resting lay at the limit or higher, a layer any resting back at the limit or lower. */
export function meets(side: i32, limit: i32, resting: i32): bool {
	return side == BACK ? resting >= limit : resting <= limit;
}

/** The best resting tick an incoming bet could take, or -1: a backer takes the highest lay, a layer the lowest back. */
export function bestFor(row: i32, side: i32): i32 {
	const book = bookAt(row);
	return side == BACK ? highestLay(book) : lowestBack(book);
}

/** The next worse tick after one for that incoming side, or -1. */
export function nextFor(row: i32, side: i32, tick: i32): i32 {
	const book = bookAt(row);
	if (side == BACK) return tick == 0 ? -1 : highest(book, tick - 1);
	return lowest(book, tick + 1);
}

/** The oldest resting bet an incoming bet meets at a tick that holds some. */
export function oldestFor(row: i32, side: i32, tick: i32): i32 {
	return queueOf(bookAt(row), 1 - side, tick).oldest;
}

/** The resting stake at a tick that an incoming bet of that side could take. */
export function sizeFor(row: i32, side: i32, tick: i32): f64 {
	return queueOf(bookAt(row), 1 - side, tick).size;
}

/** The newest bet of the queue that a bet of that side and tick would join, or NONE. */
export function newestOf(row: i32, side: i32, tick: i32): i32 {
	const words = wordsOf(bookAt(row), side, tick);
	return words.page == NONE ? NONE : queueIn(words, tick).newest;
}

/** Finds or allocates the queue of a bet. */
function findOrAddQueue(row: i32, bet: Bet): Queue {
	const book = bookAt(row);
	const side = bet.side;
	const words = wordsOf(book, side, bet.tick);
	if (words.page == NONE) words.page = allocateIn(book.arena, QUEUES);
	words.bits |= 1 << (bet.tick & IN_WORD);
	if (side == LAY) {
		if (changetype<usize>(words) > changetype<usize>(book.bestLay)) book.bestLay = words;
	} else if (changetype<usize>(words) < changetype<usize>(book.bestBack)) book.bestBack = words;
	return queueIn(words, bet.tick);
}

/** The lowest filled tick of backs, or -1. */
function lowestBack(book: Book): i32 {
	const end = changetype<usize>(book.lays);
	let words = changetype<usize>(book.bestBack);
	while (words < end && changetype<Words>(words).bits == 0) words += WORDS;
	book.bestBack = changetype<Words>(words);
	return words < end ? tickAt(book.backs, words, ctz(changetype<Words>(words).bits)) : -1;
}

/** The highest filled tick of lays, or -1. */
function highestLay(book: Book): i32 {
	const begin = changetype<usize>(book.lays);
	let words = changetype<usize>(book.bestLay);
	while (words >= begin && changetype<Words>(words).bits == 0) words -= WORDS;
	book.bestLay = changetype<Words>(words);
	return words >= begin ? tickAt(book.lays, words, 31 - clz(changetype<Words>(words).bits)) : -1;
}

/** The lowest filled tick of backs from one up, or -1. */
function lowest(book: Book, from: i32): i32 {
	const end = changetype<usize>(book.lays);
	let kept: u32 = 0xffffffff << (from & IN_WORD);
	for (let words = changetype<usize>(wordsOf(book, BACK, from)); words < end; words += WORDS) {
		const bits = changetype<Words>(words).bits & kept;
		if (bits != 0) return tickAt(book.backs, words, ctz(bits));
		kept = 0xffffffff;
	}
	return -1;
}

/** The highest filled tick of lays from one down, or -1. */
function highest(book: Book, from: i32): i32 {
	const begin = changetype<usize>(book.lays);
	let kept: u32 = 0xffffffff >>> (31 - (from & IN_WORD));
	for (let words = changetype<usize>(wordsOf(book, LAY, from)); words >= begin; words -= WORDS) {
		const bits = changetype<Words>(words).bits & kept;
		if (bits != 0) return tickAt(book.lays, words, 31 - clz(bits));
		kept = 0xffffffff;
	}
	return -1;
}

function tickAt(begin: Words, words: usize, bit: i32): i32 {
	return <i32>(((words - changetype<usize>(begin)) / WORDS) << WORD_BITS) + bit;
}
