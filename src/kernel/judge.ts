/**
 * Judges bets: every reason to refuse one, in a fixed order, first those of market and bet alone, then those of the
 * wallet. A refused bet leaves no trace.
 */

import { EVENS, hasOpposite, LEAST_LIABILITY, largestValueAtStart, MOST_AT_START } from './at-start';
import { BACK, betAt, LAY, lastBetId } from './bets';
import { MARKETS, NONE, WALLETS } from './blocks';
import * as figures from './figures';
import { findId } from './id-index';
import { NO_TICK, nextPrice, tickOf } from './ladders';
import {
	AUCTION,
	BY_HOUSE,
	barsOf,
	ENDED,
	FAIR_PROFITS,
	firstBookIn,
	houseOf,
	isHouse,
	Market,
	marketAt,
	ON_LINES,
	OPEN,
	REMOVED,
} from './markets';
import {
	AT_START,
	EXPIRES,
	FILL_OR_KILL,
	HEDGE,
	IS_REST,
	ON_CLOSE,
	Order,
	OWN_CHOICE,
	OWN_LAPSES_RESTING,
	OWN_LAPSES_TAKING,
	PERSIST,
	POST_ONLY,
	REPRICES,
	Request,
	TAKES_START,
	theOrder,
	theRequest,
	UNTIL_MATCHED,
} from './orders';
import { leastStakeIn, limitIn, stakeStepOf, stepOf } from './pools';
import {
	addUnmatched,
	blankPosition,
	exposureOf,
	findPosition,
	largestFigureOf,
	marketOf,
	poolOf,
	positionAt,
} from './positions';
import { lookAhead, readRequest } from './read-order';
import * as refusals from './refusals';
import { lackedElsewhere } from './short-positions';
import { refusesSelfMatch } from './takeable';
import { limitsOf, SHORT, setAsideOf, Wallet, walletAt } from './wallets';

const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991;
/** The highest price, hundredths: an incoming back may be filled at any better price than its own. */
const MAX_PRICE: f64 = 100_000;

/**
 * Judges the request as a player's bet. An accepted one is `theOrder`, and counted as unmatched where the player has a
 * position.
 */
export function judgeBet(): i32 {
	const refusal = judgeRequest();
	return refusal == refusals.ACCEPTED ? judgeRisk(theOrder(), true) : refusal;
}

/** Judges the request as what a trigger may place later: it meets no bet now. Counted like a player's bet. */
export function judgeTrigger(): i32 {
	const refusal = judgeRequest();
	return refusal == refusals.ACCEPTED ? judgeRisk(theOrder(), false) : refusal;
}

/** Judges the request as a hedge, which lowers the risk: it needs no funds, and no stake is too small. */
export function judgeHedge(): i32 {
	const refusal = judgeRequest();
	return refusal == refusals.ACCEPTED ? refusalOfFigure(theOrder()) : refusal;
}

/** Judges the stake of the request alone, as its market takes stakes: it may be suspended meanwhile. */
export function judgeStake(): i32 {
	const market = findId(MARKETS, theRequest().marketId);
	const wallet = findId(WALLETS, theRequest().walletId);
	assert(market != NONE && wallet != NONE, 'a stake is judged in a market that is known, for a wallet that is');
	return refusalOfStake(market, theRequest(), walletAt(wallet).pool);
}

/** All rules but those of risk; an accepted request is `theOrder`. */
function judgeRequest(): i32 {
	const market = findId(MARKETS, theRequest().marketId);
	const wallet = findId(WALLETS, theRequest().walletId);
	const order = theOrder();
	if (market != NONE && wallet != NONE) {
		readRequest(market, wallet);
		order.position = findPosition(market, wallet);
		lookAhead(order);
	}
	let refusal = refusalOfTerms(market, wallet);
	if (refusal != refusals.ACCEPTED) return refusal;
	refusal = refusalOfWallet(market, wallet);
	if (refusal != refusals.ACCEPTED) return refusal;
	if (order.flags & POST_ONLY && order.met != NONE) {
		refusal = order.flags & REPRICES ? moveToRest(order) : refusals.WOULD_MATCH;
		if (refusal != refusals.ACCEPTED) return refusal;
	}
	fillAtOnceByHouse(order);
	return refusals.ACCEPTED;
}

