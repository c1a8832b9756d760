/** Price, then time; every fill at the resting price, so improvement goes to the taker. */
import type { BetTable } from '#engine/bets.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import type { OrderBooks } from '#engine/order-book.ts';
import { NONE } from '#engine/rows.ts';
import { addMatched, addUnmatched } from '#values/exposure.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** A backer takes any resting lay at his price or higher, a layer any resting back at his price or lower. */
export const meets = (side: SideCode, rung: number, resting: number): boolean =>
	resting >= 0 && (side === BACK ? resting >= rung : resting <= rung);

/** What is asked of the books before anything is matched. */
export interface Asked {
	book: number;
	side: SideCode;
	rung: number;
	stake: number;
	/** Bounds the average price instead of each fill's, and asks for at least so much at once. */
	fillOrKill?: { minFill: number } | null;
}

/**
 * The stake an incoming bet would be matched with now. A fill-or-kill bet may go on to worse prices as long as its
 * average stays at its limit, where prices are no lines; it gets nothing when that is less than its minimum.
 */
export function fillable(books: OrderBooks, { book, side, rung, stake, fillOrKill }: Asked): number {
	const ladder = books.ladder(book);
	const limit = ladder.priceAt(rung);
	let filled = 0;
	/** What the average has to spare: Σ stake × (price − limit), above zero on the taker's side. */
	let spare = 0;
	for (let at = books.bestFor(book, side); at >= 0 && filled < stake; at = books.nextFor(book, side, at)) {
		const better = side === BACK ? ladder.priceAt(at) - limit : limit - ladder.priceAt(at);
		if (better < 0 && (!fillOrKill || ladder.ofLines)) break;
		const affordable = better < 0 ? Math.floor(spare / -better) : stake;
		const taken = Math.min(books.sizeFor(book, side, at), stake - filled, affordable);
		filled += taken;
		spare += taken * better;
		if (taken === affordable && better < 0) break;
	}
	return fillOrKill && filled < fillOrKill.minFill ? 0 : filled;
}

/** True when the bet would trade with a waiting bet of its own player, filled as far as `fillable` says. */
export function wouldMeetOwnBet(state: EngineState, asked: Asked, position: number): boolean {
	const { bets, books } = state;
	let wanted = asked.fillOrKill ? fillable(books, asked) : asked.stake;
	const { book, side, rung } = asked;
	for (let at = books.bestFor(book, side); wanted > 0 && at >= 0; at = books.nextFor(book, side, at)) {
		if (!asked.fillOrKill && !meets(side, rung, at)) return false;
		for (let bet = books.oldestFor(book, side, at); bet !== NONE; bet = bets.newer(bet)) {
			if (bets.position(bet) === position) return true;
			wanted -= bets.remaining(bet);
			if (wanted <= 0) return false;
		}
	}
	return false;
}

/** Hears of every fill; both bets already have less remaining. Rows of bets. */
export interface FillListener {
	filled(taker: number, maker: number, stake: number): void;
}

/** For a search that stops at no price. */
export const ANY_RUNG = -1;

/** Takes stake from the book, best price first, then the oldest; no further than the bet's rung, or another one. */
export function cross(
	bets: BetTable,
	books: OrderBooks,
	book: number,
	taker: number,
	listener: FillListener,
	wanted = bets.remaining(taker),
	rung = bets.rung(taker),
): void {
	const side = bets.side(taker);
	let left = wanted;
	while (left > 0) {
		const at = books.bestFor(book, side);
		if (at < 0 || !(rung === ANY_RUNG || meets(side, rung, at))) return;
		const maker = books.oldestFor(book, side, at);
		const stake = Math.min(left, bets.remaining(maker));
		books.reduce(book, maker, stake);
		bets.setRemaining(taker, bets.remaining(taker) - stake);
		left -= stake;
		listener.filled(taker, maker, stake);
	}
}

/** Fills an incoming bet, and keeps positions and what the market traded in step with each fill. */
export class Matcher implements FillListener {
	readonly #state: EngineState;
	#market: Market | null = null;
	#book = 0;
	#effects: Effects | null = null;
	/** Positions of those who were met, each once: the first `metCount`. */
	readonly met: number[] = [];
	metCount = 0;

	constructor(state: EngineState) {
		this.#state = state;
	}

	/** Afterwards `met` holds the positions that were met, good until the next match. */
	match(market: Market, book: number, taker: number, effects: Effects, wanted?: number): void {
		this.begin(market, effects);
		this.#book = book;
		const { bets, books } = this.#state;
		if (wanted === undefined) cross(bets, books, book, taker, this);
		else cross(bets, books, book, taker, this, wanted, ANY_RUNG);
		if (this.metCount > 0) this.#state.digest.touch(market);
	}

	/** Nobody was met yet. */
	begin(market: Market, effects: Effects): void {
		this.metCount = 0;
		this.#market = market;
		this.#effects = effects;
	}

	/** Goes on matching after `begin`, so much at most and no further than that rung. */
	take(book: number, taker: number, wanted: number, rung: number): void {
		this.#book = book;
		cross(this.#state.bets, this.#state.books, book, taker, this, wanted, rung);
		this.#state.digest.touch(this.#market as Market);
	}

	/** Matches two bets that stand in no book, at the second one's price. */
	meetLoose(taker: number, maker: number, stake: number): void {
		const { bets, positions } = this.#state;
		this.#book = this.#state.bookOf(maker);
		positions.addOpenValue(bets.position(maker), stake * bets.price(maker));
		bets.setRemaining(taker, bets.remaining(taker) - stake);
		bets.setRemaining(maker, bets.remaining(maker) - stake);
		this.filled(taker, maker, stake);
	}

	filled(taker: number, maker: number, stake: number): void {
		const { bets, books, positions } = this.#state;
		const market = this.#market as Market;
		const price = bets.price(maker);
		const makerPosition = bets.position(maker);
		positions.addOpenValue(makerPosition, -stake * price);
		this.#apply(market, taker, price, stake);
		this.#apply(market, maker, price, stake);
		books.lastPriceTraded[this.#book] = price;
		books.totalMatched[this.#book] = (books.totalMatched[this.#book] as number) + stake;
		this.#meet(makerPosition);
		(this.#effects as Effects).betMatched(
			bets.id(taker),
			bets.id(maker),
			market.terms.marketId,
			bets.runner(taker),
			price,
			stake,
			bets.side(taker),
		);
	}

	#meet(position: number): void {
		for (let at = 0; at < this.metCount; at++) if (this.met[at] === position) return;
		// Overwritten rather than emptied: an emptied list would give its memory away with every bet.
		this.met[this.metCount++] = position;
	}

	/** Turns a part of a bet from unmatched into matched. */
	#apply(market: Market, bet: number, price: number, stake: number): void {
		const { bets, positions } = this.#state;
		const runner = bets.runner(bet);
		const side = bets.side(bet);
		const value = stake * price;
		bets.setMatched(bet, bets.matched(bet) + stake);
		bets.setMatchedValue(bet, bets.matchedValue(bet) + value);
		const figures = positions.figures(bets.position(bet));
		addUnmatched(figures, runner, side, bets.price(bet), -stake);
		addMatched(figures, runner, side, value, stake);
		bets.touch(bet);
		if (!market.keepsFills) return;
		const id = bets.id(bet);
		const fills = market.fills.get(id);
		if (fills) fills.push({ stake, price });
		else market.fills.set(id, [{ stake, price }]);
	}
}
