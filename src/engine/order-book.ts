/**
 * The resting bets of every runner in every pool: per side and rung a queue, oldest first. A resting back waits for
 * layers (lowest price first), a resting lay for backers (highest price first). Queues stand in pages of 32 rungs that
 * are made when first needed; a bit for each rung that holds something finds the best price.
 */
import type { BetTable } from '#engine/bets.ts';
import type { Level } from '#engine/engine.ts';
import { NONE, widened } from '#engine/rows.ts';
import { priceAt, RUNGS } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** Rungs a page and a word of bits stand for. */
const WORD = 32;
const WORDS = Math.ceil(RUNGS / WORD);

export class OrderBooks {
	/** By book: hundredths, 0 before the first fill; and backers' stake. */
	lastPriceTraded = new Int32Array(16);
	totalMatched = new Float64Array(16);
	/** By side of a book, WORDS numbers each: bits of filled rungs, and the page of queues or NONE. */
	#filled = new Int32Array(32 * WORDS);
	#pages = new Int32Array(32 * WORDS).fill(NONE);
	/** By page, WORD queues each. */
	#oldest = new Int32Array(64 * WORD);
	#newest = new Int32Array(64 * WORD);
	#size = new Float64Array(64 * WORD);
	#bookCount = 0;
	#pageCount = 0;
	readonly #bets: BetTable;

	constructor(bets: BetTable) {
		this.#bets = bets;
	}

