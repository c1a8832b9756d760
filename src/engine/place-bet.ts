/** Places a bet: checks in the fixed order, holds the risk, matches, lets the rest stay in the book. */
import type { PlaceBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { type EngineState, refuse } from '#engine/engine-state.ts';
import type { Market, PoolSide, Position } from '#engine/market.ts';
import { match, wouldMeetOwnBet } from '#engine/matching.ts';
import { Bet, type OrderBook } from '#engine/order-book.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { addUnmatched, exposurePaise } from '#values/exposure.ts';
import { profitRatioIsUnfair } from '#values/liability.ts';
import { MAX_AMOUNT_PAISE } from '#values/money.ts';
import { MAX_PRICE, rungOf } from '#values/price-ladder.ts';
import { BACK, LAY } from '#values/sides.ts';

/**
 * No figure of a position may come near the end of the safe integers, 2^53: what is matched and all that may still be,
 * stake × price, stays below half of it. One bet of the largest stake is at most 10^14.
 */
const LARGEST_FIGURE = 2 ** 52;

export function placeBet(state: EngineState, command: PlaceBet, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	const rung = rungOf(command.price);
	const wrong = refusalOf(market, command, rung);
	if (wrong) return refuse(wrong);
	const wallet = state.accounts.wallets.get(command.walletId);
	if (!wallet) return refuse('UNKNOWN_USER');
	const side = market.side(wallet.pool);
	if (!side) return refuse('FORBIDDEN');
	if (command.betId <= state.counters.lastBetId) return refuse('DUPLICATE_ORDER');

	const position = state.positionOf(market, side, wallet);
	const unaffordable = holdWhole(position, command);
	const book = side.books[command.runner];
	const ownBet =
		!unaffordable &&
		market.terms.selfMatch === 'REFUSE' &&
		book !== undefined &&
		wouldMeetOwnBet(book, position, command, rung);
	if (unaffordable || ownBet || !book) {
		addUnmatched(position.outcomes, command.runner, command.side, command.price, -command.stake);
		return refuse(unaffordable ?? 'SELF_MATCH');
	}
	state.counters.lastBetId = command.betId;
	const bet = new Bet(command.betId, position, command.runner, command.side, rung, command.stake, command.persist);
	return accept(state, market, side, book, bet, effects);
}

/** Everything that can be said from the market and the bet alone, in the fixed order. */
function refusalOf(market: Market, command: PlaceBet, rung: number): EngineRefusal | null {
	const { terms } = market;
	if (market.ended) return 'MARKET_CLOSED';
	if (market.status !== 'OPEN') return 'MARKET_SUSPENDED';
	if (!Number.isInteger(command.runner) || command.runner < 0 || command.runner >= terms.runners) {
		return 'UNKNOWN_RUNNER';
	}
	if (command.side !== BACK && command.side !== LAY) return 'INVALID_SIDE';
	if (rung < 0) return 'PRICE_NOT_ON_LADDER';
	if (!Number.isSafeInteger(command.stake) || command.stake <= 0) return 'INVALID_STAKE';
	if (command.stake < terms.minStake) return 'STAKE_TOO_SMALL';
	if (command.stake > terms.maxStake || command.stake > MAX_AMOUNT_PAISE) return 'STAKE_TOO_LARGE';
	if (terms.profitRatioRule && profitRatioIsUnfair(command.price, command.stake)) return 'INVALID_PROFIT_RATIO';
	return null;
}

/**
 * Counts the whole bet as unmatched in the position. Refused only when the exposure is then above the funds and above
 * what it was: a bet that lowers the risk always passes.
 */
function holdWhole(position: Position, command: PlaceBet): EngineRefusal | null {
	addUnmatched(position.outcomes, command.runner, command.side, command.price, command.stake);
	const more = exposurePaise(position.outcomes) - position.held;
	if (more > 0 && more > position.wallet.cash) return 'INSUFFICIENT_FUNDS';
	const { base, gain } = position.outcomes;
	const matched = Math.abs(base) + Math.abs(gain[command.runner] as number);
	// An incoming back may be filled at any better price, an incoming lay at its own at most.
	const itself = command.stake * (command.side === BACK ? MAX_PRICE : command.price);
	return matched + position.openValue + itself > LARGEST_FIGURE ? 'EXPOSURE_LIMIT' : null;
}

function accept(
	state: EngineState,
	market: Market,
	side: PoolSide,
	book: OrderBook,
	bet: Bet,
	effects: Effects,
): Outcome {
	const { position } = bet;
	state.addBet(side, bet);
	effects.betPlaced({
		betId: bet.betId,
		walletId: position.wallet.walletId,
		marketId: market.terms.marketId,
		pool: side.pool,
		runner: bet.runner,
		side: bet.side,
		price: bet.price,
		stake: bet.stake,
		persist: bet.persist,
	});
	const makers = match(state, market, book, bet, effects);
	if (bet.remaining > 0) book.rest(bet);
	state.hold(position, effects);
	for (const maker of makers) if (maker !== position) state.hold(maker, effects);
	return {
		ok: true,
		betId: bet.betId,
		matched: bet.matched,
		matchedValue: bet.matchedValue,
		remaining: bet.remaining,
	};
}
