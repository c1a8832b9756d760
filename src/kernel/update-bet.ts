/** Updates what a bet may change without a new place in the queue: what becomes of its unmatched part at the turn in-play. */
import { hasOpposite, joinAuction, leaveAuction, MOST_AT_START } from './at-start';
import { betAt, isOnClose, markBetDirty, PERSIST as PERSISTS } from './bets';
import { BETS } from './blocks';
import { refusalOfBet } from './cancel-bet';
import { findId } from './id-index';
import { AUCTION, marketAt } from './markets';
import { TAKES_START } from './orders';
import { marketOf, positionAt } from './positions';
import { ACCEPTED, AUCTION_FULL, NOTHING_TO_UPDATE, SELF_MATCH, TERMS_NOT_POSSIBLE } from './refusals';
import { walletAt } from './wallets';

/** At the turn in-play the unmatched part lapses, stays in the book, or takes the starting price. */
export const LAPSES: i32 = 0;
export const STAYS: i32 = 1;
export const TAKES_STARTING_PRICE: i32 = 2;

/**
 * Sets what becomes of the unmatched part of a bet when its market turns in-play.
 * @param fate LAPSES, STAYS, TAKES_STARTING_PRICE
 * @returns a refusal, or ACCEPTED
 */
export function updateBet(betId: f64, walletId: f64, fate: i32): i32 {
	const row = findId(BETS, betId);
	let refusal = refusalOfBet(row, betId, walletId, 0);
	if (refusal != ACCEPTED) return refusal;
	const bet = betAt(row);
	if (isOnClose(bet)) return TERMS_NOT_POSSIBLE;
	const terms = fate == STAYS ? PERSISTS : fate == TAKES_STARTING_PRICE ? TAKES_START : 0;
	const flags = (bet.flags & ~(PERSISTS | TAKES_START)) | terms;
	if (flags == bet.flags) return NOTHING_TO_UPDATE;
	refusal = fate == TAKES_STARTING_PRICE ? refusalOfStart(row) : ACCEPTED;
	if (refusal != ACCEPTED) return refusal;
	leaveAuction(bet);
	bet.flags = flags;
	joinAuction(bet);
	markBetDirty(row);
	return ACCEPTED;
}

/** Why the unmatched part of a bet in the book cannot take the starting price. */
function refusalOfStart(row: i32): i32 {
	const bet = betAt(row);
	const market = marketAt(marketOf(bet.position));
	const isQuote = walletAt(positionAt(bet.position).wallet).isQuoting;
	if (!(market.flags & AUCTION) || isQuote) return TERMS_NOT_POSSIBLE;
	if (market.atStart >= MOST_AT_START) return AUCTION_FULL;
	return hasOpposite(bet.position, bet.runner, bet.side) ? SELF_MATCH : ACCEPTED;
}
