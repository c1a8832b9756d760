/**
 * Voids matches: both bets lose that part, and the money held for it is released. The ledger names the matches; the
 * engine knows the bets and refuses matches that do not fit them.
 */
import type { VoidMatches } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

export function voidMatches(state: EngineState, command: VoidMatches, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.paid) return refuse('WRONG_MARKET_STATE');
	if (market.terms.crossMatching && concernsHouse(state, market, command)) return refuse('WRONG_MARKET_STATE');
	const prices = presentPrices(market, command);
	if (!prices || !fits(state, market, command)) return refuse('ORDER_NOT_ACTIVE');
	market.mayBeShort = true;
	const touched = new Set<number>();
	for (const [at, { batch, rowNumber, takerBetId, makerBetId, stake }] of command.matches.entries()) {
		for (const betId of [takerBetId, makerBetId]) {
			touched.add(voidPart(state, market, { betId, price: prices[at] as number, stake }, effects));
		}
		effects.matchVoided(batch, rowNumber);
	}
	dropFills(market, command);
	for (const position of touched) state.hold(market, position, effects);
	state.digest.touch(market);
	effects.marketChanged(command.marketId);
	return DONE;
}

/** The legs of a fill across runners are voided together or not at all. */
function concernsHouse({ bets, positions, accounts }: EngineState, market: Market, { matches }: VoidMatches): boolean {
	return matches.some(({ takerBetId, makerBetId }) =>
		[takerBetId, makerBetId].some((betId) => {
			const bet = bets.find(betId);
			return bet !== NONE && market.terms.houses.includes(accounts.wallets.id(positions.walletOf(bets.position(bet))));
		}),
	);
}

/** Every match is named once, and is between live bets of this market that still have as much matched. */
function fits(state: EngineState, market: Market, { matches }: VoidMatches): boolean {
	const { bets, positions } = state;
	if (new Set(matches.map(({ batch, rowNumber }) => `${batch}.${rowNumber}`)).size < matches.length) return false;
	const wanted = new Map<number, number>();
	for (const { takerBetId, makerBetId, stake } of matches) {
		for (const betId of [takerBetId, makerBetId]) wanted.set(betId, (wanted.get(betId) ?? 0) + stake);
	}
	return [...wanted].every(([betId, stake]) => {
		const bet = bets.find(betId);
		return bet !== NONE && positions.marketOf(bets.position(bet)) === market && bets.matched(bet) >= stake;
	});
}

/** No index in a list. */
const NO_FILL = -1;

/** The two bets of a match, each with the match's index among its fills. */
const partsOf = ({
	takerBetId,
	makerBetId,
	takerFill = NO_FILL,
	makerFill = NO_FILL,
}: VoidMatches['matches'][number]) => [
	{ betId: takerBetId, at: takerFill },
	{ betId: makerBetId, at: makerFill },
];

/**
 * The price of each match now: where fills are kept, both bets have it at the same price, the ledger's or a reduced
 * one. Null when a bet disagrees with the ledger, or a match is named twice.
 */
function presentPrices(market: Market, { matches }: VoidMatches): number[] | null {
	if (!market.keepsFills) return matches.map(({ price }) => price);
	const named = new Set<string>();
	const prices: number[] = [];
	for (const match of matches) {
		const parts = partsOf(match);
		const [taken, made] = parts.map(({ betId, at }) => market.fills.get(betId)?.[at]);
		for (const { betId, at } of parts) named.add(`${betId}.${at}`);
		if (!taken || !made || taken.price !== made.price) return null;
		if (taken.stake !== match.stake || made.stake !== match.stake) return null;
		prices.push(taken.price);
	}
	return named.size === matches.length * 2 ? prices : null;
}

/** The others stay in the order of the ledger. */
function dropFills(market: Market, { matches }: VoidMatches): void {
	const gone = new Map<number, Set<number>>();
	for (const { betId, at } of matches.flatMap(partsOf)) gone.set(betId, (gone.get(betId) ?? new Set()).add(at));
	for (const [betId, places] of gone) {
		const fills = market.fills.get(betId);
		if (fills) {
			market.fills.set(
				betId,
				fills.filter((_, at) => !places.has(at)),
			);
		}
	}
}

/** Removes a match from one of its bets; returns the position. */
function voidPart(
	state: EngineState,
	market: Market,
	{ betId, price, stake }: { betId: BetId; price: AnyPrice; stake: AnyPaise },
	effects: Effects,
): number {
	const { bets } = state;
	const bet = bets.find(betId);
	const position = bets.position(bet);
	const value = stake * price;
	state.kernel.call.voidMatched(bet, stake, value);
	effects.betVoided(betId, stake, value, 'BET_VOIDED');
	if (bets.matched(bet) === 0 && bets.remaining(bet) === 0) state.forget(market, bet);
	return position;
}
