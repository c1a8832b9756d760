/**
 * Computes what an order would be matched with in its book now, and changes nothing. Prices are those of the resting
 * bets.
 */
import { BACK, betAt } from './bets';
import { NONE } from './blocks';
import { CROSS_MATCHES, marketAt, ON_LINES, REFUSES_SELF_MATCH } from './markets';
import { bestFor, meets, nextFor, oldestFor, sizeFor } from './order-book';
import { Order, OWN_CHOICE, OWN_LAPSES_RESTING, OWN_LAPSES_TAKING, OWN_RESTING, OWN_TAKING } from './orders';
import { LAPSES_RESTING, LAPSES_TAKING, walletAt } from './wallets';

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

/**
 * The first resting bet of an order's own position with which the order would be matched, or NONE; `order.ahead` is then
 * the stake that it would be matched with before.
 */
export function ownBetMet(order: Order): i32 {
	const isAtOnce = order.minFill > 0;
	const wanted = isAtOnce ? fillable(order) : order.stake;
	let left = wanted;
	let tick = bestFor(order.book, order.side);
	for (; tick >= 0 && left > 0; tick = nextFor(order.book, order.side, tick)) {
		if (!isAtOnce && !meets(order.side, order.tick, tick)) return NONE;
		for (let row = oldestFor(order.book, order.side, tick); row != NONE; row = betAt(row).newer) {
			const bet = betAt(row);
			if (bet.position == order.position) {
				order.ahead = wanted - left;
				return row;
			}
			left -= bet.remaining;
			if (left <= 0) return NONE;
		}
	}
	return NONE;
}

/**
 * Whether an order is kept out by a resting bet of its own player. Where the player chose otherwise, `order.meetsOwn` says
 * what happens; in markets with fills across runners, which do not look for such bets, there is no choice.
 */
export function refusesSelfMatch(order: Order): bool {
	const flags = marketAt(order.market).flags;
	if (!(flags & REFUSES_SELF_MATCH) || ownBetMet(order) == NONE) return false;
	if (flags & CROSS_MATCHES) return true;
	const choice = choiceOf(order);
	if (choice == OWN_LAPSES_RESTING) order.meetsOwn = OWN_RESTING;
	else if (choice == OWN_LAPSES_TAKING && order.ahead >= max(1, order.minFill)) order.meetsOwn = OWN_TAKING;
	return order.meetsOwn == 0;
}

/** The choice for this bet alone, or else the wallet's. */
function choiceOf(order: Order): i32 {
	const own = order.flags & OWN_CHOICE;
	if (own != 0) return own;
	const flags = walletAt(order.wallet).flags;
	return flags & LAPSES_RESTING ? OWN_LAPSES_RESTING : flags & LAPSES_TAKING ? OWN_LAPSES_TAKING : 0;
}

/** The price of a tick at which bets rest that the order could take. */
function priceAt(order: Order, tick: i32): i32 {
	return betAt(oldestFor(order.book, order.side, tick)).price;
}
