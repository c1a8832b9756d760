/**
 * The commonest way to take back what is unmatched, at once: of a bet that waits in its book, of a market with one winner
 * that nobody was taken out of. All others are taken back step by step, by src/engine/cancel-bet.ts.
 */
import { betAt, isPending, markBetDirty, removeBet } from './bets';
import { BETS, NONE } from './blocks';
import { findId, removeId } from './id-index';
import { marketAt, ONE_OF_ALL_WINS, sideOf } from './markets';
import { reduce } from './order-book';
import { addUnmatched, exposureOf, holdOne, marketOf, poolOf, positionAt, unlink } from './positions';
import { clearHolds, setCancelled, setPool } from './report';
import { walletAt } from './wallets';

/**
 * Takes stake off a bet, and lets go what was held for it.
 * @param id of 31 bits
 * @param size 0 for all that is unmatched; a part that would leave less than the smallest stake takes all of it
 * @returns what was taken off; 0, with nothing changed, when it is not for certain that it may be taken back
 */
export function cancelBet(id: i32, walletId: f64, size: i32): i32 {
	const row = findId(BETS, id);
	if (row == NONE) return 0;
	const bet = betAt(row);
	const position = bet.position;
	const market = marketOf(position);
	if (size < 0 || size > bet.remaining || bet.remaining == 0 || isPending(bet)) return 0;
	// What would be left below the smallest stake goes with the rest.
	const stake = size == 0 || bet.remaining - size < marketAt(market).minStake ? bet.remaining : size;
	if (!(marketAt(market).flags & ONE_OF_ALL_WINS)) return 0;
	const wallet = walletAt(positionAt(position).wallet);
	if (wallet.id != walletId || wallet.isQuoting) return 0;
	const runners = marketAt(market).runners;
	const pool = poolOf(position);
	positionAt(position).openValue -= <f64>stake * <f64>bet.price;
	assert(positionAt(position).openValue >= 0, 'the stake that a position has in the book is never below zero');
	reduce(sideOf(marketAt(market), pool).firstBook + bet.runner, row, stake);
	addUnmatched(position, runners, bet.runner, bet.side, bet.price, -stake);
	if (bet.remaining + bet.matched == 0) {
		removeId(BETS, id);
		unlink(position, row);
		removeBet(market, row);
	} else markBetDirty(row);
	setCancelled(market, row);
	setPool(pool);
	clearHolds();
	holdOne(position, exposureOf(position, runners));
	return stake;
}
