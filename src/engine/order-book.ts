/**
 * The resting bets of every runner in every pool: per side and tick a queue, oldest first. Resting backs wait for
 * layers (lowest price first), resting lays for backers (highest price first). src/kernel/order-book.ts has their
 * layout; a book is known by its row.
 */
import type { BetTable } from '#engine/bets.ts';
import type { Level } from '#engine/engine.ts';
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { BOOK_ROW, WATCHES } from '#engine/kernel-layout.ts';
import { NONE } from '#engine/rows.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice, Ladder } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

const {
	totalMatched: TOTAL_MATCHED,
	lastPrice: LAST_PRICE,
	watch: WATCH,
	lowestPrice: LOWEST,
	highestPrice: HIGHEST,
} = BOOK_ROW;
/** Above all ticks and prices. */
const BEYOND = 2 ** 31 - 1;
/** A look at one's place counts no longer queue: bets wait meanwhile. */
const MOST_AHEAD = 2_000;

/** A backer takes any resting lay at the limit or higher, a layer any resting back at the limit or lower. */
export const meets = (side: SideCode, tick: number, resting: number): boolean =>
	resting >= 0 && (side === BACK ? resting >= tick : resting <= tick);

/** Stake at a tick, minor units. */
export interface Rest {
	side: SideCode;
	tick: number;
	stake: AnyMinor;
}

export class OrderBooks {
	readonly #kernel: Kernel;
	readonly #bets: BetTable;
	/** By book. */
	readonly #ladders = new Map<number, Ladder>();

	constructor(kernel: Kernel, bets: BetTable) {
		this.#kernel = kernel;
		this.#bets = bets;
	}

	/** Opens the books of a market that was added, all of them empty. @param market its row */
	add(market: number, ladder: Ladder): void {
		this.#kernel.call.addBooks(market, ladder.tickCount);
		for (const book of this.#of(market)) this.#ladders.set(book, ladder);
	}

	/** The books of a market, pool after pool. */
	*#of(market: number): Generator<number> {
		const { firstBookOf, bookCount } = this.#kernel.call;
		const first = firstBookOf(market);
		for (let book = first; book < first + bookCount(market); book++) yield book;
	}

	/** Closes books without resting bets that will get none; their traded volume stays known. */
	close(first: number, runners: number): void {
		for (let book = first; book < first + runners; book++) this.#kernel.call.closeBook(book);
	}

