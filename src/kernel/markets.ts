/** What a bet needs to know of its market, two blocks each: what every bet asks for stands in the first. */

import { Arena, freeArena } from './arena';
import { allocate, at, free, MARKETS } from './blocks';
import { removeId, setId } from './id-index';

/** What a market holds for one pool. */
@unmanaged
export class PoolSide {
	/** The first runner's book, the others follow; NONE where the market is not in that pool. */
	firstBook: i32;
	/** The newest position, or NONE. */
	firstPosition: i32;
}
const POOL_SIDE: usize = 8;

/** Bets may be placed at once: see place-bet.ts. */
export const TAKES_BETS: i32 = 1;
/** Nobody may be matched with himself. */
export const REFUSES_OWN: i32 = 2;
/** Stakes that are too small for their price to be paid fairly are refused. */
export const FAIR_PROFITS: i32 = 4;
/** There is a largest profit of a bet or a largest exposure of a player. */
export const LIMITED: i32 = 8;
/** One of several runners wins, and each there was still can. */
export const ONE_OF_ALL_WINS: i32 = 16;
/** More is remembered of its bets than their rows say. */
export const REMEMBERS: i32 = 32;

@unmanaged
export class Market {
	flags: i32;
	runners: i32;
	/** Of one bet, paise. */
	minStake: i32;
	maxStake: i32;
	/** Where its positions are found by their wallets: a table of so many pairs, of which so many are used. */
	slots: i32;
	slotsLength: i32;
	slotsUsed: i32;
	reserved: i32;
	/** One each pool, by the pool's code; each is a PoolSide. */
	sides: u64;
	sideOfSecond: u64;
	sideOfThird: u64;
	/** Its place among the engine's markets. */
	index: i32;
	/** How many blocks a position has. */
	blocks: i32;
	/** Paise, 0 for none. */
	maxExposure: f64;
	maxProfit: f64;
	id: f64;
	/** Where its memory is; a Arena. */
	arena: u64;
	restOfArena: u64;
}
const BLOCKS: i32 = 2;

export function marketAt(row: i32): Market {
	return changetype<Market>(at(row));
}

export function sideOf(market: Market, pool: i32): PoolSide {
	return changetype<PoolSide>(changetype<usize>(market) + offsetof<Market>('sides') + <usize>pool * POOL_SIDE);
}

export function arenaOf(market: i32): Arena {
	return changetype<Arena>(at(market) + offsetof<Market>('arena'));
}

/** Frees the arena of a market that has ended. */
export function endMarket(market: i32): void {
	freeArena(arenaOf(market));
}

/** @param flags those that it has for ever */
export function addMarket(
	id: f64,
	index: i32,
	flags: i32,
	runners: i32,
	blocks: i32,
	minStake: i32,
	maxStake: i32,
	maxProfit: f64,
	maxExposure: f64,
): i32 {
	const row = allocate(BLOCKS);
	const market = marketAt(row);
	market.id = id;
	market.index = index;
	market.flags = flags | (maxProfit > 0 || maxExposure > 0 ? LIMITED : 0);
	market.runners = runners;
	market.blocks = blocks;
	market.minStake = minStake;
	market.maxStake = maxStake;
	market.maxProfit = maxProfit;
	market.maxExposure = maxExposure;
	return row;
}

/** Lets the market be found by an id of 31 bits. */
export function nameMarket(id: i32, row: i32): void {
	setId(MARKETS, id, row);
}

/** Frees the row of a market that has ended; @param id what it is found by, below zero for nothing */
export function forgetMarket(row: i32, id: i32): void {
	if (id >= 0) removeId(MARKETS, id);
	free(row, BLOCKS);
}

/** Its place among the engine's markets is another now. */
export function moveMarket(row: i32, index: i32): void {
	marketAt(row).index = index;
}

/** Its books of one pool, by the pool's code. */
export function addSide(market: i32, pool: i32, firstBook: i32): void {
	sideOf(marketAt(market), pool).firstBook = firstBook;
}

/** Whether bets may be placed at once from now on, and whether one of all runners wins. */
export function setState(row: i32, takesBets: i32, oneOfAllWins: i32): void {
	const market = marketAt(row);
	const state = (takesBets ? TAKES_BETS : 0) | (oneOfAllWins ? ONE_OF_ALL_WINS : 0);
	market.flags = (market.flags & ~(TAKES_BETS | ONE_OF_ALL_WINS)) | state;
}
