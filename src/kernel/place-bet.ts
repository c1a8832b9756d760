/**
 * Places a bet: judges it, holds the risk, matches it, and rests the remainder in the book. In-play the bet may be
 * delayed instead; `admitBet` then brings it to the book.
 */
import { joinAuction, waitForStart } from './at-start';
import { addBet, betAt, DELAYED as IN_DELAY, lastBetId, markBetDirty, setLastBetId } from './bets';
import { NONE } from './blocks';
import { cancelRemaining } from './cancel-remaining';
import { forgetBet } from './forget-bet';
import { holdAndReport, holdForMakers } from './holds';
import { judgeBet } from './judge';
import { MARKET_VERSION, NOT_FILLED, SELF_MATCH } from './lapses';
import { CROSS_MATCHES, DELAYS, marketAt, PASSIVE_GOES_IN } from './markets';
import { matchBet } from './matching';
import { ANY_TICK, firstMet, noteBet, rest, restByAge } from './order-book';
import { ON_CLOSE, Order, OWN_RESTING, OWN_TAKING, theOrder, theRequest } from './orders';
import { addPosition, addUnmatched, bookOf, exposureOf, link, markPositionDirty, positionAt } from './positions';
import { readBet } from './read-order';
import { ACCEPTED } from './refusals';
import {
	addFill,
	clearReport,
	DELAYED,
	ENTERED,
	FILL_OR_KILL,
	fillAt,
	fillCount,
	QUOTE,
	report,
	UNMATCHED,
} from './report';
import { fillable, ownBetMet } from './takeable';
import { walletAt } from './wallets';

/** Places the bet of the request. @returns a refusal, or ACCEPTED: the report then describes the bet */
export function placeBet(): i32 {
	const refusal = judgeBet();
	if (refusal != ACCEPTED) return refusal;
	clearReport();
	acceptBet();
	return ACCEPTED;
}

/** From here on nothing is refused: the order is counted as unmatched where its player had a position. */
export function acceptBet(): void {
	const order = theOrder();
	if (order.position == NONE) {
		order.position = addPosition(order.market, order.pool, order.wallet);
		addUnmatched(order.position, order.runner, order.side, order.price, order.stake);
	}
	const row = addOrder(order);
	const market = marketAt(order.market);
	if (theRequest().marketVersion < <f64>market.version) {
		lapseRest(row, MARKET_VERSION);
		return;
	}
	if (order.flags & ON_CLOSE) {
		waitForStart(betAt(row));
		reportBet(row);
		holdAndReport(order.position, order.exposure);
		return;
	}
	if (isDelayed(order)) {
		beginDelay(row);
		holdAndReport(order.position, order.exposure);
		return;
	}
	if (market.flags & CROSS_MATCHES && order.minFill == 0) {
		report().stage = UNMATCHED;
		return;
	}
	meet(order, row, NEVER);
	const isAsJudged = fillCount() == 0 && report().lapsed == 0;
	const exposure = isAsJudged ? order.exposure : exposureOf(order.position);
	assert(exposure <= order.exposure, 'a match never raises the exposure of its taker');
	holdAndReport(order.position, exposure);
	holdForMakers(order.position);
}

/** Adds the bet of an order with its position; @returns its row */
export function addOrder(order: Order): i32 {
	assert(order.id > lastBetId(), 'ids of bets rise');
	setLastBetId(order.id);
	const row = addBet(order);
	link(order.position, row);
	const result = report();
	result.stage = ENTERED;
	result.market = order.market;
	result.bet = row;
	result.position = order.position;
	result.pool = order.pool;
	result.terms = (order.minFill > 0 ? FILL_OR_KILL : 0) | (walletAt(order.wallet).isQuoting ? QUOTE : 0);
	return row;
}

/** In-play every bet is delayed, except one that meets nothing where such bets rest at once. */
function isDelayed(order: Order): bool {
	const flags = marketAt(order.market).flags;
	if (!(flags & DELAYS)) return false;
	// Fills across runners are not looked for here: in markets with them, every bet is delayed.
	return !(flags & PASSIVE_GOES_IN && order.minFill == 0 && !(flags & CROSS_MATCHES) && order.met == NONE);
}

/** The bet waits for `admitBet`. */
export function beginDelay(row: i32): void {
	betAt(row).flags |= IN_DELAY;
	markBetDirty(row);
	report().stage = DELAYED;
	reportBet(row);
}

/** For a bet without a delay. */
export const NEVER: i32 = -1;

/**
 * Matches a bet; the rest goes to the book, or lapses if the order is fill-or-kill.
 * @param reached when a delayed bet reached the book, in the units of `reachedBook`; otherwise NEVER
 */
export function meet(order: Order, row: i32, reached: f64): void {
	if (order.meetsOwn == OWN_RESTING) lapseOwn(order);
	const most = order.meetsOwn == OWN_TAKING ? order.ahead : order.stake;
	if (order.minFill == 0) {
		if (order.met != NONE) matchBet(order.book, row, most, order.tick);
	} else {
		const stake = min(fillable(order), most);
		if (stake > 0) matchBet(order.book, row, stake, ANY_TICK);
	}
	finish(order, row, reached);
}

/** Lapses the resting bets of the order's player with which it would be matched; the caller updates the held money. */
function lapseOwn(order: Order): void {
	for (let own = ownBetMet(order); own != NONE; own = ownBetMet(order)) {
		const bet = betAt(own);
		addFill(own, bet.id, bet.remaining, bet.price);
		report().ownLapsed++;
		const stake = bet.remaining;
		fillAt(fillCount() - 1).cancel = cancelRemaining(own, stake);
	}
	order.met = firstMet(order.book, order.side, order.tick);
}

/** Rests or lapses the remainder of a bet that met the book. */
function finish(order: Order, row: i32, reached: f64): void {
	reportBet(row);
	const left = betAt(row).remaining;
	if (left == 0) return;
	if (order.meetsOwn == OWN_TAKING || order.minFill > 0) {
		lapseRest(row, order.meetsOwn == OWN_TAKING ? SELF_MATCH : NOT_FILLED);
		return;
	}
	assert(left > 0 && firstMet(order.book, order.side, order.tick) == NONE, 'a bet that rests meets no resting bet');
	positionAt(order.position).openValue += <f64>left * <f64>order.price;
	if (reached == NEVER) rest(order.book, row);
	else restByAge(order.book, row, reached);
	joinAuction(betAt(row));
}

/** Finishes a bet that the engine has matched across runners: the report holds all fills. */
export function finishAcross(row: i32, reached: f64): void {
	const order = readBet(row, 0);
	finish(order, row, reached);
	holdAndReport(order.position, exposureOf(order.position));
	holdForMakers(order.position);
}

/** Lapses the remainder of a bet outside the books; a bet with nothing matched is forgotten. */
export function lapseRest(row: i32, reason: i32): void {
	const bet = betAt(row);
	const left = bet.remaining;
	const position = bet.position;
	bet.remaining = 0;
	noteBet(bookOf(row));
	addUnmatched(position, bet.runner, bet.side, bet.price, -left);
	markBetDirty(row);
	markPositionDirty(position);
	reportBet(row);
	report().lapsed = left;
	report().lapse = reason;
	if (bet.matched == 0) forgetBet(row);
}

function reportBet(row: i32): void {
	const bet = betAt(row);
	const result = report();
	result.stake = bet.stake;
	result.matched = bet.matched;
	result.remaining = bet.remaining;
	result.matchedValue = bet.matchedValue;
}