/** Moves a post-only order that would be matched to the nearest price at which it rests, and judges it there. */
function moveToRest(order: Order): i32 {
	const market = order.market;
	const wallet = order.wallet;
	const price = nextPrice(marketAt(market).ladder, betAt(order.met).price, order.side == BACK ? 1 : -1);
	if (price == 0) return refusals.WOULD_MATCH;
	theRequest().price = <f64>price;
	let refusal = refusalOfTerms(market, wallet);
	if (refusal == refusals.ACCEPTED) refusal = refusalOfWallet(market, wallet);
	if (refusal == refusals.ACCEPTED) lookAhead(readRequest(market, wallet));
	return refusal;
}

function judgeRisk(order: Order, meetsBook: bool): i32 {
	const isFirst = order.position == NONE;
	const position = isFirst ? blankPosition(order.market, order.pool, order.wallet) : order.position;
	addUnmatched(position, order.runner, order.side, order.price, order.stake);
	order.exposure = exposureOf(position);
	// What closes a bracket is held for by that: its stop must not lack a coin that roundings ask.
	let refusal = order.flags & HEDGE ? refusalOfFigure(order) : refusalOfRisk(order, position);
	if (refusal == refusals.ACCEPTED && !isFirst && meetsOwn(order, meetsBook)) refusal = refusals.SELF_MATCH;
	const isCounted = refusal == refusals.ACCEPTED && !isFirst;
	if (!isCounted) addUnmatched(position, order.runner, order.side, order.price, -order.stake);
	return refusal;
}

/** Whether a bet of the same player keeps the order out: one that it meets in the book, or would meet in the auction. */
function meetsOwn(order: Order, meetsBook: bool): bool {
	if (order.flags & AT_START && hasOpposite(order.position, order.runner, order.side)) return true;
	return meetsBook && !(order.flags & ON_CLOSE) && refusesSelfMatch(order);
}

/** The rules of market and bet alone; of the wallet only its currency counts, if there is one. */
export function refusalOfTerms(row: i32, wallet: i32): i32 {
	if (row == NONE) return refusals.UNKNOWN_MARKET;
	const market = marketAt(row);
	const request = theRequest();
	if (market.status != OPEN) return market.status == ENDED ? refusals.MARKET_CLOSED : refusals.MARKET_SUSPENDED;
	const runner = <i32>request.runner;
	if (<f64>runner != request.runner || <u32>runner >= <u32>market.books) return refusals.UNKNOWN_RUNNER;
	const bars = barsOf(market, runner);
	if (bars != 0) return bars & REMOVED ? refusals.RUNNER_REMOVED : refusals.RUNNER_SUSPENDED;
	if (request.side != <f64>BACK && request.side != <f64>LAY) return refusals.INVALID_SIDE;
	if (!pricesAreOnLadder(market, request)) return refusals.PRICE_NOT_ON_LADDER;
	const refusal = refusalOfStake(row, request, wallet == NONE ? 0 : walletAt(wallet).pool);
	return refusal == refusals.ACCEPTED ? refusalOfOrderTerms(row, request) : refusal;
}

function pricesAreOnLadder(market: Market, request: Request): bool {
	if (tickOf(market.ladder, request.price) == NO_TICK) return false;
	if (!(request.flags & ON_CLOSE)) return true;
	return request.price == <f64>EVENS && (request.limit == Infinity || tickOf(market.ladder, request.limit) != NO_TICK);
}

