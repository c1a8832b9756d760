/**
 * Orders of the crowd, the house's own takers. Such an order meets the book by price and time like any bet. Against a
 * quote it is netted: one house wallet would win what the other loses, so it leaves no position and no posting, only a
 * smaller quote and traded volume. A player's bet is met by an ordinary bet. docs/MARKETS.md, "The crowd".
 */
import { betAt } from './bets';
import { MARKETS, NONE, WALLETS } from './blocks';
import { cancelRemaining } from './cancel-remaining';
import { holdAndReport } from './holds';
import { findId } from './id-index';
import { refusalOfTerms } from './judge';
import { firstBookIn, marketAt } from './markets';
import { firstMet, recordTrade } from './order-book';
import { FILL_OR_KILL, Order, theRequest } from './orders';
import { placeBet } from './place-bet';
import { leastStakeIn } from './pools';
import { exposureOf, positionAt } from './positions';
import { readRequest } from './read-order';
import { ACCEPTED, FORBIDDEN, UNKNOWN_USER } from './refusals';
import { addFill, clearReport, fillAt, fillCount, report, TOOK_QUOTES } from './report';
import { walletAt } from './wallets';

/**
 * Takes quotes up to the first bet of a player; where that stands first, the request becomes a bet that meets it.
 * @returns a refusal, or ACCEPTED: the report then has the fills, or the bet
 */
export function takeQuotes(): i32 {
	const row = findId(MARKETS, theRequest().marketId);
	const wallet = findId(WALLETS, theRequest().walletId);
	const refusal = refusalOfTerms(row, wallet);
	if (refusal != ACCEPTED) return refusal;
	if (wallet == NONE) return UNKNOWN_USER;
	const isInPool = firstBookIn(row, walletAt(wallet).pool) != NONE;
	if (!isInPool || !walletAt(wallet).isQuoting) return FORBIDDEN;
	const order = readRequest(row, wallet);
	const first = firstMet(order.book, order.side, order.tick);
	if (first != NONE && !isQuote(first)) return meetPlayer(order, first);
	clearReport();
	const result = report();
	result.stage = TOOK_QUOTES;
	result.market = row;
	result.pool = order.pool;
	result.stake = order.stake;
	result.matched = takeEach(order);
	return ACCEPTED;
}

/** Takes quotes as far as they stand first; @returns the stake taken */
function takeEach(order: Order): i32 {
	let left = order.stake;
	while (left > 0) {
		const first = firstMet(order.book, order.side, order.tick);
		if (first == NONE || !isQuote(first)) break;
		const quote = betAt(first);
		const position = quote.position;
		const taken = min(left, quote.remaining);
		left -= taken;
		addFill(first, quote.id, taken, quote.price);
		recordTrade(order.book, quote.price, quote.price, <f64>taken);
		fillAt(fillCount() - 1).cancel = cancelRemaining(first, taken);
		holdAndReport(position, exposureOf(position));
	}
	return order.stake - left;
}

function isQuote(bet: i32): bool {
	return walletAt(positionAt(betAt(bet).position).wallet).isQuoting;
}

/** The bet is no larger than the one that it meets, so it adds no more to the ledger. */
function meetPlayer(order: Order, first: i32): i32 {
	const request = theRequest();
	const least = leastStakeIn(order.pool, <f64>marketAt(order.market).minStake);
	request.stake = min(<f64>order.stake, max(least, <f64>betAt(first).remaining));
	request.minFill = 1;
	request.flags |= FILL_OR_KILL;
	return placeBet();
}
