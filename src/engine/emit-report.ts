/**
 * Emits what the kernel reports of a bet: fills, lapses, and changes of the held money, in the order in which they
 * happened.
 */
import type { HeldMoney } from '#engine/accounts.ts';
import type { BetTerms } from '#engine/bet-detail.ts';
import type { Effects, LapseReason } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { assertRule, BLOCK_WIDE, BLOCK_WORDS, FILL_WIDE, HELD_WIDE, type Kernel } from '#engine/kernel.ts';
import { FILL_ROW, HELD_ROW, LAPSES, MARKET_ROW, MARKETS, REPORT, REPORT_ROW } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { BetRequest } from '#engine/requests.ts';
import type { BetId, MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

// Copied here: every bet passes, and an imported constant is fetched and checked at each use.
const { FILL_OR_KILL, QUOTE, UNMATCHED } = REPORT;
const FILL_NUMBERS = FILL_WIDE;
const HELD_NUMBERS = HELD_WIDE;
const MARKET_NUMBERS = BLOCK_WIDE;
const MARKET_WORDS = BLOCK_WORDS;
const { id: MARKET_ID, flags: MARKET_FLAGS } = MARKET_ROW;
const { KEEPS_DETAILS } = MARKETS;
const { makerId: MAKER_ID, stake: STAKE, price: PRICE, cancel: FILL_CANCEL } = FILL_ROW;
const { walletId: WALLET_ID, change: CHANGE, cash: CASH } = HELD_ROW;
const {
	stage: STAGE,
	market: MARKET,
	bet: BET,
	position: POSITION,
	pool: POOL,
	terms: TERMS,
	stake: BET_STAKE,
	matched: MATCHED,
	remaining: REMAINING,
	matchedValue: MATCHED_VALUE,
	lapsed: LAPSED,
	lapse: LAPSE,
	cancelled: CANCELLED,
	cancel: CANCEL,
	ownLapsed: OWN_LAPSED,
} = REPORT_ROW;

/** By the kernel's number. */
const LAPSE_REASONS: LapseReason[] = [];
for (const [reason, number] of Object.entries(LAPSES)) {
	if (number !== LAPSES.NO_LAPSE) LAPSE_REASONS[number] = reason as LapseReason;
}
const lapseReasonOf = (number: number): LapseReason | null => LAPSE_REASONS[number] ?? null;

/** The parts of a bet that its fills are emitted with. */
export interface Taker {
	betId: BetId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
}

/** A single field of the report. */
export const reportOf = {
	stage: ({ words, report }: Kernel) => words[report + STAGE] as number,
	/** The market's row. */
	market: ({ words, report }: Kernel) => words[report + MARKET] as number,
	/** Read from the market's row, because most markets are not in the processor's cache. */
	marketId: ({ words, wide, report }: Kernel) =>
		wide[(words[report + MARKET] as number) * MARKET_NUMBERS + MARKET_ID] as number,
	/** The row of its player's position. */
	position: ({ words, report }: Kernel) => words[report + POSITION] as number,
	/** The bet's row. */
	bet: ({ words, report }: Kernel) => words[report + BET] as number,
	pool: ({ words, report }: Kernel) => POOLS[words[report + POOL] as number] as Pool,
	terms: ({ words, report }: Kernel) => words[report + TERMS] as number,
	stake: ({ words, report }: Kernel) => words[report + BET_STAKE] as number,
	matched: ({ words, report }: Kernel) => words[report + MATCHED] as number,
	remaining: ({ words, report }: Kernel) => words[report + REMAINING] as number,
	matchedValue: ({ wide, report }: Kernel) => wide[report / 2 + MATCHED_VALUE] as number,
	lapsed: ({ words, report }: Kernel) => words[report + LAPSED] as number,
	lapse: ({ words, report }: Kernel) => words[report + LAPSE] as number,
	cancelled: ({ words, report }: Kernel) => words[report + CANCELLED] as number,
	cancel: ({ words, report }: Kernel) => words[report + CANCEL] as number,
};

/**
 * Emits the fills from one on, and keeps them in markets that count each fill by its price.
 * @returns the stake that they fill
 */
export function emitFills(state: EngineState, taker: Taker, first: number, effects: Effects): number {
	const { kernel } = state;
	const { words, wide, fillCount, firstFill } = kernel;
	let filled = 0;
	if (fillCount === first) return filled;
	const { betId, marketId, runner, side } = taker;
	const keeper = keeperOfFills(state);
	const end = firstFill + fillCount * FILL_NUMBERS;
	for (let at = firstFill + first * FILL_NUMBERS; at < end; at += FILL_NUMBERS) {
		const makerId = wide[at + MAKER_ID] as number;
		const stake = words[at * 2 + STAKE] as number;
		const price = words[at * 2 + PRICE] as number;
		if (keeper !== null) {
			keepFill(keeper, betId, stake, price);
			keepFill(keeper, makerId, stake, price);
		}
		effects.betMatched(betId, makerId, marketId, runner, price, stake, side);
		filled += stake;
	}
	return filled;
}

/** The market of the report if it keeps fills. Most do not, and are not in the processor's cache. */
function keeperOfFills({ kernel, markets }: EngineState): Market | null {
	const row = reportOf.market(kernel);
	const flags = kernel.words[row * MARKET_WORDS + MARKET_FLAGS] as number;
	if ((flags & KEEPS_DETAILS) === 0) return null;
	const market = markets.at(row);
	return market.keepsFills ? market : null;
}

/** Keeps a fill where the price of each counts. */
export function keepFill(market: Market, betId: BetId, stake: AnyMinor, price: AnyPrice): void {
	const fill = market.terms.reducible ? { stake, price, after: market.removals.length } : { stake, price };
	const fills = market.fills.get(betId);
	if (fills) fills.push(fill);
	else market.fills.set(betId, [fill]);
}

/** Emits the player's own resting bets that lapsed for the bet: the first of the reported fills. */
function emitOwnLapsed(state: EngineState, count: number, effects: Effects): void {
	const { words, wide, firstFill } = state.kernel;
	const market = state.markets.at(reportOf.market(state.kernel));
	const end = firstFill + count * FILL_NUMBERS;
	for (let at = firstFill; at < end; at += FILL_NUMBERS) {
		const betId = wide[at + MAKER_ID] as number;
		effects.betLapsed(betId, words[at * 2 + STAKE] as number, 'SELF_MATCH');
		state.forgetCancelled(market, betId, words[at * 2 + FILL_CANCEL] as number);
	}
}

/** Emits the quotes that the crowd took. */
export function emitQuotesTaken(state: EngineState, side: SideCode, effects: Effects): void {
	const { words, wide, fillCount, firstFill } = state.kernel;
	const market = state.markets.at(reportOf.market(state.kernel));
	const end = firstFill + fillCount * FILL_NUMBERS;
	for (let at = firstFill; at < end; at += FILL_NUMBERS) {
		const quoteId = wide[at + MAKER_ID] as number;
		effects.quoteTaken(quoteId, words[at * 2 + PRICE] as number, words[at * 2 + STAKE] as number, side);
		state.forgetCancelled(market, quoteId, words[at * 2 + FILL_CANCEL] as number);
	}
}

/** Emits the lapse of a bet's unmatched part. */
export function emitLapse({ kernel }: EngineState, betId: BetId, effects: Effects): void {
	const lapsed = reportOf.lapsed(kernel);
	if (lapsed === 0) return;
	effects.betLapsed(betId, lapsed, lapseReasonOf(reportOf.lapse(kernel)) as LapseReason);
}

/** One for all. */
const held: HeldMoney = { walletId: 0, pool: 'PLAY', change: 0, cashAfter: 0, marketId: 0 };

/** Emits the changes of the money held in a market. */
export function emitHolds(state: EngineState, marketId: MarketId, effects: Effects): void {
	const { words, wide, report, holdCount, firstHold } = state.kernel;
	held.pool = POOLS[words[report + POOL] as number] as Pool;
	held.marketId = marketId;
	const end = firstHold + holdCount * HELD_NUMBERS;
	for (let at = firstHold; at < end; at += HELD_NUMBERS) {
		held.walletId = wide[at + WALLET_ID] as number;
		held.change = wide[at + CHANGE] as number;
		held.cashAfter = wide[at + CASH] as number;
		state.accounts.reserved(held, ++state.lastReservation, effects);
	}
}

/** The terms of an accepted bet, with the volume at which it lapses: what is matched of it already is in both. */
function withVolume(state: EngineState, terms: BetTerms, runner: number): BetTerms {
	if (terms.untilMatched == null) return terms;
	const { kernel, books, markets } = state;
	const side = markets.at(reportOf.market(kernel)).side(reportOf.pool(kernel));
	if (!side) throw new Error('a bet was accepted in a pool without books');
	// Of a bet that the engine is about to match, nothing is reported yet.
	const own = reportOf.stage(kernel) === UNMATCHED ? 0 : reportOf.matched(kernel);
	const others = books.totalMatched(side.firstBook + runner) - own;
	return { ...terms, untilVolume: others + terms.untilMatched };
}

/** Emits that a bet was accepted. */
export function emitPlaced(state: EngineState, bet: BetRequest, effects: Effects): void {
	const { kernel, placed } = state;
	const terms = reportOf.terms(kernel);
	placed.betId = bet.betId;
	placed.walletId = bet.walletId;
	placed.marketId = bet.marketId;
	placed.pool = reportOf.pool(kernel);
	placed.runner = bet.runner;
	placed.side = bet.side;
	placed.price = bet.price;
	placed.stake = bet.stake;
	placed.persist = bet.persist;
	placed.fillOrKill = (terms & FILL_OR_KILL) !== 0;
	placed.terms = bet.terms == null ? null : withVolume(state, bet.terms, bet.runner);
	placed.onClose = bet.onClose ? { limit: bet.onClose.limit, liability: bet.stake } : null;
	placed.takesStart = bet.takesStart === true;
	placed.quote = (terms & QUOTE) !== 0;
	effects.betPlaced(placed);
}

/** Emits the fills of a bet, its lapse, and the changes of the money held for the bets it met. */
export function emitEntered(state: EngineState, taker: Taker, effects: Effects): Outcome & { ok: true } {
	const { kernel } = state;
	const ownLapsed = kernel.words[kernel.report + OWN_LAPSED] as number;
	if (ownLapsed > 0) emitOwnLapsed(state, ownLapsed, effects);
	const filled = emitFills(state, taker, ownLapsed, effects);
	assertRule(filled === reportOf.matched(kernel), 'what is matched of a bet is what its fills come to');
	emitLapse(state, taker.betId, effects);
	emitHolds(state, taker.marketId, effects);
	return reportedOutcome(kernel, taker.betId);
}

/** The figures of the report's bet. */
export function reportedOutcome(kernel: Kernel, betId: BetId) {
	return {
		ok: true as const,
		betId,
		stake: reportOf.stake(kernel),
		matched: reportOf.matched(kernel),
		matchedValue: reportOf.matchedValue(kernel),
		remaining: reportOf.remaining(kernel),
	};
}
