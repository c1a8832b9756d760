/** Matches accepted bets. Fills go to the bets, to the figures of their positions and to what the book traded. */
import { leaveAuction } from './at-start';
import { betAt, markBetDirty } from './bets';
import { marketAt, ON_LINES } from './markets';
import { recordTrade, takeFrom } from './order-book';
import { addMatched, addUnmatched, bookOf, marketOf, positionAt } from './positions';
import { addFill, fillAt, fillCount } from './report';

/**
 * Fills a bet from a book, best price first, and applies the fills, which follow those already reported.
 * @param wanted stake
 * @param limit the worst tick that the bet accepts, or ANY_TICK
 * @returns the number of new fills
 */
export function matchBet(book: i32, taker: i32, wanted: i32, limit: i32): i32 {
	assert(wanted <= betAt(taker).remaining, 'a bet is matched with its remaining stake at most');
	const first = fillCount();
	takeFrom(book, betAt(taker).side, taker, wanted, limit);
	if (fillCount() > first) applyFills(book, taker, first);
	return fillCount() - first;
}

/** Matches two bets outside the books, at the maker's price. */
export function matchOutsideBook(taker: i32, maker: i32, stake: i32): void {
	const price = betAt(maker).price;
	const value = <f64>stake * <f64>price;
	betAt(taker).remaining -= stake;
	betAt(maker).remaining -= stake;
	assert(betAt(taker).remaining >= 0 && betAt(maker).remaining >= 0, 'a match takes no more than remains');
	addFill(maker, betAt(maker).id, stake, price);
	applyMatch(maker, stake, value);
	applyMatch(taker, stake, value);
	recordTrade(bookOf(maker), price, price, <f64>stake);
}

/** Applies the fills from `first` on: each maker's, and the taker's in one sum. */
function applyFills(book: i32, taker: i32, first: i32): void {
	// Every line is an outcome of its own, so the taker's part is not summed there.
	const isOnLines = (marketAt(marketOf(betAt(taker).position)).flags & ON_LINES) != 0;
	let stake = 0;
	let value: f64 = 0;
	let price = 0;
	for (let index = first; index < fillCount(); index++) {
		const fill = fillAt(index);
		price = fill.price;
		const worth = <f64>fill.stake * <f64>price;
		const position = positionAt(betAt(fill.maker).position);
		position.openValue -= worth;
		assert(position.openValue >= 0, 'the stake that a position has in the book is never below zero');
		applyMatch(fill.maker, fill.stake, worth);
		if (betAt(fill.maker).remaining == 0) leaveAuction(betAt(fill.maker));
		if (isOnLines) applyMatch(taker, fill.stake, worth);
		stake += fill.stake;
		value += worth;
	}
	if (!isOnLines) applyMatch(taker, stake, value);
	// The prices of one bet's fills move one way.
	recordTrade(book, fillAt(first).price, price, <f64>stake);
}

/** Moves a part of a bet from unmatched to matched; its remaining stake is already lower. */
export function applyMatch(row: i32, stake: i32, value: f64): void {
	const bet = betAt(row);
	bet.matched += stake;
	bet.matchedValue += value;
	assert(bet.matched + bet.remaining <= bet.stake, 'matched and remaining are together no more than the stake');
	markBetDirty(row);
	addUnmatched(bet.position, bet.runner, bet.side, bet.price, -stake);
	addMatched(bet.position, bet.runner, bet.side, value, stake);
}
