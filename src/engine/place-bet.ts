/**
 * Places a bet: checks in the fixed order, holds the risk, matches, lets the rest wait in the book. In-play a bet may
 * first have to wait out the market's delay; `admit-bet` then brings it to the book.
 */
import type { BetTable } from '#engine/bets.ts';
import type { AdmitBet, PlaceBet } from '#engine/command.ts';
import { matchAcross } from '#engine/cross-matching.ts';
import type { Effects, LapseReason } from '#engine/effect.ts';
import { type EngineState, refuse } from '#engine/engine-state.ts';
import { isQuick } from '#engine/id-index.ts';
import type { Market, PendingBet, PoolSide } from '#engine/market.ts';
import { MOST_SHARES } from '#engine/market-types/each-way-result.ts';
import { type Asked, fillable, wouldMeetOwnBet } from '#engine/matching.ts';
import { ANY_RUNG } from '#engine/order-book.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { NONE } from '#engine/rows.ts';
import { limitRefusal, mostProfit } from '#values/bet-limits.ts';
import { addUnmatched, exposurePaise } from '#values/exposure.ts';
import { profitRatioIsUnfair } from '#values/liability.ts';
import { MAX_AMOUNT_PAISE } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import { MAX_PRICE, tickOf } from '#values/price-ladder.ts';
import { BACK, LAY } from '#values/sides.ts';

/**
 * No figure of a position may come near the end of the safe integers, 2^53: what is matched and all that may still be,
 * stake × price, stays below half of it. One bet of the largest stake is at most 10^14.
 */
const LARGEST_FIGURE = 2 ** 52;
/** Of a result of an each-way market: what its value is counted in, and as much again for its stakes. */
const EACH_WAY_PARTS = 2 * MOST_SHARES;

