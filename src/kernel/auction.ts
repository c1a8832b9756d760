/** The moves of an auction. The engine finds the starting price, and who gets what at it: src/engine/starting-price. */
import { largestValueAtStart, leaveAuction } from './at-start';
import { betAt, DELAYED, isOnClose, markBetDirty } from './bets';
import { applyMatch } from './matching';
import { addVolume, reduce } from './order-book';
import { AT_START } from './orders';
import { addUnmatched, bookOf, positionAt } from './positions';

/**
 * Takes the unmatched part of a bet into the auction: it asks that stake at the price that was found, outside the book,
 * until `matchAtStart` and the lapse of the rest.
 */
export function enterAuction(row: i32, price: i32, stake: i32): void {
	const bet = betAt(row);
	const position = positionAt(bet.position);
	const left = bet.remaining;
	leaveAuction(bet);
	addUnmatched(bet.position, bet.runner, bet.side, bet.price, -left);
	if (isOnClose(bet)) position.openValue -= largestValueAtStart(bet.side, left);
	else {
		position.openValue -= <f64>left * <f64>bet.price;
		reduce(bookOf(row), row, left);
	}
	bet.stake += stake - left;
	bet.remaining = stake;
	bet.price = price;
	bet.flags = (bet.flags & ~AT_START) | DELAYED;
	addUnmatched(bet.position, bet.runner, bet.side, price, stake);
	markBetDirty(row);
}

/** Matches two bets of the auction. The last price of the book stays: the starting price may be none of its ladder. */
export function matchAtStart(one: i32, other: i32, stake: i32): void {
	fill(one, stake);
	fill(other, stake);
	addVolume(bookOf(one), <f64>stake);
}

function fill(row: i32, stake: i32): void {
	const bet = betAt(row);
	bet.remaining -= stake;
	assert(bet.remaining >= 0, 'an auction matches no more of a bet than it asks');
	if (bet.remaining == 0) bet.flags &= ~DELAYED;
	applyMatch(row, stake, <f64>stake * <f64>bet.price);
}

/** Lowers the worst price that a lay on close takes. @param tick of the new limit */
export function lowerLimit(row: i32, tick: i32): void {
	betAt(row).tick = tick;
	markBetDirty(row);
}
