/** Removes unmatched stake from bets: cancelled, lapsed, or in the way of another bet of their player. */
import { largestValueAtStart, leaveAuction } from './at-start';
import { betAt, DELAYED, isDelayed, isOnClose, markBetDirty } from './bets';
import { forgetBet } from './forget-bet';
import { KEEPS_DETAILS, marketAt } from './markets';
import { noteBet, reduce } from './order-book';
import { EXPIRES, UNTIL_MATCHED } from './orders';
import { addUnmatched, bookOf, marketOf, positionAt } from './positions';
import { DELAY_ENDED, DETAIL_ENDED } from './report';

/**
 * Removes unmatched stake from a bet; the caller updates the held money. A bet with nothing left and nothing matched is
 * forgotten.
 * @returns DELAY_ENDED, DETAIL_ENDED
 */
export function cancelRemaining(row: i32, stake: i32): i32 {
	const bet = betAt(row);
	assert(stake > 0 && stake <= bet.remaining, 'a bet is cancelled by its remaining stake at most');
	const position = positionAt(bet.position);
	let led = 0;
	const isInBook = !isDelayed(bet) && !isOnClose(bet);
	if (isOnClose(bet)) position.openValue -= largestValueAtStart(bet.side, stake);
	if (!isInBook) {
		bet.remaining -= stake;
		noteBet(bookOf(row));
		if (bet.remaining == 0) {
			if (isDelayed(bet)) led = DELAY_ENDED;
			bet.flags &= ~DELAYED;
		}
	} else {
		position.openValue -= <f64>stake * <f64>bet.price;
		assert(position.openValue >= 0, 'the stake that a position has in the book is never below zero');
		reduce(bookOf(row), row, stake);
	}
	if (bet.remaining == 0) leaveAuction(bet);
	addUnmatched(bet.position, bet.runner, bet.side, bet.price, -stake);
	markBetDirty(row);
	if (bet.remaining + bet.matched > 0) return led;
	const ends = bet.flags & (EXPIRES | UNTIL_MATCHED);
	const keepsDetails = ((marketAt(marketOf(bet.position)).flags & KEEPS_DETAILS) | ends) != 0;
	forgetBet(row);
	return keepsDetails ? led | DETAIL_ENDED : led;
}
