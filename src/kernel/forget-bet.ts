/** Forgets a bet that has nothing matched and nothing unmatched, or whose market has ended. */
import { betAt, removeBet } from './bets';
import { marketOf, unlink } from './positions';

export function forgetBet(row: i32): void {
	const position = betAt(row).position;
	unlink(position, row);
	removeBet(marketOf(position), row);
}
