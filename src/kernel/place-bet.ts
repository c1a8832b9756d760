/**
 * The commonest bet, at once: between players, on an open market with one winner that nobody was taken out of, on the
 * classic ladder, with funds for it beyond doubt. All others are placed step by step, by src/engine/place-bet.ts, with the
 * same outcome.
 */
import { addBet, BACK, betAt, markBetDirty } from './bets';
import { BETS, MARKETS, NONE, WALLETS } from './blocks';
import { findId, setId } from './id-index';
import { FAIR_PROFITS, LIMITED, Market, marketAt, REFUSES_OWN, sideOf, TAKES_BETS } from './markets';
import { bestFor, firstMet, newestOf, nextFor, oldestFor, recordTrade, rest, takeFrom } from './order-book';
import {
	addMatched,
	addPosition,
	addUnmatched,
	exposureOf,
	findPosition,
	holdOne,
	largestFigure,
	link,
	paiseToHold,
	positionAt,
} from './positions';
import { clearFills, clearHolds, fillAt, setPool, setPrefetched } from './report';
import { walletAt } from './wallets';

/** Hundredths; an incoming back may be filled at any better price. */
const MAX_PRICE: i32 = 100_000;
/** What no figure of a position may come near: half of the safe integers. */
const LARGEST_FIGURE: f64 = 4_503_599_627_370_496;

/** The profit in hundredths of a paisa from which on a rounding can be no fifth of it. */
const FAIR_PROFIT: i64 = 250;

/**
 * Checks everything, holds the risk, matches, lets the rest wait. All ids are of 31 bits.
 * @param rung of the price on the classic ladder, -1 when it is not on it
 * @returns the bet's row; NONE, with nothing changed, when it is not for certain that it may be placed
 */
export function placeBet(
	marketId: i32,
	walletId: i32,
	id: i32,
	runner: i32,
	side: i32,
	price: i32,
	rung: i32,
	stake: i32,
	persist: i32,
): i32 {
	const market = findId(MARKETS, marketId);
	if (market == NONE || !isTaken(marketAt(market), runner, side, price, rung, stake)) return NONE;
	const wallet = findId(WALLETS, walletId);
	if (wallet == NONE || !walletAt(wallet).isPlain) return NONE;
	const pool = walletAt(wallet).pool;
	const firstBook = sideOf(marketAt(market), pool).firstBook;
	if (firstBook == NONE) return NONE;
	const book = firstBook + runner;
	const met = firstMet(book, side, rung);
	// Read long before they are needed: memory then answers while the position is looked for.
	prefetch(met, newestOf(book, side, rung));
	const known = findPosition(market, wallet);
	const exposure =
		known == NONE
			? beginning(market, wallet, side, price, stake)
			: goingOn(market, wallet, known, book, runner, side, price, rung, stake);
	if (exposure < 0) return NONE;
	const position = known == NONE ? addPosition(market, pool, wallet) : known;
	const runners = marketAt(market).runners;
	if (known == NONE) addUnmatched(position, runners, runner, side, price, stake);
	setPool(pool);
	const row = addBet(market, id, position, runner, side, price, rung, stake, persist);
	setId(BETS, id, row);
	link(position, row);
	const fills = met == NONE ? 0 : takeFrom(book, side, row, stake, rung);
	if (fills > 0) applyFills(runners, book, row, fills);
	else clearFills();
	const left = betAt(row).remaining;
	assert(left >= 0, 'no more is matched than was asked for');
	if (left > 0) {
		positionAt(position).openValue += <f64>left * <f64>price;
		rest(book, row);
	}
	holdAll(position, fills > 0 ? exposureOf(position, runners) : exposure, runners, fills);
	return row;
}

/** Reads two bets, and whom the first belongs to; where NONE stands there are zeros. */
function prefetch(met: i32, newest: i32): void {
	setPrefetched(betAt(newest).stake + positionAt(betAt(met).position).wallet);
}

/** Whether the market takes such a bet, whoever places it. */
function isTaken(market: Market, runner: i32, side: i32, price: i32, rung: i32, stake: i32): bool {
	const flags = market.flags;
	if (!(flags & TAKES_BETS) || rung < 0 || stake < market.minStake || stake > market.maxStake || stake <= 0)
		return false;
	if (<u32>runner >= <u32>market.runners || <u32>side > 1) return false;
	const profit = <i64>stake * <i64>(price - 100);
	if (flags & FAIR_PROFITS && profit < FAIR_PROFIT) return false;
	return !(flags & LIMITED) || !(market.maxProfit > 0 && mostProfit(side, stake, profit) > market.maxProfit * 100);
}

