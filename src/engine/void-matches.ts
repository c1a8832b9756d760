/**
 * Voids matches: both bets lose that part, and the money held for it is released. The ledger names the matches; the
 * engine knows the bets and refuses matches that do not fit them. A settled market is reopened, relieved of the matches
 * and settled again by the same result within one command, so no crash leaves it in between.
 */
import type { BetFill } from '#engine/bet-detail.ts';
import type { Settlement, VoidMatches } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import { limitAgain } from '#engine/limit-volume.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { mayReopen, reverseSettlement } from '#engine/reopen-market.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { settleMarket } from '#engine/settle-market.ts';
import type { BetId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** A bet of the market of which a part may be voided. */
interface VoidableBet {
	walletId: WalletId;
	matched: AnyMinor;
	/** Where the market keeps them. */
	fills: readonly BetFill[] | null;
}
type FindBet = (betId: BetId) => VoidableBet | null;

export function voidMatches(state: EngineState, command: VoidMatches, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.status === 'SETTLING') return refuse('MARKET_SETTLING');
	const { settlement } = command;
	const isSettled = market.paid && market.results !== null;
	if (settlement ? !isSettled || !mayReopen(market, settlement) : market.paid) return refuse('WRONG_MARKET_STATE');
	const find = settlement ? settledBet(settlement) : liveBet(state, market);
	if (market.terms.crossMatching && concernsHouse(market, command, find)) return refuse('WRONG_MARKET_STATE');
	const prices = pricesToVoid(market, command, find);
	if (!prices) return refuse('ORDER_NOT_ACTIVE');
	if (settlement) voidInSettled(state, market, { command, settlement, prices }, effects);
	else voidInMarket(state, market, { command, prices }, effects);
	return DONE;
}

/** The price of each match now; null when a bet of the market disagrees with the ledger, or a match is named twice. */
function pricesToVoid(market: Market, command: VoidMatches, find: FindBet): number[] | null {
	const prices = presentPrices(market, command, find);
	return prices && fits(command, find) ? prices : null;
}

/** Voids matches of a market whose settlement was reversed. @returns false when they do not fit its bets */
export function voidReversed(state: EngineState, market: Market, command: VoidMatches, effects: Effects): boolean {
	const prices = pricesToVoid(market, command, liveBet(state, market));
	if (prices) voidInMarket(state, market, { command, prices }, effects);
	return prices !== null;
}

const liveBet =
	({ bets, positions, accounts }: EngineState, market: Market): FindBet =>
	(betId) => {
		const bet = bets.find(betId);
		if (bet === NONE || positions.marketOf(bets.position(bet)) !== market) return null;
		const walletId = accounts.wallets.id(positions.walletOf(bets.position(bet)));
		return { walletId, matched: bets.matched(bet), fills: market.fills.get(betId) ?? null };
	};

function settledBet({ bets }: Settlement): FindBet {
	const byId = new Map(bets.map((bet) => [bet.betId, { ...bet, fills: bet.fills ?? null }]));
	return (betId) => byId.get(betId) ?? null;
}

/** The market keeps its result; nothing of it is CLOSED between two commands. */
function voidInSettled(
	state: EngineState,
	market: Market,
	{ command, settlement, prices }: { command: VoidMatches; settlement: Settlement; prices: readonly number[] },
	effects: Effects,
): void {
	const { results, placesPaid } = market;
	reverseSettlement(state, market, settlement, effects);
	voidInMarket(state, market, { command, prices }, effects);
	const { marketId } = command;
	const places = placesPaid === null ? {} : { places: placesPaid };
	const same = { kind: 'settle-market' as const, marketId, results: results ?? [], ...places };
	const settled = settleMarket(state, same, effects);
	if (!settled.ok) throw new Error(`market ${marketId} cannot be settled by its own result: ${settled.code}`);
}

function voidInMarket(
	state: EngineState,
	market: Market,
	{ command, prices }: { command: VoidMatches; prices: readonly number[] },
	effects: Effects,
): void {
	market.mayBeShort = true;
	dropFills(market, command);
	const touched = new Set<number>();
	for (const [at, { batch, rowNumber, takerBetId, makerBetId, stake }] of command.matches.entries()) {
		for (const betId of [takerBetId, makerBetId]) {
			touched.add(voidPart(state, market, { betId, price: prices[at] as number, stake }, effects));
		}
		effects.matchVoided(batch, rowNumber);
	}
	for (const position of touched) state.hold(market, position, effects);
	state.digest.touch(market);
	effects.marketChanged(command.marketId);
}

/** The legs of a fill across runners are voided together or not at all. */
const concernsHouse = (market: Market, { matches }: VoidMatches, find: FindBet): boolean =>
	matches.some(({ takerBetId, makerBetId }) =>
		[takerBetId, makerBetId].some((betId) => {
			const bet = find(betId);
			return bet !== null && market.terms.houses.includes(bet.walletId);
		}),
	);

/** Every match is named once, and is between bets of this market that still have as much matched. */
function fits({ matches }: VoidMatches, find: FindBet): boolean {
	if (new Set(matches.map(({ batch, rowNumber }) => `${batch}.${rowNumber}`)).size < matches.length) return false;
	const wanted = new Map<number, number>();
	for (const { takerBetId, makerBetId, stake } of matches) {
		for (const betId of [takerBetId, makerBetId]) wanted.set(betId, (wanted.get(betId) ?? 0) + stake);
	}
	return [...wanted].every(([betId, stake]) => (find(betId)?.matched ?? 0) >= stake);
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
function presentPrices(market: Market, { matches }: VoidMatches, find: FindBet): number[] | null {
	if (!market.keepsFills) return matches.map(({ price }) => price);
	const named = new Set<string>();
	const prices: number[] = [];
	for (const match of matches) {
		const parts = partsOf(match);
		const [taken, made] = parts.map(({ betId, at }) => find(betId)?.fills?.[at]);
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
	{ betId, price, stake }: { betId: BetId; price: AnyPrice; stake: AnyMinor },
	effects: Effects,
): number {
	const { bets } = state;
	const bet = bets.find(betId);
	const position = bets.position(bet);
	const value = stake * price;
	state.kernel.call.voidMatched(bet, stake, value);
	limitAgain(state, betId);
	state.groups.voided(betId, stake);
	effects.betVoided(betId, stake, value, 'BET_VOIDED', market.fills.get(betId));
	if (bets.matched(bet) === 0 && bets.remaining(bet) === 0) state.forget(market, bet);
	return position;
}
