/** Makes an order of a request. */
import { BACK, betAt, LAY } from './bets';
import { MARKETS, NONE, WALLETS } from './blocks';
import { findId } from './id-index';
import { NO_TICK, tickOf } from './ladders';
import { firstBookIn, marketAt, OPEN } from './markets';
import { firstMet } from './order-book';
import { AT_START, FILL_OR_KILL, KEPT, ON_CLOSE, Order, theOrder, theRequest } from './orders';
import { bookOf, findPosition, marketOf, poolOf, positionAt } from './positions';
import { prefetchOrder } from './prefetch';
import { walletAt } from './wallets';

/** Makes the order of a request, except for its position. The numbers may be any: the order is judged afterwards. */
export function readRequest(market: i32, wallet: i32): Order {
	const request = theRequest();
	const order = theOrder();
	const pool = walletAt(wallet).pool;
	order.id = request.betId;
	order.market = market;
	order.wallet = wallet;
	order.pool = pool;
	order.runner = <i32>request.runner;
	order.side = request.side == <f64>BACK ? BACK : LAY;
	order.price = <i32>request.price;
	const limit = request.flags & ON_CLOSE ? request.limit : request.price;
	order.tick = limit == Infinity ? NO_TICK : tickOf(marketAt(market).ladder, limit);
	order.stake = <i32>request.stake;
	order.minFill = request.flags & FILL_OR_KILL ? <i32>request.minFill : 0;
	order.flags = request.flags;
	order.meetsOwn = 0;
	const firstBook = firstBookIn(market, pool);
	const isRunner = <u32>order.runner < <u32>marketAt(market).books;
	order.book = firstBook != NONE && isRunner ? firstBook + order.runner : NONE;
	return order;
}

/** The same for a request that is not judged: the house's legs between runners, and restored bets. */
export function readGivenRequest(): Order {
	const market = findId(MARKETS, theRequest().marketId);
	const wallet = findId(WALLETS, theRequest().walletId);
	assert(market != NONE && wallet != NONE, 'a bet that is given has its market and its wallet');
	const order = readRequest(market, wallet);
	order.position = findPosition(market, wallet);
	// A bet that took the starting price has none of the ladder.
	assert(
		order.book != NONE && (order.tick >= 0 || order.flags & AT_START) && order.stake > 0,
		'a bet that is given has a book, a price of its ladder and a stake',
	);
	return order;
}

/**
 * Finds the first resting bet that an order meets, if it is one for an open book, and prefetches what it will read and write:
 * memory answers while the order is judged.
 */
export function lookAhead(order: Order): void {
	order.met = NONE;
	if (order.book == NONE || order.tick == NO_TICK || order.flags & ON_CLOSE) return;
	if (marketAt(order.market).status != OPEN) return;
	order.met = firstMet(order.book, order.side, order.tick);
	prefetchOrder(order);
}

/** Makes the order of a bet's remainder. */
export function readBet(row: i32, minFill: i32): Order {
	const bet = betAt(row);
	const order = theOrder();
	order.id = bet.id;
	order.market = marketOf(bet.position);
	order.wallet = positionAt(bet.position).wallet;
	order.position = bet.position;
	order.pool = poolOf(bet.position);
	order.book = bookOf(row);
	order.runner = bet.runner;
	order.side = bet.side;
	order.price = bet.price;
	order.tick = bet.tick;
	order.stake = bet.remaining;
	order.minFill = minFill;
	order.flags = bet.flags & (KEPT | AT_START);
	order.meetsOwn = 0;
	order.met = firstMet(order.book, order.side, order.tick);
	return order;
}
