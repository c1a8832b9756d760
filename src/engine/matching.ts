/** Price, then time; every fill at the resting price, so improvement goes to the taker. */
import type { PlaceBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { FILL_WIDE } from '#engine/kernel.ts';
import { FILL_ROW } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import { meets, type OrderBooks } from '#engine/order-book.ts';
import { NONE } from '#engine/rows.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

// Of this file: every bet passes here, and an imported constant is fetched and checked at each use.
const NUMBERS = FILL_WIDE;
const { makerId: MAKER_ID, maker: MAKER, stake: STAKE, price: PRICE } = FILL_ROW;

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

/** Σ stake × price of what a bet would take of the books, which hold as much, best price first. */
export function valueOfFill(books: OrderBooks, { book, side, stake }: Asked): number {
	const ladder = books.ladder(book);
	let [left, value] = [stake, 0];
	for (let at = books.bestFor(book, side); at >= 0 && left > 0; at = books.nextFor(book, side, at)) {
		const taken = Math.min(books.sizeFor(book, side, at), left);
		value += taken * ladder.priceAt(at);
		left -= taken;
	}
	return value;
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

/** Fills an incoming bet, and keeps positions and what the market traded in step with its fills. */
export class Matcher {
	readonly #state: EngineState;
	/** Positions of those who were met, each once: the first `metCount`. */
	readonly met: number[] = [];
	metCount = 0;

	constructor(state: EngineState) {
		this.#state = state;
	}

	/** Nobody was met yet. */
	begin(): void {
		this.metCount = 0;
	}

	/**
	 * After `begin`: so much at most, and no further than that rung. `met` then holds the positions that were met since,
	 * good until the next match.
	 */
	take(market: Market, book: number, taker: number, wanted: number, rung: number, effects: Effects): void {
		const { bets, books, kernel } = this.#state;
		const fills = books.take(book, bets.side(taker), taker, wanted, rung);
		if (fills === 0) return;
		let stake = 0;
		let value = 0;
		let price = 0;
		const { firstFill } = kernel;
		for (let at = firstFill; at < firstFill + fills * NUMBERS; at += NUMBERS) {
			const maker = kernel.words[at * 2 + MAKER] as number;
			const part = kernel.words[at * 2 + STAKE] as number;
			price = kernel.words[at * 2 + PRICE] as number;
			this.#fill(market, taker, maker, part, price, effects);
			// Every line is an outcome of its own.
			if (market.shape.line !== null) this.#fillTaker(market, taker, part, part * price);
			stake += part;
			value += part * price;
		}
		if (market.shape.line === null) this.#fillTaker(market, taker, stake, value);
		books.recordTrade(book, price, stake);
		this.#state.digest.touch(market);
	}

	/** Tells the fills of a bet that the kernel has placed. */
	emitFills({ betId, marketId, runner, side }: PlaceBet, effects: Effects): void {
		const { fills, firstFill, words, wide } = this.#state.kernel;
		if (fills === 0) return;
		const market = this.#state.markets.get(marketId) as Market;
		for (let at = firstFill; at < firstFill + fills * NUMBERS; at += NUMBERS) {
			const maker = wide[at + MAKER_ID] as number;
			const price = words[at * 2 + PRICE] as number;
			this.#emitFill(market, betId, maker, runner, price, words[at * 2 + STAKE] as number, side, effects);
		}
		this.#state.digest.touch(market);
	}

	/** Matches two bets that stand in no book, at the second one's price. */
	matchOutsideBook(market: Market, taker: number, maker: number, stake: number, effects: Effects): void {
		const { bets, books, positions } = this.#state;
		const price = bets.price(maker);
		positions.addOpenValue(bets.position(maker), stake * price);
		bets.setRemaining(taker, bets.remaining(taker) - stake);
		bets.setRemaining(maker, bets.remaining(maker) - stake);
		this.#fill(market, taker, maker, stake, price, effects);
		this.#fillTaker(market, taker, stake, stake * price);
		books.recordTrade(this.#state.bookOf(market, maker), price, stake);
		this.#state.digest.touch(market);
	}

	/** The resting side of a fill. */
	#fill(market: Market, taker: number, maker: number, stake: number, price: number, effects: Effects): void {
		const { bets, positions } = this.#state;
		const position = bets.position(maker);
		const runner = bets.runner(maker);
		const side = bets.side(maker);
		const value = stake * price;
		bets.addMatched(maker, stake, value);
		positions.match(position, market, runner, side, price, value, stake);
		this.#meet(position);
		this.#emitFill(market, bets.id(taker), bets.id(maker), runner, price, stake, side === BACK ? LAY : BACK, effects);
	}

	#emitFill(
		market: Market,
		taker: number,
		maker: number,
		runner: number,
		price: number,
		stake: number,
		side: SideCode,
		effects: Effects,
	): void {
		if (market.keepsFills) {
			remember(market, taker, stake, price);
			remember(market, maker, stake, price);
		}
		effects.betMatched(taker, maker, market.marketId, runner, price, stake, side);
	}

	/** What the taker was filled with, all at once: his part is the same however many he met. */
	#fillTaker(market: Market, taker: number, stake: number, value: number): void {
		const { bets, positions } = this.#state;
		const position = bets.position(taker);
		const runner = bets.runner(taker);
		const side = bets.side(taker);
		bets.addMatched(taker, stake, value);
		positions.addUnmatched(position, market, runner, side, bets.price(taker), -stake);
		positions.addMatched(position, market, runner, side, value, stake);
	}

	#meet(position: number): void {
		for (let at = 0; at < this.metCount; at++) if (this.met[at] === position) return;
		// Overwritten rather than emptied: an emptied list would give its memory away with every bet.
		this.met[this.metCount++] = position;
	}
}

/** The price of every fill counts later. */
function remember(market: Market, betId: number, stake: number, price: number): void {
	const fills = market.fills.get(betId);
	if (fills) fills.push({ stake, price });
	else market.fills.set(betId, [{ stake, price }]);
}
