/** The end of a bet's delay: the bet meets the book as it is now, or lapses because the market changed meanwhile. */
import { BACK, betAt, DELAYED, isDelayed, lastBetId, markBetDirty } from './bets';
import { NONE } from './blocks';
import { holdAndReport, holdForMakers } from './holds';
import { NO_LAPSE, NOT_FILLED, SELF_MATCH, SUSPENDED, WOULD_MATCH } from './lapses';
import { BALL_RUNNING, barsOf, CROSS_MATCHES, marketAt, OPEN, RUNNER_SUSPENDED } from './markets';
import { Order, POST_ONLY } from './orders';
import { lapseRest, meet } from './place-bet';
import { exposureOf, marketOf, poolOf } from './positions';
import { readBet } from './read-order';
import { ACCEPTED, MARKET_SUSPENDED } from './refusals';
import { clearReport, ENTERED, report, UNMATCHED } from './report';
import { fillable, refusesSelfMatch, valueOfFill } from './takeable';

/**
 * Ends the delay of a bet. While a ball is in flight nothing lapses, and nothing is matched.
 * @param version the market's version when the bet was accepted
 * @param minFill of a fill-or-kill bet, 0 for others
 * @returns a refusal, or ACCEPTED: the report then describes the bet
 */
export function admitBet(row: i32, atMs: f64, dueAtMs: f64, version: i32, minFill: i32): i32 {
	assert(isDelayed(betAt(row)), 'a bet that is admitted is in its delay');
	const market = marketAt(marketOf(betAt(row).position));
	if (atMs < dueAtMs || market.status == BALL_RUNNING) return MARKET_SUSPENDED;
	const order = readBet(row, minFill);
	const lapse = lapseOf(order, version);
	endDelay(row);
	if (lapse != NO_LAPSE) lapseRest(row, lapse);
	else if (market.flags & CROSS_MATCHES && minFill == 0) {
		report().stage = UNMATCHED;
		return ACCEPTED;
	} else meet(order, row, reachedNow());
	holdAndReport(order.position, exposureOf(order.position));
	holdForMakers(order.position);
	return ACCEPTED;
}

/** In the units of `reachedBook`. */
export function reachedNow(): f64 {
	return lastBetId() * 2 + 1;
}

/** The reason for which a bet lapses at the end of its delay, or NO_LAPSE. */
function lapseOf(order: Order, version: i32): i32 {
	const market = marketAt(order.market);
	const isSuspended = (barsOf(market, order.runner) & RUNNER_SUSPENDED) != 0;
	if (market.status != OPEN || market.version != version || isSuspended) return SUSPENDED;
	// Its price was answered to the player, so it is not moved now.
	if (order.flags & POST_ONLY && order.met != NONE) return WOULD_MATCH;
	return refusesSelfMatch(order) ? SELF_MATCH : NO_LAPSE;
}

function endDelay(row: i32): void {
	betAt(row).flags &= ~DELAYED;
	markBetDirty(row);
	clearReport();
	const result = report();
	result.stage = ENTERED;
	result.bet = row;
	result.position = betAt(row).position;
	result.market = marketOf(result.position);
	result.pool = poolOf(result.position);
}

/**
 * The reason for which a hedge lapses at the end of its delay, or NO_LAPSE: it must be matched as a whole, at no worse
 * than planned.
 * @param planned Σ stake × price: at least for a back, at most for a lay
 */
export function lapseOfHedge(row: i32, version: i32, planned: f64): i32 {
	const order = readBet(row, betAt(row).stake);
	const lapse = lapseOf(order, version);
	if (lapse == SUSPENDED) return lapse;
	const isFilled = order.stake == order.minFill && fillable(order) == order.stake;
	if (!isFilled) return NOT_FILLED;
	const value = valueOfFill(order);
	const isWorse = order.side == BACK ? value < planned : value > planned;
	// Its plan counted none of the player's own bets.
	return isWorse ? NOT_FILLED : order.meetsOwn == 0 ? lapse : SELF_MATCH;
}

/**
 * Ends the delay of a hedge: it lapses for a reason, or is matched as a whole. The caller updates the player's held
 * money.
 */
export function admitHedge(row: i32, lapse: i32): void {
	const order = readBet(row, betAt(row).stake);
	endDelay(row);
	if (lapse != NO_LAPSE) lapseRest(row, lapse);
	else {
		meet(order, row, reachedNow());
		holdForMakers(order.position);
	}
}
