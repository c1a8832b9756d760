/**
 * Computes what an order would be matched with in its book now, and changes nothing. Prices are those of the resting
 * bets.
 */
import { BACK, betAt } from './bets';
import { NONE } from './blocks';
import { marketAt, ON_LINES } from './markets';
import { bestFor, meets, nextFor, oldestFor, sizeFor } from './order-book';
import { Order } from './orders';

/**
 * The stake that a fill-or-kill order would be matched with. It may accept worse prices as long as its average stays at
 * its limit, where prices are not lines; it gets nothing when the stake is below its smallest fill.
 */
export function fillable(order: Order): i32 {
	const mayAverage = !(marketAt(order.market).flags & ON_LINES);
	let filled: f64 = 0;
	// The average's margin: Σ stake × (price − limit), above zero on the taker's side.
	let spare: f64 = 0;
	let tick = bestFor(order.book, order.side);
	for (; tick >= 0 && filled < <f64>order.stake; tick = nextFor(order.book, order.side, tick)) {
		const price = priceAt(order, tick);
		const better = <f64>(order.side == BACK ? price - order.price : order.price - price);
		if (better < 0 && !mayAverage) break;
		const affordable = better < 0 ? floor(spare / -better) : <f64>order.stake;
		const taken = min(min(sizeFor(order.book, order.side, tick), <f64>order.stake - filled), affordable);
		filled += taken;
		spare += taken * better;
		if (taken == affordable && better < 0) break;
	}
	return filled < <f64>order.minFill ? 0 : <i32>filled;
}

/** Σ stake × price that an order would take from a book with enough stake, best price first. */
export function valueOfFill(order: Order): f64 {
	let left = <f64>order.stake;
	let value: f64 = 0;
	let tick = bestFor(order.book, order.side);
	for (; tick >= 0 && left > 0; tick = nextFor(order.book, order.side, tick)) {
		const taken = min(sizeFor(order.book, order.side, tick), left);
		value += taken * <f64>priceAt(order, tick);
		left -= taken;
	}
	return value;
}

/** Whether an order would be matched with a resting bet of its own position. */
export function meetsOwnBet(order: Order): bool {
	const isAtOnce = order.minFill > 0;
	let wanted = isAtOnce ? fillable(order) : order.stake;
	let tick = bestFor(order.book, order.side);
	for (; tick >= 0 && wanted > 0; tick = nextFor(order.book, order.side, tick)) {
		if (!isAtOnce && !meets(order.side, order.tick, tick)) return false;
		for (let row = oldestFor(order.book, order.side, tick); row != NONE; row = betAt(row).newer) {
			const bet = betAt(row);
			if (bet.position == order.position) return true;
			wanted -= bet.remaining;
			if (wanted <= 0) return false;
		}
	}
	return false;
}

/** The price of a tick at which bets rest that the order could take. */
function priceAt(order: Order, tick: i32): i32 {
	return betAt(oldestFor(order.book, order.side, tick)).price;
}
