/** What a bet needs to know of its market, a line each. */
import { at, NONE, OTHERS, take } from './lines';

/** What a market holds for one pool. */
@unmanaged
export class PoolSide {
	/** The first runner's book; the others follow. */
	firstBook: i32;
	/** The newest position, or NONE. */
	firstPosition: i32;
}
const POOL_SIDE: usize = 8;

@unmanaged
export class Market {
	/** Its place among the engine's markets. */
	index: i32;
	runners: i32;
	/** How many lines a position has. */
	lines: i32;
	/** Nobody may be matched with himself. */
	refusesOwn: i32;
	/** Of one player, paise; 0 sets no limit. */
	maxExposure: f64;
	/** Where its positions are found by their wallets: a table of so many pairs, of which so many are used. */
	slots: i32;
	slotsLength: i32;
	slotsUsed: i32;
	reserved: i32;
	/** One each pool, at most three. */
	firstSide: PoolSide;
}

// @ts-ignore: decorator
@inline
export function marketAt(row: i32): Market {
	return changetype<Market>(at(row));
}

// @ts-ignore: decorator
@inline
export function sideOf(market: Market, place: i32): PoolSide {
	return changetype<PoolSide>(changetype<usize>(market) + offsetof<Market>('firstSide') + <usize>place * POOL_SIDE);
}

export function addMarket(index: i32, runners: i32, lines: i32, refusesOwn: i32, maxExposure: f64): i32 {
	const row = take(OTHERS, 1);
	const market = marketAt(row);
	market.index = index;
	market.runners = runners;
	market.lines = lines;
	market.refusesOwn = refusesOwn;
	market.maxExposure = maxExposure;
	return row;
}

/** Its books of one pool, by the pool's place among the market's. */
export function addSide(market: i32, place: i32, firstBook: i32): void {
	const side = sideOf(marketAt(market), place);
	side.firstBook = firstBook;
	side.firstPosition = NONE;
}
