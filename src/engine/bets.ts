/**
 * The bets of unsettled markets, a row of numbers each: an object a bet would cost many times the memory and time. A row
 * is 64 bytes, so that looking at a bet touches one line of the processor's cache. A row number is good as long as its
 * bet is known; ids are for the outside.
 */
import { IdIndex } from '#engine/id-index.ts';
import * as rows from '#engine/rows.ts';
import { RowDigest, Rows } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import type { SideCode } from '#values/sides.ts';

// Constants of its own, which a file reads faster than imported ones: see ARCHITECTURE, "What is hot".
const { NONE } = rows;

/** The lowest bit of a row's flags is its side. */
const SIDE_FLAG = 1;
const PERSIST_FLAG = 2;
const PENDING_FLAG = 4;

/**
 * Where a row keeps what: the first two as eight bytes each, the rest as four. The order book, whose queues live in
 * these rows, reads and writes some of them by these numbers; everybody else by the methods.
 */
const WIDE = 8;
const ID = 0;
const MATCHED_VALUE = 1;
const WORDS = 16;
const POSITION = 4;
const RUNNER = 5;
const FLAGS = 6;
const RUNG = 7;
const PRICE = 8;
const STAKE = 9;
const REMAINING = 10;
const MATCHED = 11;
const OLDER = 12;
const NEWER = 13;
const BEFORE = 14;
const AFTER = 15;
export const BET_ROW = { WORDS, FLAGS, SIDE_FLAG, RUNG, REMAINING, OLDER, NEWER } as const;

export class BetTable {
	words: Int32Array<ArrayBuffer>;
	/** The same memory, read as eight bytes. */
	wide: Float64Array<ArrayBuffer>;
	#capacity: number;
	readonly #rows = new Rows();
	readonly #index = new IdIndex();
	readonly #digest: RowDigest;

	/** @param capacity bets that there is room for at first; room that is not used costs nothing, and growing copies */
	constructor(keepDigest: boolean, capacity: number) {
		this.words = new Int32Array(capacity * WORDS);
		this.wide = new Float64Array(this.words.buffer);
		this.#capacity = capacity;
		this.#digest = new RowDigest(keepDigest);
		this.#digest.resize(capacity);
	}

	/** Row of a bet that is known, or NONE. */
	find(betId: number): number {
		return this.#index.find(betId);
	}

