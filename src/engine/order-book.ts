/**
 * The resting bets of every runner in every pool: per side and rung a queue, oldest first. A resting back waits for
 * layers (lowest price first), a resting lay for backers (highest price first). Queues stand in pages of 32 rungs that
 * are made when first needed; a bit for each rung that holds something finds the best price.
 */
import { BET_ROW, type BetTable } from '#engine/bets.ts';
import type { Level } from '#engine/engine.ts';
import * as rows from '#engine/rows.ts';
import type { Ladder } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';
import * as sides from '#values/sides.ts';

// Constants of its own, which a file reads faster than imported ones: see ARCHITECTURE, "What is hot".
const { FLAGS, NEWER, OLDER, REMAINING, RUNG, SIDE_FLAG, WORDS } = BET_ROW;
const { NONE, widened } = rows;
const { BACK, LAY } = sides;

/** Rungs a page and a word of bits stand for. */
const WORD = 32;
/** Pages are counted from 1, so that memory fresh from the system says that there is none. */
const NO_PAGE = 0;
/** Within a queue, after its size. */
const OLDEST = 2;
const NEWEST = 3;

/**
 * A book's row. For backs and then for lays, where its pairs of `#rungs` begin and the pair that the search for the best
 * rung begins at: beyond it nothing waits. Ladders are long, and what waits stands near the best. Then
 * the last price traded (hundredths, 0 before the first fill), and of eight bytes the backers' stake matched.
 */
const BOOK_WIDE = 4;
const BOOK = 8;
const BEGIN = 0;
const BEST = 2;
const LAST_PRICE = 4;
const TOTAL_MATCHED = 3;

/** A fill is three numbers: the row of the resting bet, the stake, the price. */
const FILL = 3;
/** For a bet that goes on to any price. */
const ANY_RUNG = -1;
export const TAKING = { FILL, ANY_RUNG } as const;

/** A backer takes any resting lay at his price or higher, a layer any resting back at his price or lower. */
export const meets = (side: SideCode, rung: number, resting: number): boolean =>
	resting >= 0 && (side === BACK ? resting >= rung : resting <= rung);

export class OrderBooks {
	/** A row each book, of four numbers of eight bytes. */
	#totals = new Float64Array(16 * BOOK_WIDE);
	/** The same memory, read as four bytes. */
	#heads = new Int32Array(this.#totals.buffer);
	/** Pairs: bits of a word of filled rungs, and the page of their queues or NO_PAGE. */
	#rungs = new Int32Array(1024);
	#usedRungs = 0;
	/** Given back by markets that are over: where pairs of a book begin, by their number, and pages. */
	readonly #spareRungs = new Map<number, number[]>();
	readonly #sparePages: number[] = [];
	readonly #ladders: Ladder[] = [];
	/** By page, WORD queues each: the size as eight bytes, the oldest and the newest bet as four. */
	#sizes = new Float64Array(64 * WORD * 2);
	/** The same memory, read as four bytes. */
	#ends = new Int32Array(this.#sizes.buffer);
	/** What `take` filled a bet with, FILL numbers each; good until the next. */
	fills = new Int32Array(32 * FILL);
	#bookCount = 0;
	#lastPage = NO_PAGE;
	readonly #bets: BetTable;

	constructor(bets: BetTable) {
		this.#bets = bets;
	}

	/** Empty books for the runners of one market and pool; the number of the first. */
	add(runners: number, ladder: Ladder): number {
		const first = this.#bookCount;
		this.#bookCount += runners;
		const room = this.#bookCount * BOOK_WIDE;
		if (room > this.#totals.length) {
			this.#totals = widened(this.#totals, Math.max(room, this.#totals.length * 2));
			this.#heads = new Int32Array(this.#totals.buffer);
		}
		const pairs = Math.ceil(ladder.rungs / WORD) * 2;
		for (let book = first; book < this.#bookCount; book++) {
			const backs = this.#takeRungs(pairs * 2);
			const lays = backs + pairs;
			this.#heads[book * BOOK + BEGIN + BACK] = backs;
			this.#heads[book * BOOK + BEGIN + LAY] = lays;
			this.#heads[book * BOOK + BEST + BACK] = lays;
			this.#heads[book * BOOK + BEST + LAY] = lays - 2;
			this.#ladders.push(ladder);
		}
		return first;
	}