/** The rules of what an order asks beside its price and stake; src/values knows which markets take what. */
function refusalOfOrderTerms(row: i32, request: Request): i32 {
	const market = marketAt(row);
	const flags = request.flags;
	if (flags & AT_START) {
		const others = POST_ONLY | EXPIRES | UNTIL_MATCHED | OWN_CHOICE;
		const isOther = flags & (PERSIST | FILL_OR_KILL) || (flags & ON_CLOSE && flags & (others | TAKES_START));
		if (isOther || !(market.flags & AUCTION)) return refusals.TERMS_NOT_POSSIBLE;
		if (market.atStart >= MOST_AT_START) return refusals.AUCTION_FULL;
	}
	const ends = POST_ONLY | EXPIRES | UNTIL_MATCHED;
	const isOfMarket = flags & (ends | OWN_LAPSES_RESTING | OWN_LAPSES_TAKING);
	if (isOfMarket && !figures.takesTerms(row, flags)) return refusals.TERMS_NOT_POSSIBLE;
	if (!(flags & ends)) return refusals.ACCEPTED;
	if (flags & FILL_OR_KILL) return refusals.TERMS_NOT_POSSIBLE;
	if (flags & EXPIRES && !(request.expiresAtMs > request.atMs)) return refusals.EXPIRY_PASSED;
	return flags & UNTIL_MATCHED && !isVolume(request.untilMatched) ? refusals.INVALID_SIZE : refusals.ACCEPTED;
}

/** Nothing is left of what a bet at another price waits for, where its volume was reached in the same batch. */
function isVolume(size: f64): bool {
	return size >= 0 && size <= MAX_SAFE_INTEGER && floor(size) == size;
}

/** The rules of its size; the house's own offers have no limits. */
function refusalOfStake(row: i32, request: Request, pool: i32): i32 {
	const market = marketAt(row);
	const stake = request.stake;
	if (!(stake > 0 && stake <= MAX_SAFE_INTEGER && floor(stake) == stake)) return refusals.INVALID_STAKE;
	const isHedge = (request.flags & HEDGE) != 0;
	const isOnClose = (request.flags & ON_CLOSE) != 0;
	const isOfCoins = (request.flags & (HEDGE | IS_REST)) != 0;
	if (!isOfStep(stake, isOfCoins ? stepOf(pool) : stakeStepOf(pool))) return refusals.INVALID_STAKE;
	const isLiability = isOnClose && request.side == <f64>LAY;
	const least = leastStakeIn(pool, <f64>market.minStake) * (isLiability ? LEAST_LIABILITY : 1);
	if (!isHedge && stake < least) return refusals.STAKE_TOO_SMALL;
	const isByHouse = (market.flags & BY_HOUSE) != 0;
	const isOffer = isByHouse && isHouse(row, request.walletId);
	if (stake > (isOffer ? market.maxOffer : limitIn(pool, <f64>market.maxStake))) return refusals.STAKE_TOO_LARGE;
	const asksMinFill = isByHouse || (request.flags & FILL_OR_KILL) != 0;
	if (asksMinFill && !isPartOf(request.minFill, stake)) return refusals.INVALID_SIZE;
	// What a bet on close may win is not known before the auction.
	if (isOnClose) return refusals.ACCEPTED;
	const asksRatio = market.flags & FAIR_PROFITS && !isHedge && !(market.flags & ON_LINES);
	if (asksRatio && figures.profitRatioIsUnfair(<i32>request.price, <i32>stake)) return refusals.INVALID_PROFIT_RATIO;
	const limit = isOffer ? 0 : limitIn(pool, market.maxProfit);
	return limit > 0 && mostProfit(row, request) > limit * 100 ? refusals.PROFIT_TOO_LARGE : refusals.ACCEPTED;
}

/** Steps are whole numbers; in most currencies 1. */
function isOfStep(stake: f64, step: f64): bool {
	return step == 1 || floor(stake / step) * step == stake;
}

function isPartOf(size: f64, stake: f64): bool {
	return size > 0 && size <= stake && floor(size) == size;
}

function mostProfit(market: i32, request: Request): f64 {
	return figures.mostProfit(market, <i32>request.side, <i32>request.price, <i32>request.stake);
}

