/** Cancels the unmatched part of a bet, or asks for another price. */
import { Bet, betAt, isOnClose, lastBetId, PERSIST as PERSISTS } from './bets';
import { BETS, NONE } from './blocks';
import { cancelRemaining } from './cancel-remaining';
import { holdAndReport } from './holds';
import { findId } from './id-index';
import { judgeBet } from './judge';
import { marketAt } from './markets';
import { IS_REST, KEPT, PERSIST, TAKES_START, theRequest } from './orders';
import { acceptBet } from './place-bet';
import { leastStakeIn, stepOf } from './pools';
import { addUnmatched, exposureOf, marketOf, poolOf, positionAt } from './positions';
import { prefetchCancel } from './prefetch';
import { ACCEPTED, INVALID_SIZE, NOT_OWNER, ORDER_NOT_ACTIVE, TERMS_NOT_POSSIBLE, UNKNOWN_ORDER } from './refusals';
import { clearReport, report } from './report';
import { walletAt } from './wallets';

/** An operator may cancel the bet of any wallet. */
export const BY_OPERATOR: i32 = 1;
/** Cancels everything unmatched, whatever size is named. */
export const WHOLE: i32 = 2;

/**
 * Cancels stake of the request's bet and releases the money held for it: of its stake, or of all that is unmatched. A cancel
 * that would leave less than the smallest stake cancels everything.
 * @param how BY_OPERATOR, WHOLE
 * @returns a refusal, or ACCEPTED: the report then has the bet's figures
 */
export function cancelBet(how: i32): i32 {
	const request = theRequest();
	const row = findId(BETS, request.betId);
	prefetchCancel(row);
	const refusal = refusalOfBet(row, request.betId, request.walletId, how);
	if (refusal != ACCEPTED) return refusal;
	const bet = betAt(row);
	const position = bet.position;
	const stake = how & WHOLE ? bet.remaining : stakeToCancel(bet, request.stake);
	if (stake == 0) return INVALID_SIZE;
	cancel(row, stake);
	holdAndReport(position, exposureOf(position));
	return ACCEPTED;
}

/** @returns 0 for a size that is not of whole coins, or not a part of what is unmatched */
function stakeToCancel(bet: Bet, size: f64): i32 {
	const remaining = <f64>bet.remaining;
	const pool = poolOf(bet.position);
	const step = stepOf(pool);
	if (!(size > 0 && size <= remaining && floor(size / step) * step == size)) return 0;
	const least = leastStakeIn(pool, <f64>marketAt(marketOf(bet.position)).minStake);
	return remaining - size < least ? bet.remaining : <i32>size;
}

/** The refusal of an act on a bet's unmatched part. A bet that ended without a match is forgotten, but its id was assigned. */
export function refusalOfBet(row: i32, betId: f64, walletId: f64, how: i32): i32 {
	if (row == NONE) return betId <= lastBetId() ? ORDER_NOT_ACTIVE : UNKNOWN_ORDER;
	const owner = walletAt(positionAt(betAt(row).position).wallet).id;
	if (!(how & BY_OPERATOR) && owner != walletId) return NOT_OWNER;
	return betAt(row).remaining == 0 ? ORDER_NOT_ACTIVE : ACCEPTED;
}

/** Cancels, and reports the bet's figures. */
function cancel(row: i32, stake: i32): void {
	const bet = betAt(row);
	const result = report();
	clearReport();
	result.market = marketOf(bet.position);
	result.pool = poolOf(bet.position);
	result.bet = row;
	result.matched = bet.matched;
	result.matchedValue = bet.matchedValue;
	result.remaining = bet.remaining - stake;
	result.cancelled = stake;
	result.cancel = cancelRemaining(row, stake);
}

/**
 * Moves the unmatched part of a bet to the request's price, as a new bet under the request's id, which loses its place
 * in the queue. When the new bet is refused, the old one stays as it is.
 * @returns a refusal, or ACCEPTED: the report then describes both
 */
export function replaceBet(betId: f64, walletId: f64): i32 {
	const row = findId(BETS, betId);
	let refusal = refusalOfBet(row, betId, walletId, 0);
	if (refusal != ACCEPTED) return refusal;
	const bet = betAt(row);
	// It has no price of its own.
	if (isOnClose(bet)) return TERMS_NOT_POSSIBLE;
	const position = bet.position;
	const stake = bet.remaining;
	const request = theRequest();
	request.walletId = walletId;
	request.marketId = marketAt(marketOf(position)).id;
	request.runner = <f64>bet.runner;
	request.side = <f64>bet.side;
	request.stake = <f64>stake;
	request.minFill = <f64>stake;
	request.marketVersion = Infinity;
	request.flags = (bet.flags & PERSISTS ? PERSIST : 0) | (bet.flags & (KEPT | TAKES_START)) | IS_REST;
	// Judged as if the old bet were gone: only the additional risk must be covered.
	addUnmatched(position, bet.runner, bet.side, bet.price, -stake);
	refusal = judgeBet();
	addUnmatched(position, bet.runner, bet.side, bet.price, stake);
	if (refusal != ACCEPTED) return refusal;
	cancel(row, stake);
	acceptBet();
	return ACCEPTED;
}