	/** Gives back the memory of books in which nothing waits, and nothing will again; what they traded stays known. */
	close(first: number, runners: number): void {
		for (let book = first; book < first + runners; book++) {
			const row = book * BOOK;
			const backs = this.#heads[row + BEGIN + BACK] as number;
			const lays = this.#heads[row + BEGIN + LAY] as number;
			const length = (lays - backs) * 2;
			if (length === 0) continue;
			for (let pair = backs; pair < backs + length; pair += 2) {
				const page = this.#rungs[pair + 1] as number;
				if (page !== NO_PAGE) this.#sparePages.push(page);
			}
			this.#rungs.fill(0, backs, backs + length);
			const spare = this.#spareRungs.get(length);
			if (spare) spare.push(backs);
			else this.#spareRungs.set(length, [backs]);
			this.#heads.fill(0, row + BEGIN, row + BEST + 2);
			this.#heads[row + BEST + LAY] = -2;
		}
	}

	/** Room for a book's pairs, all empty. */
	#takeRungs(length: number): number {
		const spare = this.#spareRungs.get(length)?.pop();
		if (spare !== undefined) return spare;
		const at = this.#usedRungs;
		this.#usedRungs += length;
		const used = this.#usedRungs;
		if (used > this.#rungs.length) this.#rungs = widened(this.#rungs, Math.max(used, this.#rungs.length * 2));
		return at;
	}

	/** The prices a book takes. */
	ladder(book: number): Ladder {
		return this.#ladders[book] as Ladder;
	}

	/** Puts a bet at the end of its price's queue. */
	rest(book: number, bet: number): void {
		const words = this.#bets.words;
		const at = bet * WORDS;
		const queue = this.#queueFor(book, bet);
		const ends = this.#ends;
		const newest = ends[queue + NEWEST] as number;
		words[at + OLDER] = newest;
		words[at + NEWER] = NONE;
		if (newest === NONE) ends[queue + OLDEST] = bet;
		else words[newest * WORDS + NEWER] = bet;
		ends[queue + NEWEST] = bet;
		this.#addSize(queue, words[at + REMAINING] as number);
	}

