/**
 * The resting bets of every runner in every pool: per side and rung a queue, oldest first. A resting back waits for
 * layers (lowest price first), a resting lay for backers (highest price first). How they stand is in
 * src/kernel/order-book.ts; a book is known by its row.
 */
import type { BetTable } from '#engine/bets.ts';
import type { Level } from '#engine/engine.ts';
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { BOOK_ROW, ORDER_BOOK } from '#engine/kernel-layout.ts';
import { NONE } from '#engine/rows.ts';
import type { Ladder } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

const { totalMatched: TOTAL_MATCHED, lastPrice: LAST_PRICE } = BOOK_ROW;

/** For a bet that goes on to any price. */
export const { ANY_RUNG } = ORDER_BOOK;

/** A backer takes any resting lay at his price or higher, a layer any resting back at his price or lower. */
export const meets = (side: SideCode, rung: number, resting: number): boolean =>
	resting >= 0 && (side === BACK ? resting >= rung : resting <= rung);

export class OrderBooks {
	readonly #kernel: Kernel;
	readonly #bets: BetTable;
	/** By book. */
	readonly #ladders = new Map<number, Ladder>();

	constructor(kernel: Kernel, bets: BetTable) {
		this.#kernel = kernel;
		this.#bets = bets;
	}

	/** Empty books for the runners of one market, given by its row, and pool, one after the other; the first. */
	add(market: number, runners: number, ladder: Ladder): number {
		const first = this.#kernel.call.addBooks(market, runners, ladder.tickCount);
		for (let book = first; book < first + runners; book++) this.#ladders.set(book, ladder);
		return first;
	}

	/** Closes books in which nothing waits, and nothing will again; what they traded stays known. */
	close(first: number, runners: number): void {
		for (let book = first; book < first + runners; book++) this.#kernel.call.closeBook(book);
	}

	/** Forgets closed books and what they traded. */
	forget(first: number, runners: number): void {
		for (let book = first; book < first + runners; book++) this.#ladders.delete(book);
		this.#kernel.call.freeBooks(first, runners);
	}

	/** The prices a book takes. */
	ladder(book: number): Ladder {
		return this.#ladders.get(book) as Ladder;
	}

	/** Puts a bet at the end of its price's queue. */
	rest(book: number, bet: number): void {
		this.#kernel.call.rest(book, bet);
	}

	/** Puts a bet into its price's queue by its age: where it would stand had it always asked this price. */
	restByAge(book: number, bet: number, isYounger: (other: number) => boolean): void {
		const bets = this.#bets;
		let older = this.#kernel.call.newestOf(book, bets.side(bet), bets.rung(bet));
		while (older !== NONE && isYounger(older)) older = bets.older(older);
		this.#kernel.call.restBehind(book, bet, older);
	}

	/** Takes stake off a resting bet; one with nothing left leaves its queue. */
	reduce(book: number, bet: number, stake: number): void {
		this.#kernel.call.reduce(book, bet, stake);
	}

	/**
	 * Fills an incoming bet from what waits for it, best price first, then the oldest; what remains of all of them is
	 * lowered.
	 * @param wanted stake
	 * @param rung the worst it takes, or ANY_RUNG
	 * @returns how many fills there are; the kernel's report says what they are
	 */
	take(book: number, side: SideCode, taker: number, wanted: number, rung: number): number {
		return this.#kernel.call.takeFrom(book, side, taker, wanted, rung);
	}

	/** The best resting rung an incoming bet could take, or -1: a backer takes the highest lay, a layer the lowest back. */
	bestFor(book: number, side: SideCode): number {
		return this.#kernel.call.bestFor(book, side);
	}

	/** The next worse rung after `rung` for that incoming side, or -1. */
	nextFor(book: number, side: SideCode, rung: number): number {
		return this.#kernel.call.nextFor(book, side, rung);
	}

	/** The oldest resting bet an incoming bet meets at a rung that holds some. */
	oldestFor(book: number, side: SideCode, rung: number): number {
		return this.#kernel.call.oldestFor(book, side, rung);
	}

	/** What rests at a rung that an incoming bet of that side could take. */
	sizeFor(book: number, side: SideCode, rung: number): number {
		return this.#kernel.call.sizeFor(book, side, rung);
	}

	/** Records what was matched last in a book, and how much by it. */
	recordTrade(book: number, price: number, stake: number): void {
		this.#kernel.call.recordTrade(book, price, stake);
	}

	/** Hundredths, 0 before the first fill. */
	lastPriceTraded(book: number): number {
		return this.#kernel.words[book * BLOCK_WORDS + LAST_PRICE] as number;
	}

	/** Backers' stake, paise. */
	totalMatched(book: number): number {
		return this.#kernel.wide[book * BLOCK_WIDE + TOTAL_MATCHED] as number;
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
}
