/**
 * A file for each market type: what result it takes and how a result pays a bet. This one is the market with exactly
 * one winner; its exposure rule is in src/values/exposure.ts, because the bet slip shows the same figure.
 */
import type { RunnerResult } from '#engine/market.ts';
import type { Bet } from '#engine/order-book.ts';
import { BACK } from '#values/sides.ts';

/** The runner that won, or -1 when the result is not one WIN and otherwise LOSE for every runner. */
export function winnerOf(results: readonly RunnerResult[], runners: number): number {
	const winner = results.indexOf('WIN');
	const complete = results.length === runners && results.every((result, at) => result === 'LOSE' || at === winner);
	return complete ? winner : -1;
}

/** What the matched part of a bet wins or loses, exact (hundredths of a paisa); never zero for a matched bet. */
export function profitIfWins(bet: Bet, winner: number): number {
	const asBacker = bet.runner === winner ? bet.matchedValue - bet.matched * 100 : -bet.matched * 100;
	return bet.side === BACK ? asBacker : -asBacker;
}