/** @param onAccepted called once nothing can refuse the bet any more, before it is part of the state */
export function placeBet(
	state: EngineState,
	command: PlaceBet & { atMs: number },
	effects: Effects,
	onAccepted?: () => void,
): Outcome {
	if (onAccepted === undefined && isPlain(state, command)) {
		const { marketId, walletId, betId, runner, side, price, stake, persist } = command;
		const { call } = state.kernel;
		const bet = call.placeBet(marketId, walletId, betId, runner, side, price, tickOf(price), stake, persist ? 1 : 0);
		if (bet !== NONE) return placedAtOnce(state, bet, command, effects);
	}
	const market = state.markets.get(command.marketId);
	if (market === undefined) return refuse('UNKNOWN_MARKET');
	const rung = market.ladder.tickOf(command.price);
	const wrong = refusalOf(market, command, rung);
	if (wrong !== null) return refuse(wrong);
	const { wallets } = state.accounts;
	const wallet = wallets.find(command.walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const side = market.sideOf(wallets.poolCode(wallet));
	if (side === null) return refuse('FORBIDDEN');
	const limits = wallets.limits(wallet);
	const over = limits === null ? null : limitRefusal(limits, market.shape, command);
	if (over !== null) return refuse(over);
	if (command.betId <= state.counters.lastBetId) return refuse('DUPLICATE_ORDER');

	const asked = askedOf(command, side, rung, side.house !== null && side.house !== command.walletId);
	const { positions } = state;
	const known = positions.find(market, wallet);
	const exposure = known === NONE ? firstExposure(state, market, command) : exposureWith(state, market, known, command);
	let refused = riskRefusal(state, market, wallet, known, command, exposure);
	if (refused === null && meetsOwnBet(state, market, asked, known)) refused = 'SELF_MATCH';
	if (refused !== null) {
		if (known !== NONE) count(state, market, known, command, -command.stake);
		return refuse(refused);
	}
	if (onAccepted !== undefined) onAccepted();
	const position = known === NONE ? begin(state, market, side, wallet, command) : known;
	return accept(state, market, side, position, command, asked, exposure, effects);
}

/** The kernel can tell whether it may be placed at once: its numbers are of 31 bits, and it asks for nothing rare. */
function isPlain({ counters }: EngineState, command: PlaceBet): boolean {
	const { betId, walletId, marketId, runner, side, stake, fillOrKill, marketVersion } = command;
	const isSmall = isQuick(walletId) && isQuick(marketId) && isQuick(runner) && isQuick(side) && isQuick(stake);
	return isSmall && isQuick(betId) && betId > counters.lastBetId && !fillOrKill && marketVersion === undefined;
}

/** What every bet is that the kernel places. */
const PLAIN = { fillOrKill: false, quote: false };

/** The kernel has placed a bet: tells what became of it, in the order things happened. */
function placedAtOnce(state: EngineState, bet: number, command: PlaceBet, effects: Effects): Outcome {
	state.counters.lastBetId = command.betId;
	emitPlaced(state, POOLS[state.kernel.pool] as Pool, command, PLAIN, effects);
	state.matcher.emitFills(command, effects);
	state.emitHolds(command.marketId, effects);
	return state.bets.outcome(bet);
}

/** Counts the bet's stake among the unmatched of a position, or with a stake below zero takes it out again. */
function count(state: EngineState, market: Market, position: number, command: PlaceBet, stake: number): void {
	state.positions.addUnmatched(position, market, command.runner, command.side, command.price, stake);
}

/** What a position with the bet in it asks to be held; the bet stays counted. */
function exposureWith(state: EngineState, market: Market, position: number, command: PlaceBet): number {
	count(state, market, position, command, command.stake);
	return state.positions.exposure(position);
}

/** A player without a position is judged by an empty one: what is refused leaves no trace. */
function firstExposure(state: EngineState, market: Market, { runner, side, price, stake }: PlaceBet): number {
	const figures = state.nothing(market);
	addUnmatched(figures, runner, side, price, stake);
	return exposurePaise(figures);
}

const meetsOwnBet = (state: EngineState, market: Market, asked: Asked, position: number): boolean =>
	position !== NONE && market.terms.selfMatch === 'REFUSE' && wouldMeetOwnBet(state, asked, position);

/** @param atOnce what the house offers is taken at once and whole, or not at all */
const askedOf = (command: PlaceBet, side: PoolSide, rung: number, atOnce: boolean): Asked => ({
	book: side.firstBook + command.runner,
	side: command.side,
	rung,
	stake: command.stake,
	fillOrKill: atOnce || command.fillOrKill === true ? { minFill: command.minFill ?? command.stake } : null,
});

/**
 * Everything that can be said from the market and the bet alone, in the fixed order.
 * @param isHedge of a cash-out, which lowers the risk: no stake is too small for that
 */
export function refusalOf(market: Market, command: PlaceBet, rung: number, isHedge = false): EngineRefusal | null {
	const { terms } = market;
	if (market.status !== 'OPEN') return market.ended ? 'MARKET_CLOSED' : 'MARKET_SUSPENDED';
	if (!Number.isInteger(command.runner) || command.runner < 0 || command.runner >= terms.runners) {
		return 'UNKNOWN_RUNNER';
	}
	if (market.removed.has(command.runner)) return 'RUNNER_REMOVED';
	if (market.suspended.has(command.runner)) return 'RUNNER_SUSPENDED';
	if (command.side !== BACK && command.side !== LAY) return 'INVALID_SIDE';
	if (rung < 0) return 'PRICE_NOT_ON_LADDER';
	if (!Number.isSafeInteger(command.stake) || command.stake <= 0) return 'INVALID_STAKE';
	if (!isHedge && command.stake < terms.minStake) return 'STAKE_TOO_SMALL';
	// What the house offers is up to the house.
	const byHouse = market.byHouse && terms.houses.includes(command.walletId);
	if (command.stake > (byHouse ? MAX_AMOUNT_PAISE : terms.maxStake)) return 'STAKE_TOO_LARGE';
	if (command.fillOrKill === true && !isPartOf(command.minFill ?? command.stake, command.stake)) return 'INVALID_SIZE';
	const asksRatio = terms.profitRatioRule && !isHedge && market.shape.line === null;
	if (asksRatio && profitRatioIsUnfair(command.price, command.stake)) return 'INVALID_PROFIT_RATIO';
	if (byHouse || terms.maxProfit === 0) return null;
	return mostProfit(market.shape, command) > terms.maxProfit * 100 ? 'PROFIT_TOO_LARGE' : null;
}

const isPartOf = (size: number, stake: number): boolean => Number.isSafeInteger(size) && size > 0 && size <= stake;

/**
 * Asked with the whole bet counted as unmatched. Refused only when the exposure is then above the funds (or a limit) and
 * above what it was: a bet that lowers the risk always passes.
 * @param exposure paise to hold with the bet
 */
function riskRefusal(
	state: EngineState,
	market: Market,
	wallet: number,
	position: number,
	command: PlaceBet,
	exposure: number,
): EngineRefusal | null {
	const { positions, quotes } = state;
	const { wallets } = state.accounts;
	const ofQuotes = wallets.isQuoting(wallet);
	// What is set aside for quotes counts like held money.
	const aside = ofQuotes ? quotes.asideOf(wallet) : 0;
	const covered = position === NONE ? 0 : positions.held(position) + (ofQuotes ? quotes.asideFor(position) : 0);
	const more = exposure - covered;
	if (more > 0) {
		const limit = market.terms.maxExposure;
		const ofAll = wallets.limits(wallet)?.maxExposure ?? 0;
		const short = more > wallets.cash(wallet) - aside;
		const over = (limit > 0 && exposure > limit) || (ofAll > 0 && wallets.exposure(wallet) + aside + more > ofAll);
		// After a removal the exposure can be more than is held; that alone is no reason to refuse.
		if ((short || over) && exposure > exposureWithout(state, market, position, command)) {
			return short ? 'INSUFFICIENT_FUNDS' : 'EXPOSURE_LIMIT';
		}
	}
	return figureIsTooLarge(state, market, position, command) ? 'EXPOSURE_LIMIT' : null;
}

export function figureIsTooLarge(
	{ positions }: EngineState,
	market: Market,
	position: number,
	{ runner, side, price, stake }: PlaceBet,
): boolean {
	// An incoming back may be filled at any better price, an incoming lay at its own at most.
	const itself = stake * (side === BACK ? MAX_PRICE : price);
	// Each way results are reckoned in parts of a share.
	const largest = market.shape.eachWay > 0 ? LARGEST_FIGURE / EACH_WAY_PARTS : LARGEST_FIGURE;
	const known = position === NONE ? 0 : positions.largestFigure(position, market, runner);
	return known + itself > largest;
}

function exposureWithout(state: EngineState, market: Market, position: number, command: PlaceBet): number {
	if (position === NONE) return 0;
	count(state, market, position, command, -command.stake);
	const exposure = state.positions.exposure(position);
	count(state, market, position, command, command.stake);
	return exposure;
}

/** The player's first bet in this market. */
function begin(state: EngineState, market: Market, side: PoolSide, wallet: number, command: PlaceBet): number {
	const position = state.positions.add(market, side, wallet);
	count(state, market, position, command, command.stake);
	return position;
}

/** From here on nothing is refused: the bet is part of the state. */
function accept(
	state: EngineState,
	market: Market,
	side: PoolSide,
	position: number,
	command: PlaceBet & { atMs: number },
	asked: Asked,
	exposure: number,
	effects: Effects,
): Outcome {
	const { bets } = state;
	state.counters.lastBetId = command.betId;
	const { betId, runner, price, stake, persist } = command;
	const bet = bets.add(market.row, betId, position, runner, command.side, price, asked.rung, stake, persist);
	state.positions.link(position, bet);
	const { wallets } = state.accounts;
	const quote = wallets.isQuoting(state.positions.walletOf(position));
	emitPlaced(state, side.pool, command, { fillOrKill: asked.fillOrKill !== null, quote }, effects);
	if (command.marketVersion !== undefined && command.marketVersion < market.version) {
		return lapseWhole(state, bet, 'MARKET_VERSION', effects);
	}
	if (delays(state, market, asked)) return delay(state, market, bet, command, asked, effects);
	return enter(state, market, bet, asked, effects, exposure);
}

export function emitPlaced(
	{ placed }: EngineState,
	pool: Pool,
	{ betId, walletId, marketId, runner, side, price, stake, persist }: PlaceBet,
	how: { fillOrKill: boolean; quote: boolean },
	effects: Effects,
): void {
	placed.betId = betId;
	placed.walletId = walletId;
	placed.marketId = marketId;
	placed.pool = pool;
	placed.runner = runner;
	placed.side = side;
	placed.price = price;
	placed.stake = stake;
	placed.persist = persist;
	placed.fillOrKill = how.fillOrKill;
	placed.quote = how.quote;
	effects.betPlaced(placed);
}

/** In-play every bet waits, except those that meet nothing and may go straight in to rest. */
function delays(state: EngineState, market: Market, asked: Asked): boolean {
	const { betDelayMs, passiveGoesIn } = market.terms;
	if (!market.inPlay || betDelayMs === 0) return false;
	// What virtual prices would fill is not looked for: where they are, everybody waits.
	const goesIn = passiveGoesIn && !asked.fillOrKill && !market.terms.crossMatching;
	return !(goesIn && fillable(state.books, asked) === 0);
}

function delay(
	state: EngineState,
	market: Market,
	bet: number,
	command: PlaceBet & { atMs: number },
	asked: Asked,
	effects: Effects,
): Outcome {
	const dueAtMs = command.atMs + market.terms.betDelayMs;
	const minFill = asked.fillOrKill?.minFill ?? 0;
	delayBet(state, market, bet, { dueAtMs, version: market.version, minFill }, effects);
	state.hold(market, state.bets.position(bet), effects);
	return { ...state.bets.outcome(bet), dueAtMs };
}

/** Lets a bet wait out a delay. */
export function delayBet(state: EngineState, market: Market, bet: number, waits: PendingBet, effects: Effects): void {
	const betId = state.bets.id(bet);
	market.pending.set(betId, waits);
	state.bets.setPending(bet, true);
	effects.betDelayed(betId, waits.dueAtMs, waits.version, waits.minFill);
}

/**
 * Brings a bet to the book, and what is held for all who were met to what their exposure asks.
 * @param exposure of the player while nothing of the bet is matched, known of a bet that is being placed; one that waited
 *   out a delay comes without it, and rests by the time it reached the book
 */
function enter(
	state: EngineState,
	market: Market,
	bet: number,
	asked: Asked,
	effects: Effects,
	exposure?: number,
): Outcome {
	const position = state.bets.position(bet);
	const outcome = meet(state, market, bet, asked, effects, exposure === undefined);
	if (state.matcher.metCount === 0 && !asked.fillOrKill && exposure !== undefined) {
		state.holdExactly(market, position, exposure, effects);
		return outcome;
	}
	state.hold(market, position, effects);
	holdOfMakers(state, market, position, effects);
	return outcome;
}

/** Matches what meets; the rest waits in the book, or lapses when the bet was to be filled or killed. */
export function meet(
	state: EngineState,
	market: Market,
	bet: number,
	asked: Asked,
	effects: Effects,
	waitedOut: boolean,
): ReturnType<BetTable['outcome']> {
	const { bets, matcher } = state;
	matcher.begin();
	if (asked.fillOrKill !== null) matcher.take(market, asked.book, bet, fillable(state.books, asked), ANY_RUNG, effects);
	else if (market.terms.crossMatching) {
		matchAcross(state, market, state.sideOf(market, bets.position(bet)), bet, effects);
	} else matcher.take(market, asked.book, bet, asked.stake, asked.rung, effects);
	const outcome = bets.outcome(bet);
	if (outcome.remaining === 0) return outcome;
	if (asked.fillOrKill) {
		effects.betLapsed(bets.id(bet), outcome.remaining, 'NOT_FILLED');
		cancelOutsideBook(state, bet);
		return { ...outcome, remaining: 0 };
	}
	if (waitedOut) state.restByAge(asked.book, bet);
	else state.rest(asked.book, bet);
	return outcome;
}

/** What is held for those whom the last bet met, its own player apart. */
export function holdOfMakers(state: EngineState, market: Market, position: number, effects: Effects): void {
	const { matcher } = state;
	for (let at = 0; at < matcher.metCount; at++) {
		const maker = matcher.met[at] as number;
		if (maker !== position) state.hold(market, maker, effects);
	}
}

export function lapseWhole(state: EngineState, bet: number, reason: LapseReason, effects: Effects): Outcome {
	const outcome = { ...state.bets.outcome(bet), remaining: 0 };
	effects.betLapsed(state.bets.id(bet), state.bets.remaining(bet), reason);
	cancelOutsideBook(state, bet);
	return outcome;
}

/** Takes what is left off a bet that stands in no book. */
function cancelOutsideBook(state: EngineState, bet: number): void {
	const { bets, positions } = state;
	const position = bets.position(bet);
	const left = bets.remaining(bet);
	bets.setRemaining(bet, 0);
	const market = positions.marketOf(position);
	positions.addUnmatched(position, market, bets.runner(bet), bets.side(bet), bets.price(bet), -left);
	bets.touch(bet);
	positions.touch(position);
	if (bets.matched(bet) === 0) state.forget(market, bet);
}

/** Whether a bet waited for a market that was suspended since, or changed otherwise. */
export const isLate = (market: Market, { version }: PendingBet, runner: number): boolean =>
	market.status !== 'OPEN' || market.version !== version || market.suspended.has(runner);

/** The delay of a bet is over. It lapses when the market was suspended, or its version rose, since it was placed. */
export function admitBet(state: EngineState, command: AdmitBet & { atMs: number }, effects: Effects): Outcome {
	const { bets, positions } = state;
	const bet = bets.find(command.betId);
	if (bet === NONE || !bets.isPending(bet)) return refuse('ORDER_NOT_ACTIVE');
	const position = bets.position(bet);
	const market = positions.marketOf(position);
	const waits = market.pending.get(command.betId);
	if (!waits) throw new Error(`bet ${command.betId} waits without a reason`);
	// Between balls nothing lapses, and nothing is matched.
	if (command.atMs < waits.dueAtMs || market.status === 'BALL_RUNNING') return refuse('MARKET_SUSPENDED');
	state.endDelay(market, bet);
	market.queuedAfter.set(command.betId, state.counters.lastBetId);
	const asked: Asked = {
		book: state.bookOf(market, bet),
		side: bets.side(bet),
		rung: bets.rung(bet),
		stake: bets.remaining(bet),
		fillOrKill: waits.minFill > 0 ? { minFill: waits.minFill } : null,
	};
	const late = isLate(market, waits, bets.runner(bet));
	const own = !late && market.terms.selfMatch === 'REFUSE' && wouldMeetOwnBet(state, asked, position);
	effects.betAdmitted(command.betId);
	if (!late && !own) return enter(state, market, bet, asked, effects);
	const outcome = lapseWhole(state, bet, late ? 'SUSPENDED' : 'SELF_MATCH', effects);
	state.hold(market, position, effects);
	return outcome;
}