/** The wallet's pool, and the player's own limits of one bet. */
function refusalOfWallet(market: i32, row: i32): i32 {
	if (row == NONE) return refusals.UNKNOWN_USER;
	const request = theRequest();
	const wallet = walletAt(row);
	if (request.flags & AT_START && wallet.isQuoting) return refusals.TERMS_NOT_POSSIBLE;
	if (firstBookIn(market, wallet.pool) == NONE) return refusals.FORBIDDEN;
	if (wallet.limits != NONE) {
		const limits = limitsOf(wallet);
		if (limits.maxStake > 0 && request.stake > limits.maxStake) return refusals.STAKE_TOO_LARGE;
		const most = limits.maxProfit;
		const isKnown = !(request.flags & ON_CLOSE);
		if (most > 0 && isKnown && mostProfit(market, request) > most * 100) return refusals.PROFIT_TOO_LARGE;
	}
	return request.betId <= lastBetId() ? refusals.DUPLICATE_ORDER : refusals.ACCEPTED;
}

/** A bet against the house is matched at once as a whole, or up to its smallest fill, or refused. */
function fillAtOnceByHouse(order: Order): void {
	const market = marketAt(order.market);
	const isTaken = market.flags & BY_HOUSE && houseOf(order.market, order.pool) != theRequest().walletId;
	if (isTaken) order.minFill = <i32>theRequest().minFill;
}

/**
 * Checks the risk with the whole bet counted as unmatched. The bet is refused only when the exposure is then above the
 * funds (or a limit) and above its previous value: a bet that lowers the risk always passes.
 */
function refusalOfRisk(order: Order, position: i32): i32 {
	const refusal = refusalOfExposure(position, order.exposure);
	// After a removal the exposure can be above the held money; that alone is no reason to refuse.
	if (refusal != refusals.ACCEPTED && order.exposure > exposureWithout(order, position)) return refusal;
	return refusalOfFigure(order);
}

/** Why a position may not come to an exposure, minor units: it asks more money than there is, or a limit is below it. */
export function refusalOfExposure(position: i32, exposure: f64): i32 {
	const wallet = walletAt(positionAt(position).wallet);
	// Money set aside for quotes counts like held money.
	const aside = setAsideOf(wallet);
	const more = exposure - positionAt(position).held - positionAt(position).setAside;
	if (more <= 0) return refusals.ACCEPTED;
	const lacked = lackedBeside(position, wallet);
	if (more > wallet.cash - aside - lacked) return refusals.INSUFFICIENT_FUNDS;
	const ofMarket = limitIn(poolOf(position), marketAt(marketOf(position)).maxExposure);
	const ofAll = wallet.limits == NONE ? 0 : limitsOf(wallet).maxExposure;
	const isAbove =
		(ofMarket > 0 && exposure > ofMarket) || (ofAll > 0 && wallet.exposure + aside + lacked + more > ofAll);
	return isAbove ? refusals.EXPOSURE_LIMIT : refusals.ACCEPTED;
}

/** What the wallet's other positions lack is not spent. Quotes are honoured, whatever other positions of theirs lack. */
function lackedBeside(position: i32, wallet: Wallet): f64 {
	if (!(wallet.flags & SHORT) || wallet.isQuoting) return 0;
	return lackedElsewhere(positionAt(position).wallet, marketOf(position));
}

function exposureWithout(order: Order, position: i32): f64 {
	addUnmatched(position, order.runner, order.side, order.price, -order.stake);
	const exposure = exposureOf(position);
	addUnmatched(position, order.runner, order.side, order.price, order.stake);
	return exposure;
}

function refusalOfFigure(order: Order): i32 {
	return figureIsTooLarge(order) ? refusals.EXPOSURE_LIMIT : refusals.ACCEPTED;
}

/** Whether a figure of the position could come near the end of the safe integers. */
function figureIsTooLarge(order: Order): bool {
	const itself =
		order.flags & ON_CLOSE
			? largestValueAtStart(order.side, order.stake)
			: <f64>order.stake * (order.side == BACK ? MAX_PRICE : <f64>order.price);
	const known = order.position == NONE ? 0 : largestFigureOf(order.position, order.runner);
	return known + itself > marketAt(order.market).maxFigure;
}