/** The exposure of a first bet, or -1 when it may be refused. */
function beginning(market: i32, wallet: i32, side: i32, price: i32, stake: i32): f64 {
	// A single bet loses what it can lose, as there is another outcome than its own.
	const exposure = paiseToHold(<f64>stake * <f64>(side == BACK ? 100 : price - 100));
	return isCovered(market, wallet, exposure, exposure, mostValue(side, price, stake)) ? exposure : -1;
}

/** The exposure with one more bet, which then is counted as unmatched; -1, with nothing changed, when it may be refused. */
function goingOn(
	market: i32,
	wallet: i32,
	row: i32,
	book: i32,
	runner: i32,
	side: i32,
	price: i32,
	rung: i32,
	stake: i32,
): f64 {
	const runners = marketAt(market).runners;
	if (marketAt(market).flags & REFUSES_OWN && meetsOwn(book, side, rung, stake, row)) return -1;
	addUnmatched(row, runners, runner, side, price, stake);
	const exposure = exposureOf(row, runners);
	const largest = mostValue(side, price, stake) + largestFigure(row, runner);
	if (isCovered(market, wallet, exposure, exposure - positionAt(row).held, largest)) return exposure;
	addUnmatched(row, runners, runner, side, price, -stake);
	return -1;
}

/** Hundredths of a paisa. */
function mostProfit(side: i32, stake: i32, asBacker: i64): f64 {
	return side == BACK ? <f64>asBacker : <f64>stake * 100;
}

/** The largest that stake × price of a bet can come to. */
function mostValue(side: i32, price: i32, stake: i32): f64 {
	return <f64>stake * <f64>(side == BACK ? MAX_PRICE : price);
}

function isCovered(market: i32, wallet: i32, exposure: f64, more: f64, largest: f64): bool {
	const limit = marketAt(market).flags & LIMITED ? marketAt(market).maxExposure : 0;
	const funded = more <= 0 || (more <= walletAt(wallet).cash && (limit == 0 || exposure <= limit));
	return funded && largest <= LARGEST_FIGURE;
}

/** True when the bet would trade with a waiting bet of its own position. */
function meetsOwn(book: i32, side: i32, limit: i32, stake: i32, position: i32): bool {
	let wanted = stake;
	for (let rung = bestFor(book, side); rung >= 0; rung = nextFor(book, side, rung)) {
		if (side == BACK ? rung < limit : rung > limit) return false;
		for (let row = oldestFor(book, side, rung); row != NONE; row = betAt(row).newer) {
			const bet = betAt(row);
			if (bet.position == position) return true;
			wanted -= bet.remaining;
			if (wanted <= 0) return false;
		}
	}
	return false;
}

/** Counts the fills as matched, with everybody who was met and then at once with the taker. */
function applyFills(runners: i32, book: i32, taker: i32, fills: i32): void {
	let stake: f64 = 0;
	let value: f64 = 0;
	let price = 0;
	for (let index = 0; index < fills; index++) {
		const fill = fillAt(index);
		const maker = betAt(fill.maker);
		const worth = <f64>fill.stake * <f64>maker.price;
		const position = positionAt(maker.position);
		position.openValue -= worth;
		assert(position.openValue >= 0, 'the stake that a position has in the book is never below zero');
		match(fill.maker, runners, fill.stake, worth);
		price = maker.price;
		stake += <f64>fill.stake;
		value += worth;
	}
	match(taker, runners, <i32>stake, value);
	recordTrade(book, price, stake);
}

/** Turns a part of a bet from unmatched into matched. */
function match(row: i32, runners: i32, stake: i32, value: f64): void {
	const bet = betAt(row);
	bet.matched += stake;
	bet.matchedValue += value;
	assert(bet.matched + bet.remaining <= bet.stake, 'matched and remaining are together no more than the stake');
	markBetDirty(row);
	addUnmatched(bet.position, runners, bet.runner, bet.side, bet.price, -stake);
	addMatched(bet.position, bet.runner, bet.side, value, <f64>stake);
}

/** Holds what the taker's exposure asks now, and then that of everybody who was met. */
function holdAll(taker: i32, exposure: f64, runners: i32, fills: i32): void {
	clearHolds();
	holdOne(taker, exposure);
	for (let index = 0; index < fills; index++) {
		const position = betAt(fillAt(index).maker).position;
		if (position != taker) holdOne(position, exposureOf(position, runners));
	}
}
