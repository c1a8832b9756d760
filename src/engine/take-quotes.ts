/**
 * Orders of the house's own takers, the crowd. Such an order meets the book by price and time like any bet. Against a
 * quote it is netted: what one house wallet would win the other would lose, so no position and no posting follows, only a
 * smaller quote and what the market traded. A player's bet is met by an ordinary bet. docs/MARKETS.md, "The crowd".
 */
import type { TakeQuotes } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { type EngineState, refuse } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import { meets } from '#engine/order-book.ts';
import type { Outcome } from '#engine/outcome.ts';
import { placeBet, refusalOf } from '#engine/place-bet.ts';
import { NONE } from '#engine/rows.ts';

type Order = TakeQuotes & { atMs: number };

/** Takes quotes up to the first bet of a player; where that stands first, the order becomes a bet that meets it. */
export function takeQuotes(state: EngineState, order: Order, effects: Effects): Outcome {
	const market = state.markets.get(order.marketId);
	if (market === undefined) return refuse('UNKNOWN_MARKET');
	const rung = market.ladder.tickOf(order.price);
	const wrong = refusalOf(market, { ...order, kind: 'place-bet', persist: false }, rung);
	if (wrong !== null) return refuse(wrong);
	const { wallets } = state.accounts;
	const wallet = wallets.find(order.walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const side = market.sideOf(wallets.poolCode(wallet));
	if (side === null || !wallets.isQuoting(wallet)) return refuse('FORBIDDEN');
	const book = side.firstBook + order.runner;
	let left = order.stake;
	for (let first = firstMet(state, order, book, rung); first !== NONE && left > 0; ) {
		if (!isQuote(state, first))
			return left < order.stake ? netted(order, left) : meetPlayer(state, order, first, effects);
		left -= takeQuote(state, market, { order, book, quote: first, wanted: left }, effects);
		first = firstMet(state, order, book, rung);
	}
	return netted(order, left);
}

const netted = ({ stake }: Order, left: number): Outcome => ({ ok: true, stake, matched: stake - left, remaining: 0 });

/** The bet that stands first among those the order meets. */
function firstMet({ books }: EngineState, { side }: Order, book: number, rung: number): number {
	const best = books.bestFor(book, side);
	return meets(side, rung, best) ? books.oldestFor(book, side, best) : NONE;
}

const isQuote = ({ accounts, bets, positions }: EngineState, bet: number): boolean =>
	accounts.wallets.isQuoting(positions.walletOf(bets.position(bet)));

/** @returns the stake taken */
function takeQuote(
	state: EngineState,
	market: Market,
	{ order, book, quote, wanted }: { order: Order; book: number; quote: number; wanted: number },
	effects: Effects,
): number {
	const { bets, books } = state;
	const taken = Math.min(wanted, bets.remaining(quote));
	const price = bets.price(quote);
	const position = bets.position(quote);
	effects.quoteTaken(bets.id(quote), price, taken, order.side);
	books.recordTrade(book, price, taken);
	state.cancelRemaining(market, quote, taken);
	state.hold(market, position, effects);
	return taken;
}

/** No larger than the bet that it meets, so it takes no more of the ledger than that. */
function meetPlayer(state: EngineState, order: Order, first: number, effects: Effects): Outcome {
	const { minStake } = state.positions.marketOf(state.bets.position(first)).terms;
	const stake = Math.min(order.stake, Math.max(minStake, state.bets.remaining(first)));
	const bet = { ...order, stake, kind: 'place-bet', persist: false, fillOrKill: true, minFill: 1 } as const;
	return placeBet(state, bet, effects);
}
