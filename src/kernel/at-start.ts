/**
 * The bets that take part in the auction of the starting price: those on close, outside the book, and those in
 * the book whose unmatched part takes the starting price.
 */
import { BACK, Bet, betAt } from './bets';
import { NONE } from './blocks';
import { Market, marketAt, REFUSES_SELF_MATCH } from './markets';
import { AT_START } from './orders';
import { marketOf, positionAt } from './positions';

/**
 * Until the auction a bet on close counts at this price, hundredths: what a backer and a layer can lose there is the stake,
 * which of a lay on close is its liability.
 */
export const EVENS: i32 = 200;
/** The smallest liability of a lay on close, in smallest stakes: the service asks ten of them, too. */
export const LEAST_LIABILITY: i32 = 10;
/** Bets in the auction of one market, which is one command. */
export const MOST_AT_START: i32 = 5000;
/** Σ stake × price for a unit of a back's stake, or a lay's liability, at the starting price at which it is largest. */
const LARGEST_OF_BACK: f64 = 100_000;
const LARGEST_OF_LAY: f64 = 10_100;

/** What a bet on close may come to: Σ stake × price. A lay of a liability buys most stake at 1.01. */
export function largestValueAtStart(side: i32, stake: i32): f64 {
	return <f64>stake * (side == BACK ? LARGEST_OF_BACK : LARGEST_OF_LAY);
}

function marketOfBet(bet: Bet): Market {
	return marketAt(marketOf(bet.position));
}

/** Counts a bet on close, outside the book. */
export function waitForStart(bet: Bet): void {
	positionAt(bet.position).openValue += largestValueAtStart(bet.side, bet.remaining);
	marketOfBet(bet).atStart++;
}

/** Counts a bet that rests, if its unmatched part takes the starting price. */
export function joinAuction(bet: Bet): void {
	if (bet.flags & AT_START) marketOfBet(bet).atStart++;
}

/** A bet has no unmatched part any more, or none that takes the starting price. */
export function leaveAuction(bet: Bet): void {
	if (!(bet.flags & AT_START)) return;
	const market = marketOfBet(bet);
	market.atStart--;
	assert(market.atStart >= 0, 'the bets in an auction are never fewer than none');
}

/** Whether a position has a bet of the other side in the auction of a runner, where its player may not meet himself. */
export function hasOpposite(position: i32, runner: i32, side: i32): bool {
	if (!(marketAt(marketOf(position)).flags & REFUSES_SELF_MATCH)) return false;
	for (let row = positionAt(position).lastBet; row != NONE; row = betAt(row).before) {
		const bet = betAt(row);
		if (bet.flags & AT_START && bet.remaining > 0 && bet.runner == runner && bet.side != side) return true;
	}
	return false;
}
