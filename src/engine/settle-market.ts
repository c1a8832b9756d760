/**
 * Settles a market in one command: unmatched bets lapse, each player's matched bets are netted exactly and rounded once,
 * losers fill the market's pot, winners empty it, and the rounding difference goes through the rounding account. A market
 * with many bets is settled by a walk instead, see settlement-walk.ts.
 * Source: exchange rules, "Settlement" and "Liability and rounding".
 */
import type { SeenMarket, SettleMarket, VoidMarket } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import { netOfParts, payableFor } from '#engine/market-types/runner-result.ts';
import type { SettledBy } from '#engine/market-types/settled-by.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { assertPotIsEmpty, endMarket, moveRounding, Payment, profitOf } from '#engine/payment.ts';
import { refuse } from '#engine/requests.ts';
import { lapseTriggers } from '#engine/triggers/end-triggers.ts';
import { stepOf } from '#values/pools.ts';

export function settleMarket(state: EngineState, command: SettleMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	const refusal = refusalToEnd(market, command.seen);
	if (refusal) return refuse(refusal);
	const { places = market.terms.numberOfWinners } = command;
	const payable = payableFor(command.results, places, market.terms, market.removed);
	if (!payable) return refuse('INCOMPLETE_RESULT');

	lapseTriggers(state, market, { reason: 'MARKET_SETTLED' }, effects);
	state.lapse(market, state.waiting(market), 'MARKET_SETTLED', effects);
	for (const side of market.sides) pay(state, market, side, payable, effects);
	keepResult(market, command);
	endMarket(state, market, 'SETTLED', effects);
	return DONE;
}

/** Why a market cannot be settled or voided; null when it can. @param seen the market as the result was decided on */
export function refusalToEnd(market: Market, seen: SeenMarket | undefined): EngineRefusal | null {
	if (market.status === 'SETTLING') return 'MARKET_SETTLING';
	const isAsSeen = seen === undefined || (market.status === seen.status && market.version === seen.version);
	return market.paid || !isAsSeen ? 'WRONG_MARKET_STATE' : null;
}

/** The result that the market is paid by; none when it is void. */
export function keepResult(market: Market, { results, places }: SettledBy): void {
	market.results = results && [...results];
	market.placesPaid = places === undefined || places === market.terms.numberOfWinners ? null : places;
}

export function voidMarket(state: EngineState, command: VoidMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	const refusal = refusalToEnd(market, command.seen);
	if (refusal) return refuse(refusal);
	lapseTriggers(state, market, { reason: 'MARKET_VOIDED' }, effects);
	state.lapse(market, state.waiting(market), 'MARKET_VOIDED', effects);
	for (const side of market.sides) {
		for (const bet of state.betsOf(side)) {
			const { bets } = state;
			effects.betVoided(bets.id(bet), bets.matched(bet), bets.matchedValue(bet), 'MARKET_VOIDED');
		}
		for (const position of state.positionsOf(side)) state.holdFor(market, position, 0, effects);
	}
	endMarket(state, market, 'VOIDED', effects);
	return DONE;
}

function pay(state: EngineState, market: Market, side: PoolSide, payable: Payable, effects: Effects): void {
	const payment = new Payment(state, market, payable, effects);
	const exact = new Map<number, bigint>();
	for (const bet of state.betsOf(side)) {
		const profit = profitOf(state, market, bet, payable);
		payment.decide(bet, profit);
		const position = state.bets.position(bet);
		if (profit !== null) exact.set(position, (exact.get(position) ?? 0n) + BigInt(profit));
	}
	const step = stepOf(side.pool);
	const positions = state.positionsOf(side);
	const nets = new Map<number, number>();
	for (const position of positions) {
		const sum = exact.get(position);
		if (sum !== undefined) nets.set(position, netOfParts(sum, payable.parts, step));
	}
	for (const position of positions) {
		payment.takeLoss(position, Math.max(0, -(nets.get(position) ?? 0)));
		state.holdFor(market, position, 0, effects);
	}
	// The exact nets of a pool sum to zero; rounded ones differ by a few coins.
	const over = -[...nets.values()].reduce((sum, net) => sum + net, 0);
	moveRounding(state, market, side, over, effects);
	for (const [position, net] of nets) payment.payNet(position, net);
	assertPotIsEmpty(state, market, side);
}
