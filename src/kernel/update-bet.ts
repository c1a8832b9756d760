/** Updates what a bet may change without a new place in the queue: its persistence. */
import { betAt, markBetDirty, PERSIST as PERSISTS } from './bets';
import { BETS } from './blocks';
import { refusalOfBet } from './cancel-bet';
import { findId } from './id-index';
import { ACCEPTED, NOTHING_TO_UPDATE } from './refusals';

/**
 * Sets whether the unmatched part of a bet stays in the book when its market turns in-play.
 * @returns a refusal, or ACCEPTED
 */
export function updateBet(betId: f64, walletId: f64, persists: bool): i32 {
	const row = findId(BETS, betId);
	const refusal = refusalOfBet(row, betId, walletId, 0);
	if (refusal != ACCEPTED) return refusal;
	const bet = betAt(row);
	const flags = persists ? bet.flags | PERSISTS : bet.flags & ~PERSISTS;
	if (flags == bet.flags) return NOTHING_TO_UPDATE;
	bet.flags = flags;
	markBetDirty(row);
	return ACCEPTED;
}
