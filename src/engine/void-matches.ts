/**
 * Declares matches not to have been: both bets lose that part, and what was held for it is free. The ledger names the
 * matches; the engine knows the bets and refuses what does not fit them.
 */
import type { VoidMatches } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState, refuse } from '#engine/engine-state.ts';
import type { BetFill, Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { NONE } from '#engine/rows.ts';
import { addMatched } from '#values/exposure.ts';

export function voidMatches(state: EngineState, command: VoidMatches, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	// Reduced prices are no longer those of the matches: such a market is voided by runner or as a whole.
	if (market.paid || market.removed.size > 0) return refuse('WRONG_MARKET_STATE');
	if (market.terms.crossMatching && concernsHouse(state, market, command)) return refuse('WRONG_MARKET_STATE');
	if (!fits(state, market, command)) return refuse('ORDER_NOT_ACTIVE');
	market.mayBeShort = true;
	const touched = new Set<number>();
	for (const { batch, line, takerBetId, makerBetId, price, stake } of command.matches) {
		for (const betId of [takerBetId, makerBetId]) touched.add(takeBack(state, market, betId, price, stake, effects));
		effects.matchVoided(batch, line);
	}
	for (const position of touched) state.hold(position, effects);
	state.digest.touch(market);
	effects.marketChanged(command.marketId);
	return DONE;
}

/** The legs of a fill across runners are void together or not at all. */
function concernsHouse({ bets, positions, accounts }: EngineState, market: Market, { matches }: VoidMatches): boolean {
	return matches.some(({ takerBetId, makerBetId }) =>
		[takerBetId, makerBetId].some((betId) => {
			const bet = bets.find(betId);
			return bet !== NONE && market.terms.houses.includes(accounts.wallets.id(positions.walletOf(bets.position(bet))));
		}),
	);
}

/** Every match is between live bets of this market that still have as much matched. */
function fits(state: EngineState, market: Market, { matches }: VoidMatches): boolean {
	const { bets, positions } = state;
	const wanted = new Map<number, number>();
	for (const { takerBetId, makerBetId, stake } of matches) {
		for (const betId of [takerBetId, makerBetId]) wanted.set(betId, (wanted.get(betId) ?? 0) + stake);
	}
	const live = [...wanted].every(([betId, stake]) => {
		const bet = bets.find(betId);
		return bet !== NONE && positions.marketOf(bets.position(bet)) === market && bets.matched(bet) >= stake;
	});
	return live && (!market.keepsFills || areFills(market, matches));
}

/** Every match is still among the fills of both its bets at its price: a runner that came back has left others reduced. */
function areFills(market: Market, matches: VoidMatches['matches']): boolean {
	const left = new Map<number, BetFill[]>();
	return matches.every(({ takerBetId, makerBetId, price, stake }) =>
		[takerBetId, makerBetId].every((betId) => {
			const fills = left.get(betId) ?? [...(market.fills.get(betId) ?? [])];
			left.set(betId, fills);
			const at = fills.findIndex((fill) => fill.stake === stake && fill.price === price);
			if (at !== NONE) fills.splice(at, 1);
			return at !== NONE;
		}),
	);
}

/** Takes a match out of one of its bets; returns the position. */
function takeBack(
	state: EngineState,
	market: Market,
	betId: number,
	price: number,
	stake: number,
	effects: Effects,
): number {
	const { bets, positions } = state;
	const bet = bets.find(betId);
	const position = bets.position(bet);
	const value = stake * price;
	bets.setMatched(bet, bets.matched(bet) - stake);
	bets.setMatchedValue(bet, bets.matchedValue(bet) - value);
	addMatched(positions.figures(position), bets.runner(bet), bets.side(bet), -value, -stake);
	const fills = market.fills.get(betId);
	const at = fills?.findIndex((fill) => fill.stake === stake && fill.price === price) ?? NONE;
	if (at !== NONE) fills?.splice(at, 1);
	bets.touch(bet);
	positions.touch(position);
	effects.betVoided(betId, stake, value, 'BET_VOIDED');
	if (bets.matched(bet) === 0 && bets.remaining(bet) === 0) state.forget(bet);
	return position;
}
