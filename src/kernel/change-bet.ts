/** Changes of bets that no player commands: restored, voided, reduced, or lowered in price by a removed runner. */
import { joinAuction, waitForStart } from './at-start';
import { addBet, betAt, DELAYED, isDelayed, isOnClose, markBetDirty } from './bets';
import { NONE } from './blocks';
import { marketAt, ON_LINES } from './markets';
import { reachedBook, reduce, restByAge } from './order-book';
import {
	addMatched,
	addPosition,
	addUnmatched,
	bookOf,
	exposureOf,
	link,
	markPositionDirty,
	positionAt,
} from './positions';
import { readGivenRequest } from './read-order';

/**
 * Restores the bet of the request. Where prices are lines, its fills follow by `addMatched`, then `restoreHeld`.
 * @returns its row
 */
export function restoreBet(matched: i32, matchedValue: f64, remaining: i32, inDelay: i32): i32 {
	const order = readGivenRequest();
	if (order.position == NONE) order.position = addPosition(order.market, order.pool, order.wallet);
	const row = addBet(order);
	const bet = betAt(row);
	bet.matched = matched;
	bet.matchedValue = matchedValue;
	bet.remaining = remaining;
	if (inDelay != 0) bet.flags |= DELAYED;
	link(order.position, row);
	addUnmatched(order.position, order.runner, order.side, order.price, remaining);
	const isOnLines = (marketAt(order.market).flags & ON_LINES) != 0;
	if (!isOnLines) addMatched(order.position, order.runner, order.side, matchedValue, matched);
	if (remaining == 0) return row;
	if (isOnClose(bet)) waitForStart(bet);
	else if (inDelay == 0) {
		restAgain(row);
		joinAuction(bet);
	}
	return row;
}

/** Only the final figure of the position counts: its last bet leaves it. */
export function restoreHeld(position: i32): void {
	positionAt(position).held = exposureOf(position);
	markPositionDirty(position);
}

/** Removes a matched part from a bet, by its stake and its value; the caller updates the held money. */
export function voidMatched(row: i32, stake: i32, value: f64): void {
	const bet = betAt(row);
	assert(stake <= bet.matched && value <= bet.matchedValue, 'no more of a bet is void than is matched');
	bet.matched -= stake;
	bet.matchedValue -= value;
	addMatched(bet.position, bet.runner, bet.side, -value, -stake);
	markBetDirty(row);
	markPositionDirty(bet.position);
}

/** Replaces the value of a bet's fills. */
export function revalueMatched(row: i32, value: f64): void {
	const bet = betAt(row);
	addMatched(bet.position, bet.runner, bet.side, value - bet.matchedValue, 0);
	bet.matchedValue = value;
	markBetDirty(row);
	markPositionDirty(bet.position);
}

/** Lowers the price of a bet's unmatched part; the bet keeps its time. */
export function repriceRemaining(row: i32, price: i32, tick: i32): void {
	const bet = betAt(row);
	const left = bet.remaining;
	addUnmatched(bet.position, bet.runner, bet.side, bet.price, -left);
	addUnmatched(bet.position, bet.runner, bet.side, price, left);
	const rests = !isDelayed(bet);
	if (rests) {
		positionAt(bet.position).openValue -= <f64>left * <f64>bet.price;
		reduce(bookOf(row), row, left);
	}
	bet.price = price;
	bet.tick = tick;
	bet.remaining = left;
	if (rests) restAgain(row);
	markBetDirty(row);
}

/** Puts a bet into its book by its time. */
function restAgain(row: i32): void {
	const bet = betAt(row);
	positionAt(bet.position).openValue += <f64>bet.remaining * <f64>bet.price;
	restByAge(bookOf(row), row, reachedBook(row));
}
