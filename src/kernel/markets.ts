/** What a bet needs to know of its market, a line each. */
import { at, OTHERS, take } from './lines';

/** What a market holds for one pool. */
@unmanaged
export class PoolSide {
	/** The first runner's book, the others follow; NONE where the market is not in that pool. */
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
	/** One each pool, by the pool's code. */
	firstSide: PoolSide;
}

export function marketAt(row: i32): Market {
	return changetype<Market>(at(row));
}

export function sideOf(market: Market, pool: i32): PoolSide {
	return changetype<PoolSide>(changetype<usize>(market) + offsetof<Market>('firstSide') + <usize>pool * POOL_SIDE);
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

/** Its books of one pool, by the pool's code. */
export function addSide(market: i32, pool: i32, firstBook: i32): void {
	sideOf(marketAt(market), pool).firstBook = firstBook;
}
