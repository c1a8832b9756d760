/** Price, then time; every fill at the resting price, so improvement goes to the taker. */
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide, Position } from '#engine/market.ts';
import type { Bet, OrderBook } from '#engine/order-book.ts';
import { addMatched, addUnmatched } from '#values/exposure.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** A backer takes any resting lay at his price or higher, a layer any resting back at his price or lower. */
const meets = (side: SideCode, rung: number, resting: number): boolean =>
	resting >= 0 && (side === BACK ? resting >= rung : resting <= rung);

/** True when the bet would trade with a resting bet of its own player. Asked before anything is matched. */
export function wouldMeetOwnBet(
	book: OrderBook,
	position: Position,
	bet: { side: SideCode; runner: number; stake: number },
	rung: number,
): boolean {
	const { backOn, layOn } = position.outcomes;
	if ((bet.side === BACK ? layOn : backOn)[bet.runner] === 0) return false;
	let wanted = bet.stake;
	for (let at = book.bestFor(bet.side); meets(bet.side, rung, at); at = book.nextFor(bet.side, at)) {
		for (let resting = book.oldestFor(bet.side, at); resting; resting = resting.newer) {
			if (resting.position === position) return true;
			wanted -= resting.remaining;
			if (wanted <= 0) return false;
		}
	}
	return false;
}

/** Fills the incoming bet as far as the book allows; returns the positions of those who were met. */
export function match(
	state: EngineState,
	market: Market,
	side: PoolSide,
	taker: Bet,
	effects: Effects,
): readonly Position[] {
	const book = side.books[taker.runner] as OrderBook;
	const makers: Position[] = [];
	for (let at = book.bestFor(taker.side); meets(taker.side, taker.rung, at); at = book.bestFor(taker.side)) {
		const maker = book.oldestFor(taker.side, at) as Bet;
		const stake = Math.min(taker.remaining, maker.remaining);
		fill(state, book, taker, maker, stake);
		if (!makers.includes(maker.position)) makers.push(maker.position);
		effects.betMatched(taker.betId, maker.betId, market.terms.marketId, taker.runner, maker.price, stake, taker.side);
		if (taker.remaining === 0) break;
	}
	if (makers.length > 0) state.digest.touch(market);
	return makers;
}

function fill(state: EngineState, book: OrderBook, taker: Bet, maker: Bet, stake: number): void {
	book.reduce(maker, stake);
	taker.remaining -= stake;
	for (const bet of [taker, maker]) {
		bet.matched += stake;
		bet.matchedValue += stake * maker.price;
		addUnmatched(bet.position.outcomes, bet.runner, bet.side, bet.price, -stake);
		addMatched(bet.position.outcomes, bet.runner, bet.side, maker.price, stake);
		state.digest.touch(bet);
	}
	book.lastPriceTraded = maker.price;
	book.totalMatched += stake;
}
