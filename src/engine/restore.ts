/** Rebuilds markets and bets from what the tables hold. */
import type { MarketView, RestoredBet } from '#engine/engine.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { Bet } from '#engine/order-book.ts';
import { addUnmatched, exposurePaise } from '#values/exposure.ts';
import type { Pool } from '#values/pools.ts';
import { rungOf } from '#values/price-ladder.ts';
import { BACK } from '#values/sides.ts';

export function restoreMarket(
	state: EngineState,
	restored: MarketView,
	lastTraded: { pool: Pool; runner: number; lastPriceTraded: number | null; totalMatched: number }[],
): void {
	const { status, inPlay, version, results, ...terms } = restored;
	const market = state.addMarket(terms);
	market.status = status;
	market.inPlay = inPlay;
	market.version = version;
	market.results = results;
	for (const { pool, runner, lastPriceTraded, totalMatched } of lastTraded) {
		const book = market.side(pool)?.books[runner];
		if (!book) throw new Error(`no book ${runner} in market ${restored.marketId}`);
		book.lastPriceTraded = lastPriceTraded;
		book.totalMatched = totalMatched;
	}
}

/** Bets come in the order they reached the book, so every queue ends up as it was. */
export function restoreBet(state: EngineState, restored: RestoredBet): void {
	const market = state.markets.get(restored.marketId);
	const wallet = state.accounts.wallets.get(restored.walletId);
	const side = wallet ? market?.side(wallet.pool) : undefined;
	if (!market || !wallet || !side) throw new Error(`bet ${restored.betId} without its market or wallet`);
	const position = state.positionOf(market, side, wallet);
	const bet = new Bet(
		restored.betId,
		position,
		restored.runner,
		restored.side,
		rungOf(restored.price),
		restored.stake,
		restored.persist,
	);
	bet.remaining = restored.remaining;
	bet.matched = restored.matched;
	bet.matchedValue = restored.matchedValue;
	state.addBet(side, bet);
	addUnmatched(position.outcomes, bet.runner, bet.side, bet.price, bet.remaining);
	const sign = bet.side === BACK ? 1 : -1;
	position.outcomes.base -= sign * bet.matched * 100;
	position.outcomes.gain[bet.runner] = (position.outcomes.gain[bet.runner] as number) + sign * bet.matchedValue;
	// Only what the whole position needs counts; the last bet of a position leaves the final figure.
	position.held = exposurePaise(position.outcomes);
	if (bet.remaining > 0) side.books[bet.runner]?.rest(bet);
}