	/** Puts a bet into its price's queue by its age: where it would stand had it always asked this price. */
	restByAge(book: number, bet: number, isYounger: (other: number) => boolean): void {
		const queue = this.#queueFor(book, bet);
		const bets = this.#bets;
		let behind = this.#ends[queue + NEWEST] as number;
		while (behind !== NONE && isYounger(behind)) behind = bets.older(behind);
		const ahead = behind === NONE ? (this.#ends[queue + OLDEST] as number) : bets.newer(behind);
		bets.setOlder(bet, behind);
		bets.setNewer(bet, ahead);
		if (behind === NONE) this.#ends[queue + OLDEST] = bet;
		else bets.setNewer(behind, bet);
		if (ahead === NONE) this.#ends[queue + NEWEST] = bet;
		else bets.setOlder(ahead, bet);
		this.#addSize(queue, bets.remaining(bet));
	}

	/** Takes stake off a resting bet; one with nothing left leaves its queue. */
	reduce(book: number, bet: number, stake: number): void {
		const words = this.#bets.words;
		const at = bet * WORDS;
		const side = (words[at + FLAGS] as number) & SIDE_FLAG;
		const rung = words[at + RUNG] as number;
		const queue = this.#queueAt(book, side, rung);
		const left = (words[at + REMAINING] as number) - stake;
		words[at + REMAINING] = left;
		this.#addSize(queue, -stake);
		if (left > 0) return;
		const ends = this.#ends;
		const behind = words[at + OLDER] as number;
		const ahead = words[at + NEWER] as number;
		if (behind === NONE) ends[queue + OLDEST] = ahead;
		else words[behind * WORDS + NEWER] = ahead;
		if (ahead === NONE) ends[queue + NEWEST] = behind;
		else words[ahead * WORDS + OLDER] = behind;
		if (behind === NONE && ahead === NONE) this.#unmark(book, side, rung);
	}

	/**
	 * Fills an incoming bet from what waits for it, best price first, then the oldest; what remains of all of them is
	 * lowered.
	 * @param wanted stake
	 * @param rung the worst it takes, or ANY_RUNG
	 * @returns how many numbers of `fills` are then about it
	 */
	take(book: number, side: SideCode, taker: number, wanted: number, rung: number): number {
		const words = this.#bets.words;
		let length = 0;
		let left = wanted;
		while (left > 0) {
			const best = this.bestFor(book, side);
			if (best < 0 || !(rung === ANY_RUNG || meets(side, rung, best))) break;
			const queue = this.#queueAt(book, 1 - side, best);
			const price = this.ladder(book).priceAt(best);
			const ends = this.#ends;
			const before = left;
			let maker = ends[queue + OLDEST] as number;
			while (left > 0 && maker !== NONE) {
				const remaining = maker * WORDS + REMAINING;
				const waits = words[remaining] as number;
				const stake = waits < left ? waits : left;
				left -= stake;
				words[remaining] = waits - stake;
				if (length === this.fills.length) this.fills = widened(this.fills, length * 2);
				const fills = this.fills;
				fills[length] = maker;
				fills[length + 1] = stake;
				fills[length + 2] = price;
				length += FILL;
				if (stake < waits) break;
				maker = words[maker * WORDS + NEWER] as number;
			}
			ends[queue + OLDEST] = maker;
			if (maker !== NONE) words[maker * WORDS + OLDER] = NONE;
			else {
				ends[queue + NEWEST] = NONE;
				this.#unmark(book, 1 - side, best);
			}
			this.#addSize(queue, left - before);
		}
		words[taker * WORDS + REMAINING] = (words[taker * WORDS + REMAINING] as number) - (wanted - left);
		return length;
	}

	/** The best resting rung an incoming bet could take, or -1: a backer takes the highest lay, a layer the lowest back. */
	bestFor(book: number, side: SideCode): number {
		return side === BACK ? this.#highestLay(book) : this.#lowestBack(book);
	}

	/** The next worse rung after `rung` for that incoming side, or -1. */
	nextFor(book: number, side: SideCode, rung: number): number {
		if (side === BACK) return rung === 0 ? -1 : this.#highest(book, rung - 1);
		return this.#lowest(book, rung + 1);
	}

	/** The oldest resting bet an incoming bet meets at a rung that holds some. */
	oldestFor(book: number, side: SideCode, rung: number): number {
		return this.#ends[this.#queueAt(book, 1 - side, rung) + OLDEST] as number;
	}

	/** What rests at a rung that an incoming bet of that side could take. */
	sizeFor(book: number, side: SideCode, rung: number): number {
		return this.#sizes[this.#queueAt(book, 1 - side, rung) >> 1] as number;
	}

	/** What was matched last in a book, and how much by it. */
	traded(book: number, price: number, stake: number): void {
		this.#heads[book * BOOK + LAST_PRICE] = price;
		const total = book * BOOK_WIDE + TOTAL_MATCHED;
		this.#totals[total] = (this.#totals[total] as number) + stake;
	}

	/** Hundredths, 0 before the first fill. */
	lastPriceTraded(book: number): number {
		return this.#heads[book * BOOK + LAST_PRICE] as number;
	}

	/** Backers' stake, paise. */
	totalMatched(book: number): number {
		return this.#totals[book * BOOK_WIDE + TOTAL_MATCHED] as number;
	}

	/** Aggregated resting bets of one side, best first for those who would take them. */
	levels(book: number, side: SideCode, depth: number): Level[] {
		const incoming: SideCode = side === BACK ? LAY : BACK;
		const levels: Level[] = [];
		for (let rung = this.bestFor(book, incoming); rung >= 0 && levels.length < depth; ) {
			levels.push({ price: this.ladder(book).priceAt(rung), size: this.sizeFor(book, incoming, rung) });
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

	/** The pair of a rung of one side of a book. */
	#pairAt(book: number, side: number, rung: number): number {
		return (this.#heads[book * BOOK + BEGIN + side] as number) + (rung >> 5) * 2;
	}

	/** Where a queue begins in #ends. */
	#queueAt(book: number, side: number, rung: number): number {
		const page = this.#rungs[this.#pairAt(book, side, rung) + 1] as number;
		return (page * WORD + (rung & 31)) * 4;
	}

	#addSize(queue: number, stake: number): void {
		this.#sizes[queue >> 1] = (this.#sizes[queue >> 1] as number) + stake;
	}

	/** The queue a bet joins; its page is made where there is none. */
	#queueFor(book: number, bet: number): number {
		const words = this.#bets.words;
		const side = (words[bet * WORDS + FLAGS] as number) & SIDE_FLAG;
		const rung = words[bet * WORDS + RUNG] as number;
		const pair = this.#pairAt(book, side, rung);
		const rungs = this.#rungs;
		if (rungs[pair + 1] === NO_PAGE) rungs[pair + 1] = this.#newPage();
		rungs[pair] = (rungs[pair] as number) | (1 << (rung & 31));
		const best = book * BOOK + BEST + side;
		const known = this.#heads[best] as number;
		if (side === LAY ? pair > known : pair < known) this.#heads[best] = pair;
		return ((rungs[pair + 1] as number) * WORD + (rung & 31)) * 4;
	}

