/**
 * Reads what a command is about to need, before it decides anything. Most markets are in no cache of the processor: a row
 * that is read through another one waits for memory after it, rows that are read side by side wait once. The numbers that
 * are read mean nothing. What is read through NONE is the first block, which is empty.
 */
import { nextNumber } from './arena';
import { betAt } from './bets';
import { at, NONE } from './blocks';
import { arenaOf, marketAt } from './markets';
import { newestOf } from './order-book';
import { Order } from './orders';
import { positionAt } from './positions';
import { setPrefetched } from './report';

/**
 * What an order that is in a book reads and writes: the bet behind which it would rest; the first one that it meets, with its
 * position; the latest bet of its own position; and the unused blocks that it takes.
 */
export function prefetchOrder(order: Order): void {
	const behind = betAt(newestOf(order.book, order.side, order.tick)).stake;
	const arena = arenaOf(order.market);
	const blocks = order.position == NONE ? marketAt(order.market).blocks : 0;
	const own = betAt(positionAt(order.position).lastBet).after + nextNumber(arena, 0) + nextNumber(arena, blocks);
	setPrefetched(behind + numbersOf(betAt(order.met).position) + own);
}

/** What an unmatched bet is taken out of: its position, and both lists that it is in. */
export function prefetchCancel(row: i32): void {
	const bet = betAt(row);
	const inLists = betAt(bet.older).newer + betAt(bet.newer).older + betAt(bet.before).after + betAt(bet.after).before;
	setPrefetched(inLists + numbersOf(bet.position));
}

/** Of the first two blocks of a position. */
function numbersOf(row: i32): i32 {
	return load<i32>(at(row)) + load<i32>(at(row + 1));
}