	/** Forgets the closed books of a market, with their traded volume; the market is to be forgotten next. @param market its row */
	forget(market: number): void {
		for (const book of this.#of(market)) this.#ladders.delete(book);
		this.#kernel.call.endWatches(market);
	}

	/** The prices that a book accepts. */
	ladder(book: number): Ladder {
		return this.#ladders.get(book) as Ladder;
	}

	/** The best resting tick an incoming bet could take, or -1: a backer takes the highest lay, a layer the lowest back. */
	bestFor(book: number, side: SideCode): number {
		return this.#kernel.call.bestFor(book, side);
	}

	/** The next worse tick after `tick` for that incoming side, or -1. */
	nextFor(book: number, side: SideCode, tick: number): number {
		return this.#kernel.call.nextFor(book, side, tick);
	}

	/** The oldest resting bet an incoming bet meets at a tick that holds some. */
	oldestFor(book: number, side: SideCode, tick: number): number {
		return this.#kernel.call.oldestFor(book, side, tick);
	}

	/** The resting stake at a tick that an incoming bet of that side could take. */
	sizeFor(book: number, side: SideCode, tick: number): number {
		return this.#kernel.call.sizeFor(book, side, tick);
	}

	/** Records a trade in a book: its price and its stake. */
	recordTrade(book: number, price: AnyPrice, stake: AnyMinor): void {
		this.#kernel.call.recordTrade(book, price, price, stake);
	}

	/** Hundredths, 0 before the first fill. */
	lastPriceTraded(book: number): number {
		return this.#kernel.words[book * BLOCK_WORDS + LAST_PRICE] as number;
	}

	/** Keeps what happens to a book for the next look, which comes to it whether or not it changes. */
	watch(book: number): void {
		this.#kernel.call.watchBook(book);
	}

	/** What lies between two ticks of a price concerns no trigger of a watched book. @param price of WATCHES */
	bound(book: number, price: number, below: number, above: number): void {
		const { tickCount, priceAt } = this.ladder(book);
		const isTick = price !== WATCHES.LAST;
		const bounded = (tick: number): number =>
			tick < 0 ? -1 : tick >= tickCount ? BEYOND : isTick ? tick : priceAt(tick);
		this.#kernel.call.bound(this.#watchOf(book), price, bounded(below), bounded(above));
	}

	/** From this volume on, minor units, a bet of a watched book may lapse; Infinity for none. */
	boundVolume(book: number, volume: AnyMinor): void {
		this.#kernel.call.boundVolume(this.#watchOf(book), volume);
	}

	/** From now on every change of a book is looked at, or no more. */
	follow(book: number, isFollowed: boolean): void {
		this.watch(book);
		this.#kernel.call.follow(this.#watchOf(book), isFollowed ? 1 : 0);
	}

	/** Between two numbers a price concerns no plan of a watched book: ticks of a best price, hundredths of the last one. @param price of WATCHES */
	boundPlans(book: number, price: number, below: number, above: number): void {
		const bounded = (number: number): number => Math.max(-1, Math.min(number, BEYOND));
		this.#kernel.call.bound(this.#watchOf(book), WATCHES.PLANS + price, bounded(below), bounded(above));
	}

	/** Whether the next look has to visit plans of a watched book, whatever its prices are. */
	notePlans(book: number, areTouched: boolean): void {
		this.#kernel.call.notePlans(this.#watchOf(book), areTouched ? 1 : 0);
	}

	/** A book has no more plans. */
	endPlans(book: number): void {
		for (const price of [WATCHES.LAST, WATCHES.BACKERS, WATCHES.LAYERS]) {
			this.boundPlans(book, price, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
		}
		this.notePlans(book, false);
	}

	/** Where a bet rests, and with how much; null for one that is in no queue. */
	restOf(betId: BetId): Rest | null {
		const row = this.#bets.find(betId);
		if (row === NONE || this.#bets.isDelayed(row) || this.#bets.isOnClose(row)) return null;
		const stake = this.#bets.remaining(row);
		return stake === 0 ? null : { side: this.#bets.side(row), tick: this.#bets.tick(row), stake };
	}

	/** Adds to what bets of pegs have at a tick of a watched book; a stake below zero is taken away. */
	countPegs(book: number, { side, tick, stake }: Rest): void {
		this.#kernel.call.countPegs(this.#watchOf(book), this.ladder(book).tickCount, side, tick, stake);
	}

	/** The best resting tick that an incoming bet could take and that holds more than the counted bets of pegs, or -1. */
	bestToFollow(book: number, side: SideCode): number {
		return this.#kernel.call.bestToFollow(book, side);
	}

	/** Where the bounds of a watched book are. */
	#watchOf(book: number): number {
		return this.#kernel.words[book * BLOCK_WORDS + WATCH] as number;
	}

	/** The next watched book that changed since the last look, if that may concern a trigger, a plan or a bet; NONE without one. */
	nextConcerned(): number {
		return this.#kernel.call.nextConcerned();
	}

	/** What of a watched book may concern a trigger, a plan or a bet: see CONCERNS. */
	concernsOf(book: number): number {
		return this.#kernel.call.concernsOf(book);
	}

	/** The lowest and the highest price of a match in a watched book since the range began, hundredths; 0 for none. */
	lowestPriceTraded(book: number): number {
		return this.#kernel.words[book * BLOCK_WORDS + LOWEST] as number;
	}
	highestPriceTraded(book: number): number {
		return this.#kernel.words[book * BLOCK_WORDS + HIGHEST] as number;
	}

	/** Begins a new range. @param price of before that counts; 0 for none */
	beginRange(book: number, price: AnyPrice | 0): void {
		this.#kernel.call.beginRange(book, price);
	}

	/** Backers' stake, minor units. */
	totalMatched(book: number): number {
		return this.#kernel.wide[book * BLOCK_WIDE + TOTAL_MATCHED] as number;
	}

	/** Aggregated resting bets of one side, best first for their takers. */
	levels(book: number, side: SideCode, depth: number): Level[] {
		const incoming: SideCode = side === BACK ? LAY : BACK;
		const levels: Level[] = [];
		for (let tick = this.bestFor(book, incoming); tick >= 0 && levels.length < depth; ) {
			levels.push({ price: this.ladder(book).priceAt(tick), size: this.sizeFor(book, incoming, tick) });
			tick = this.nextFor(book, incoming, tick);
		}
		return levels;
	}

	/** The stake of the older bets in the queue of a resting bet's price; null if they are too many to count. */
	stakeAhead(book: number, bet: number): number | null {
		const side = this.#bets.side(bet);
		const incoming: SideCode = side === BACK ? LAY : BACK;
		let ahead = 0;
		let count = 0;
		for (let older = this.oldestFor(book, incoming, this.#bets.tick(bet)); older !== bet && older !== NONE; ) {
			if (++count > MOST_AHEAD) return null;
			ahead += this.#bets.remaining(older);
			older = this.#bets.newer(older);
		}
		return ahead;
	}

	/** Every resting bet: backs by rising price, then lays by falling price, each price oldest first. */
	resting(book: number): number[] {
		const bets: number[] = [];
		for (const incoming of [LAY, BACK] as const) {
			for (let tick = this.bestFor(book, incoming); tick >= 0; tick = this.nextFor(book, incoming, tick)) {
				for (let bet = this.oldestFor(book, incoming, tick); bet !== NONE; bet = this.#bets.newer(bet)) {
					bets.push(bet);
				}
			}
		}
		return bets;
	}
}