	#newPage(): number {
		// What was given back is empty already.
		const spare = this.#sparePages.pop();
		if (spare !== undefined) return spare;
		const page = ++this.#lastPage;
		if ((page + 1) * WORD * 2 > this.#sizes.length) {
			this.#sizes = widened(this.#sizes, this.#sizes.length * 2);
			this.#ends = new Int32Array(this.#sizes.buffer);
		}
		for (let queue = page * WORD * 4; queue < (page + 1) * WORD * 4; queue += 4) {
			this.#ends[queue + OLDEST] = NONE;
			this.#ends[queue + NEWEST] = NONE;
		}
		return page;
	}

	#unmark(book: number, side: number, rung: number): void {
		const pair = this.#pairAt(book, side, rung);
		this.#rungs[pair] = (this.#rungs[pair] as number) & ~(1 << (rung & 31));
	}

	/** The lowest filled rung of backs, or -1. */
	#lowestBack(book: number): number {
		const rungs = this.#rungs;
		const row = book * BOOK;
		const end = this.#heads[row + BEGIN + LAY] as number;
		let pair = this.#heads[row + BEST + BACK] as number;
		while (pair < end && rungs[pair] === 0) pair += 2;
		this.#heads[row + BEST + BACK] = pair;
		if (pair >= end) return -1;
		const bits = rungs[pair] as number;
		return ((pair - (this.#heads[row + BEGIN + BACK] as number)) >> 1) * WORD + (31 - Math.clz32(bits & -bits));
	}

	/** The highest filled rung of lays, or -1. */
	#highestLay(book: number): number {
		const rungs = this.#rungs;
		const row = book * BOOK;
		const begin = this.#heads[row + BEGIN + LAY] as number;
		let pair = this.#heads[row + BEST + LAY] as number;
		while (pair >= begin && rungs[pair] === 0) pair -= 2;
		this.#heads[row + BEST + LAY] = pair;
		if (pair < begin) return -1;
		return ((pair - begin) >> 1) * WORD + (31 - Math.clz32(rungs[pair] as number));
	}

	/** The lowest filled rung of backs from `from` up, or -1. */
	#lowest(book: number, from: number): number {
		const begin = this.#heads[book * BOOK + BEGIN + BACK] as number;
		const end = this.#heads[book * BOOK + BEGIN + LAY] as number;
		let kept = -1 << (from & 31);
		for (let pair = begin + (from >> 5) * 2; pair < end; pair += 2) {
			const bits = (this.#rungs[pair] as number) & kept;
			if (bits !== 0) return ((pair - begin) >> 1) * WORD + (31 - Math.clz32(bits & -bits));
			kept = -1;
		}
		return -1;
	}

	/** The highest filled rung of lays from `from` down, or -1. */
	#highest(book: number, from: number): number {
		const begin = this.#heads[book * BOOK + BEGIN + LAY] as number;
		let kept = -1 >>> (31 - (from & 31));
		for (let pair = begin + (from >> 5) * 2; pair >= begin; pair -= 2) {
			const bits = (this.#rungs[pair] as number) & kept;
			if (bits !== 0) return ((pair - begin) >> 1) * WORD + (31 - Math.clz32(bits));
			kept = -1;
		}
		return -1;
	}
}
