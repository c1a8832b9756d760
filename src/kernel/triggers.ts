/**
 * The money of triggers. What a trigger may place is counted as unmatched in its player's position from the beginning, so
 * it can be paid for when it is placed; the engine keeps the rest of a trigger.
 */
import { setLastBetId } from './bets';
import { NONE } from './blocks';
import { holdAndReport } from './holds';
import { judgeTrigger } from './judge';
import { Order, theOrder } from './orders';
import { addPosition, addUnmatched, markPositionDirty, positionAt } from './positions';
import { readGivenRequest } from './read-order';
import { ACCEPTED } from './refusals';
import { clearReport, report } from './report';

/**
 * Judges the order that a trigger may place, and holds its risk; the trigger's id is the next of the bets' ids.
 * @returns a refusal, or ACCEPTED: the report then has its market, its position and the held money
 */
export function reserveTrigger(): i32 {
	const refusal = judgeTrigger();
	if (refusal != ACCEPTED) return refusal;
	clearReport();
	const order = theOrder();
	const isCounted = order.position != NONE;
	count(order, isCounted);
	setLastBetId(order.id);
	holdAndReport(order.position, order.exposure);
	return ACCEPTED;
}

/** Counts the order of a restored trigger, whose request is given, in; `restoreHeld` follows. @returns its position */
export function restoreTrigger(): i32 {
	const order = readGivenRequest();
	count(order, false);
	return order.position;
}

/** @param isCounted whether it is counted as unmatched already */
function count(order: Order, isCounted: bool): void {
	if (order.position == NONE) order.position = addPosition(order.market, order.pool, order.wallet);
	const position = order.position;
	if (!isCounted) addUnmatched(position, order.runner, order.side, order.price, order.stake);
	positionAt(position).openValue += <f64>order.stake * <f64>order.price;
	markPositionDirty(position);
	const result = report();
	result.market = order.market;
	result.position = position;
	result.pool = order.pool;
}

/**
 * Counts an order in without the bound of the position's figures, where a plan holds for what its bet may become instead of for
 * the bet; a negative stake counts one out. The caller updates the held money.
 */
export function countInstead(position: i32, runner: i32, side: i32, price: i32, stake: i32): void {
	addUnmatched(position, runner, side, price, stake);
	markPositionDirty(position);
}

/** Counts the order of a trigger out of its position, or in again by a negative stake; the caller updates the held money. */
export function releaseTrigger(position: i32, runner: i32, side: i32, price: i32, stake: i32): void {
	addUnmatched(position, runner, side, price, -stake);
	positionAt(position).openValue -= <f64>stake * <f64>price;
	assert(positionAt(position).openValue >= 0, 'the stake that a position has open is never below zero');
	markPositionDirty(position);
}
