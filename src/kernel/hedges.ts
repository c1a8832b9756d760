/** The bets that the engine places itself: hedges of a cash-out, and the house's legs between runners. */
import { NONE } from './blocks';
import { holdForMakers } from './holds';
import { DELAYS, marketAt } from './markets';
import { theOrder } from './orders';
import { addOrder, beginDelay, meet, NEVER } from './place-bet';
import { addPosition, addUnmatched } from './positions';
import { readGivenRequest } from './read-order';
import { clearReport, report } from './report';

/**
 * Places the request as a hedge that `judgeHedge` accepts and the book fills; the caller updates the player's held
 * money.
 */
export function placeHedge(): void {
	clearReport();
	const row = addGivenBet();
	const order = theOrder();
	if (marketAt(order.market).flags & DELAYS) {
		beginDelay(row);
		return;
	}
	meet(order, row, NEVER);
	assert(report().matched == order.stake, 'a hedge that was planned is filled whole');
	holdForMakers(order.position);
}

/** Adds the bet of a request without judging it, unmatched and in no book. @returns its row */
export function addGivenBet(): i32 {
	const order = readGivenRequest();
	if (order.position == NONE) order.position = addPosition(order.market, order.pool, order.wallet);
	addUnmatched(order.position, order.runner, order.side, order.price, order.stake);
	return addOrder(order);
}