	/**
	 * Its neighbours are entered when it is linked and when it rests. Plain parameters: an object for each bet would be
	 * the costliest part of placing it.
	 */
	add(
		betId: number,
		position: number,
		runner: number,
		side: SideCode,
		price: number,
		rung: number,
		stake: number,
		persist: boolean,
	): number {
		const row = this.#rows.take();
		if (row === this.#capacity) this.#grow(this.#capacity * 2);
		const words = this.words;
		const at = row * WORDS;
		this.wide[row * WIDE + ID] = betId;
		this.wide[row * WIDE + MATCHED_VALUE] = 0;
		words[at + POSITION] = position;
		words[at + RUNNER] = runner;
		words[at + FLAGS] = side | (persist ? PERSIST_FLAG : 0);
		words[at + RUNG] = rung;
		words[at + PRICE] = price;
		words[at + STAKE] = stake;
		words[at + REMAINING] = stake;
		words[at + MATCHED] = 0;
		words[at + AFTER] = NONE;
		this.#index.set(betId, row);
		this.#digest.touch(row);
		return row;
	}

	id(row: number): number {
		return this.wide[row * WIDE + ID] as number;
	}
	/** Row of the position it belongs to. */
	position(row: number): number {
		return this.words[row * WORDS + POSITION] as number;
	}
	runner(row: number): number {
		return this.words[row * WORDS + RUNNER] as number;
	}
	side(row: number): SideCode {
		return ((this.words[row * WORDS + FLAGS] as number) & SIDE_FLAG) as SideCode;
	}
	persists(row: number): boolean {
		return ((this.words[row * WORDS + FLAGS] as number) & PERSIST_FLAG) !== 0;
	}
	rung(row: number): number {
		return this.words[row * WORDS + RUNG] as number;
	}
	setRung(row: number, rung: number): void {
		this.words[row * WORDS + RUNG] = rung;
	}
	price(row: number): number {
		return this.words[row * WORDS + PRICE] as number;
	}
	setPrice(row: number, price: number): void {
		this.words[row * WORDS + PRICE] = price;
	}
	stake(row: number): number {
		return this.words[row * WORDS + STAKE] as number;
	}
	remaining(row: number): number {
		return this.words[row * WORDS + REMAINING] as number;
	}
	setRemaining(row: number, stake: number): void {
		this.words[row * WORDS + REMAINING] = stake;
	}
	matched(row: number): number {
		return this.words[row * WORDS + MATCHED] as number;
	}
	setMatched(row: number, stake: number): void {
		this.words[row * WORDS + MATCHED] = stake;
	}
	/** Σ stake × price of its fills, as reduced since. */
	matchedValue(row: number): number {
		return this.wide[row * WIDE + MATCHED_VALUE] as number;
	}
	setMatchedValue(row: number, value: number): void {
		this.wide[row * WIDE + MATCHED_VALUE] = value;
	}
	/** Counts a part as matched; what remains is the order book's to lower. */
	addMatched(row: number, stake: number, value: number): void {
		const matched = row * WORDS + MATCHED;
		const ofValue = row * WIDE + MATCHED_VALUE;
		this.words[matched] = (this.words[matched] as number) + stake;
		this.wide[ofValue] = (this.wide[ofValue] as number) + value;
		this.#digest.touch(row);
	}
	/** Neighbours in the queue of its price. */
	older(row: number): number {
		return this.words[row * WORDS + OLDER] as number;
	}
	setOlder(row: number, other: number): void {
		this.words[row * WORDS + OLDER] = other;
	}
	newer(row: number): number {
		return this.words[row * WORDS + NEWER] as number;
	}
	setNewer(row: number, other: number): void {
		this.words[row * WORDS + NEWER] = other;
	}
	/** The bet that its position had before it, or NONE. */
	before(row: number): number {
		return this.words[row * WORDS + BEFORE] as number;
	}
	/** Makes a new bet the neighbour of the newest of its position, which may be NONE. */
	linkAfter(row: number, last: number): void {
		const words = this.words;
		words[row * WORDS + BEFORE] = last;
		if (last !== NONE) words[last * WORDS + AFTER] = row;
	}
	/** Joins the neighbours of a bet that goes; of the newest, the one before it is the newest then, and returned. */
	unlink(row: number): number | undefined {
		const words = this.words;
		const before = words[row * WORDS + BEFORE] as number;
		const after = words[row * WORDS + AFTER] as number;
		if (before !== NONE) words[before * WORDS + AFTER] = after;
		if (after === NONE) return before;
		words[after * WORDS + BEFORE] = before;
		return undefined;
	}
	/** Accepted, and not in the book before its delay is over. */
	isPending(row: number): boolean {
		return ((this.words[row * WORDS + FLAGS] as number) & PENDING_FLAG) !== 0;
	}
	setPending(row: number, pending: boolean): void {
		const flags = this.words[row * WORDS + FLAGS] as number;
		this.words[row * WORDS + FLAGS] = pending ? flags | PENDING_FLAG : flags & ~PENDING_FLAG;
		this.#digest.touch(row);
	}

	touch(row: number): void {
		this.#digest.touch(row);
	}

	/** Forgets a bet; its row may be another's next. */
	remove(row: number): void {
		this.#index.remove(this.id(row));
		this.wide[row * WIDE + ID] = NONE;
		this.#digest.touch(row);
		this.#digest.drop(row);
		this.#rows.give(row);
	}

	lanes(hasher: Hasher, owner: (position: number) => readonly [walletId: number, marketId: number]) {
		return this.#digest.lanes(hasher, (row) => {
			if (this.id(row) === NONE) return false;
			const [walletId, marketId] = owner(this.position(row));
			hasher.start(3);
			hasher.add(this.id(row));
			hasher.add(walletId);
			hasher.add(marketId);
			hasher.add(this.runner(row) * 8 + (this.words[row * WORDS + FLAGS] as number));
			hasher.add(this.price(row));
			hasher.add(this.matched(row));
			hasher.add(this.matchedValue(row));
			hasher.add(this.remaining(row));
			return true;
		});
	}

	#grow(capacity: number): void {
		const words = new Int32Array(capacity * WORDS);
		words.set(this.words);
		this.words = words;
		this.wide = new Float64Array(words.buffer);
		this.#capacity = capacity;
		this.#digest.resize(capacity);
	}
}
