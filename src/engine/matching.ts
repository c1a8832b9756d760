/** Price, then time; every fill at the resting price, so improvement goes to the taker. */
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, Position } from '#engine/market.ts';
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

/** Hears of every fill; both bets already have less remaining. */
export interface FillListener {
	filled(taker: Bet, maker: Bet, stake: number): void;
}

/** Takes from the book what the incoming bet meets: best price first, then the oldest. */
export function cross(book: OrderBook, taker: Bet, listener: FillListener): void {
	while (taker.remaining > 0) {
		const at = book.bestFor(taker.side);
		if (!meets(taker.side, taker.rung, at)) return;
		const maker = book.oldestFor(taker.side, at) as Bet;
		const stake = Math.min(taker.remaining, maker.remaining);
		book.reduce(maker, stake);
		taker.remaining -= stake;
		listener.filled(taker, maker, stake);
	}
}

/** Fills the incoming bet as far as the book allows; returns the positions of those who were met. */
export function match(state: EngineState, market: Market, book: OrderBook, taker: Bet, effects: Effects): Position[] {
	const makers: Position[] = [];
	cross(book, taker, {
		filled(_, maker, stake) {
			apply(state, taker, maker.price, stake);
			apply(state, maker, maker.price, stake);
			book.lastPriceTraded = maker.price;
			book.totalMatched += stake;
			if (!makers.includes(maker.position)) makers.push(maker.position);
			effects.betMatched(taker.betId, maker.betId, market.terms.marketId, taker.runner, maker.price, stake, taker.side);
		},
	});
	if (makers.length > 0) state.digest.touch(market);
	return makers;
}

/** Turns a part of a bet from unmatched into matched. */
function apply(state: EngineState, bet: Bet, price: number, stake: number): void {
	bet.matched += stake;
	bet.matchedValue += stake * price;
	addUnmatched(bet.position.outcomes, bet.runner, bet.side, bet.price, -stake);
	addMatched(bet.position.outcomes, bet.runner, bet.side, price, stake);
	state.digest.touch(bet);
}