	/** Empty books for the runners of one market and pool; the number of the first. */
	add(runners: number): number {
		const first = this.#bookCount;
		this.#bookCount += runners;
		let capacity = this.totalMatched.length;
		while (capacity < this.#bookCount) capacity *= 2;
		if (capacity > this.totalMatched.length) {
			const before = this.#pages.length;
			this.lastPriceTraded = widened(this.lastPriceTraded, capacity);
			this.totalMatched = widened(this.totalMatched, capacity);
			this.#filled = widened(this.#filled, capacity * 2 * WORDS);
			this.#pages = widened(this.#pages, capacity * 2 * WORDS).fill(NONE, before);
		}
		return first;
	}

	/** Puts a bet at the end of its price's queue. */
	rest(book: number, bet: number): void {
		const queue = this.#queueFor(book, bet);
		const newest = this.#newest[queue] as number;
		this.#bets.setOlder(bet, newest);
		this.#bets.setNewer(bet, NONE);
		if (newest === NONE) this.#oldest[queue] = bet;
		else this.#bets.setNewer(newest, bet);
		this.#newest[queue] = bet;
		this.#size[queue] = (this.#size[queue] as number) + this.#bets.remaining(bet);
	}

	/** Puts a bet into its price's queue by its age: where it would stand had it always asked this price. */
	restByAge(book: number, bet: number): void {
		const queue = this.#queueFor(book, bet);
		const bets = this.#bets;
		let behind = this.#newest[queue] as number;
		while (behind !== NONE && bets.id(behind) > bets.id(bet)) behind = bets.older(behind);
		const ahead = behind === NONE ? (this.#oldest[queue] as number) : bets.newer(behind);
		bets.setOlder(bet, behind);
		bets.setNewer(bet, ahead);
		if (behind === NONE) this.#oldest[queue] = bet;
		else bets.setNewer(behind, bet);
		if (ahead === NONE) this.#newest[queue] = bet;
		else bets.setOlder(ahead, bet);
		this.#size[queue] = (this.#size[queue] as number) + bets.remaining(bet);
	}

	/** Takes stake off a resting bet; one with nothing left leaves its queue. */
	reduce(book: number, bet: number, stake: number): void {
		const bets = this.#bets;
		const bookSide = book * 2 + bets.side(bet);
		const queue = this.#queueAt(bookSide, bets.rung(bet));
		const left = bets.remaining(bet) - stake;
		bets.setRemaining(bet, left);
		this.#size[queue] = (this.#size[queue] as number) - stake;
		if (left > 0) return;
		const [behind, ahead] = [bets.older(bet), bets.newer(bet)];
		if (behind === NONE) this.#oldest[queue] = ahead;
		else bets.setNewer(behind, ahead);
		if (ahead === NONE) this.#newest[queue] = behind;
		else bets.setOlder(ahead, behind);
		if (this.#oldest[queue] === NONE) this.#mark(bookSide, bets.rung(bet), false);
	}

	/** The best resting rung an incoming bet could take, or -1: a backer takes the highest lay, a layer the lowest back. */
	bestFor(book: number, side: SideCode): number {
		return side === BACK ? this.#highest(book * 2 + LAY, RUNGS - 1) : this.#lowest(book * 2 + BACK, 0);
	}

	/** The next worse rung after `rung` for that incoming side, or -1. */
	nextFor(book: number, side: SideCode, rung: number): number {
		if (side === BACK) return rung === 0 ? -1 : this.#highest(book * 2 + LAY, rung - 1);
		return rung === RUNGS - 1 ? -1 : this.#lowest(book * 2 + BACK, rung + 1);
	}

	/** The oldest resting bet an incoming bet meets at a rung that holds some. */
	oldestFor(book: number, side: SideCode, rung: number): number {
		return this.#oldest[this.#queueAt(book * 2 + (side === BACK ? LAY : BACK), rung)] as number;
	}

	/** What rests at a rung that an incoming bet of that side could take. */
	sizeFor(book: number, side: SideCode, rung: number): number {
		return this.#size[this.#queueAt(book * 2 + (side === BACK ? LAY : BACK), rung)] as number;
	}

	/** Aggregated resting bets of one side, best first for those who would take them. */
	levels(book: number, side: SideCode, depth: number): Level[] {
		const incoming: SideCode = side === BACK ? LAY : BACK;
		const levels: Level[] = [];
		for (let rung = this.bestFor(book, incoming); rung >= 0 && levels.length < depth; ) {
			levels.push({ price: priceAt(rung), size: this.sizeFor(book, incoming, rung) });
			rung = this.nextFor(book, incoming, rung);
		}
		return levels;
	}

	/** Every resting bet: backs by rising price, then lays by falling price, each price oldest first. */
	resting(book: number): number[] {
		const bets: number[] = [];
		for (const incoming of [LAY, BACK] as const) {
			for (let rung = this.bestFor(book, incoming); rung >= 0; rung = this.nextFor(book, incoming, rung)) {
				for (let bet = this.oldestFor(book, incoming, rung); bet !== NONE; bet = this.#bets.newer(bet)) {
					bets.push(bet);
				}
			}
		}
		return bets;
	}

	#queueAt(bookSide: number, rung: number): number {
		return (this.#pages[bookSide * WORDS + (rung >> 5)] as number) * WORD + (rung & 31);
	}

	/** The queue a bet joins; its page is made where there is none. */
	#queueFor(book: number, bet: number): number {
		const bookSide = book * 2 + this.#bets.side(bet);
		const rung = this.#bets.rung(bet);
		const word = bookSide * WORDS + (rung >> 5);
		if (this.#pages[word] === NONE) this.#pages[word] = this.#newPage();
		this.#mark(bookSide, rung, true);
		return this.#queueAt(bookSide, rung);
	}

	#newPage(): number {
		if ((this.#pageCount + 1) * WORD > this.#oldest.length) {
			const capacity = this.#oldest.length * 2;
			this.#oldest = widened(this.#oldest, capacity);
			this.#newest = widened(this.#newest, capacity);
			this.#size = widened(this.#size, capacity);
		}
		const page = this.#pageCount++;
		this.#oldest.fill(NONE, page * WORD, (page + 1) * WORD);
		this.#newest.fill(NONE, page * WORD, (page + 1) * WORD);
		return page;
	}

	#mark(bookSide: number, rung: number, filled: boolean): void {
		const word = bookSide * WORDS + (rung >> 5);
		const bit = 1 << (rung & 31);
		const bits = this.#filled[word] as number;
		this.#filled[word] = filled ? bits | bit : bits & ~bit;
	}

	/** The lowest filled rung from `from` up, or -1. */
	#lowest(bookSide: number, from: number): number {
		for (let word = from >> 5; word < WORDS; word++) {
			let bits = this.#filled[bookSide * WORDS + word] as number;
			if (word === from >> 5) bits &= -1 << (from & 31);
			if (bits !== 0) return word * WORD + (31 - Math.clz32(bits & -bits));
		}
		return -1;
	}

	/** The highest filled rung from `from` down, or -1. */
	#highest(bookSide: number, from: number): number {
		for (let word = from >> 5; word >= 0; word--) {
			let bits = this.#filled[bookSide * WORDS + word] as number;
			if (word === from >> 5) bits &= -1 >>> (31 - (from & 31));
			if (bits !== 0) return word * WORD + (31 - Math.clz32(bits));
		}
		return -1;
	}
}
