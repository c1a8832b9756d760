/**
 * The fields of a market that bets are judged by, two blocks. Its books follow in the same row, since each page of memory
 * costs more to find than to read; what few bets ask of its sides stands behind them.
 */

import { Arena, freeArena } from './arena';
import { allocate, at, BLOCK, free, MARKETS, NONE } from './blocks';
import { removeId, setId } from './id-index';
import { MOST_POOLS } from './pools';

/** A market's side in one pool, but for its books. */
@unmanaged
export class PoolSide {
	/** The newest position, or NONE. */
	firstPosition: i32;
	unused: i32;
	/** The id of the house's wallet; 0 where there is none. */
	house: f64;
}
const POOL_SIDE: usize = 16;

/** The status of a market: only OPEN takes and matches bets, and only a reopening leads back from ENDED. */
export const OPEN: i32 = 0;
export const SUSPENDED: i32 = 1;
export const BALL_RUNNING: i32 = 2;
export const ENDED: i32 = 3;

/** Term: a bet that would meet its own player's resting bet is refused. */
export const REFUSES_SELF_MATCH: i32 = 1;
/** Stakes that are too small for their price to be settled fairly are refused. */
export const FAIR_PROFITS: i32 = 2;
/** The house is the other side of every bet. */
export const BY_HOUSE: i32 = 4;
/** Bets are also matched across runners, by src/engine/cross-matching.ts. */
export const CROSS_MATCHES: i32 = 8;
/** A bet that meets nothing skips the bet delay. */
export const PASSIVE_GOES_IN: i32 = 16;
/** Prices are lines. */
export const ON_LINES: i32 = 32;
/** The engine keeps details of its bets besides their rows. */
export const KEEPS_DETAILS: i32 = 64;
/** State: in-play, where bets have a delay. */
export const DELAYS: i32 = 128;
/** One of several runners wins, and no runner was removed. */
export const ONE_OF_ALL_WINS: i32 = 256;
/** State: the auction of its starting prices is still to come. */
export const AUCTION: i32 = 512;

/** Bars of a runner: it was removed; it is suspended. */
export const REMOVED: i32 = 1;
export const RUNNER_SUSPENDED: i32 = 2;

@unmanaged
export class Market {
	flags: i32;
	/** OPEN, SUSPENDED, BALL_RUNNING, ENDED. */
	status: i32;
	/** As many as a position has figures for; where prices are lines, lines. */
	runners: i32;
	/** Of one bet, minor units. */
	minStake: i32;
	maxStake: i32;
	/** A table that finds positions by their wallets: its number of pairs, and of those in use. */
	slots: i32;
	slotsLength: i32;
	slotsUsed: i32;
	/** How many blocks a position has. */
	blocks: i32;
	/** The row of its price ladder. */
	ladder: i32;
	/** The row of its runners' bars, a byte each; NONE while no runner is barred. */
	bars: i32;
	/** Books of one pool: one where prices are lines, otherwise one for each runner. */
	books: i32;
	/** Its pools: a bit for each, by the pool's code. */
	pools: i32;
	/** Rises when the meaning of bets changes. */
	version: i32;
	/** Minor units, 0 for none: of a bet's profit, and of a player's exposure in this market. */
	maxProfit: f64;
	maxExposure: f64;
	/** The bound of a position's figures. */
	maxFigure: f64;
	/** Its memory: an Arena. */
	arena: u64;
	restOfArena: u64;
	id: f64;
	/** The largest stake that the house offers. */
	maxOffer: f64;
	/** Its index among the engine's markets. */
	index: i32;
	/** Bets with an unmatched part that takes part in the auction of its starting prices. */
	atStart: i32;
}
const BLOCKS: i32 = 2;

export function marketAt(row: i32): Market {
	return changetype<Market>(at(row));
}

/** How many of its pools have a lower code. */
function placeOf(market: Market, pool: i32): i32 {
	return popcnt(market.pools & ((1 << pool) - 1));
}

/** The first runner's book in a pool, the others follow; NONE where the market is not in that pool. */
export function firstBookIn(row: i32, pool: i32): i32 {
	const market = marketAt(row);
	return market.pools & (1 << pool) ? row + BLOCKS + placeOf(market, pool) * market.books : NONE;
}

/** Its first book, and how many it has in all its pools. */
export function firstBookOf(row: i32): i32 {
	return row + BLOCKS;
}
export function bookCount(row: i32): i32 {
	return popcnt(marketAt(row).pools) * marketAt(row).books;
}

/** The side of one of its pools. */
export function sideOf(row: i32, pool: i32): PoolSide {
	const market = marketAt(row);
	const first = at(row + blocksBeforeSides(market.books, market.pools));
	return changetype<PoolSide>(first + <usize>placeOf(market, pool) * POOL_SIDE);
}

/** The blocks of a market and of its books, behind which its sides begin. */
function blocksBeforeSides(books: i32, pools: i32): i32 {
	return BLOCKS + popcnt(pools) * books;
}

function blocksOfRow(books: i32, pools: i32): i32 {
	return blocksBeforeSides(books, pools) + (popcnt(pools) * <i32>POOL_SIDE + BLOCK - 1) / BLOCK;
}

/** The number of eight bytes at which a side begins, for the engine. */
export function wideOfSide(row: i32, pool: i32): i32 {
	return <i32>(changetype<usize>(sideOf(row, pool)) >> 3);
}

export function arenaOf(market: i32): Arena {
	return changetype<Arena>(at(market) + offsetof<Market>('arena'));
}

/** The id of the house's wallet in one of its pools; 0 where there is none. */
export function houseOf(row: i32, pool: i32): f64 {
	return sideOf(row, pool).house;
}

/** Whether a wallet is the house's, of whichever pool. */
export function isHouse(row: i32, walletId: f64): bool {
	const pools = marketAt(row).pools;
	for (let pool = 0; pool < MOST_POOLS; pool++) {
		if (pools & (1 << pool) && houseOf(row, pool) == walletId) return true;
	}
	return false;
}

/** The bars of a runner: REMOVED, RUNNER_SUSPENDED, both or 0. */
export function barsOf(market: Market, runner: i32): i32 {
	return market.bars == NONE ? 0 : <i32>load<u8>(at(market.bars) + <usize>runner);
}

/**
 * Adds a market without terms, which `writeTerms` of src/engine/market-row.ts writes. `addBooks` opens its books, `moveMarket`
 * gives it an index.
 * @param blocks of each position
 * @param books of each pool
 * @param pools a bit for each, by the pool's code
 */
export function addMarket(id: f64, runners: i32, blocks: i32, books: i32, pools: i32): i32 {
	const row = allocate(blocksOfRow(books, pools));
	const market = marketAt(row);
	market.id = id;
	market.runners = runners;
	market.blocks = blocks;
	market.books = books;
	market.pools = pools;
	setId(MARKETS, id, row);
	return row;
}

/** Sets its status; @param state the flags that change */
export function setState(row: i32, status: i32, version: i32, state: i32): void {
	const market = marketAt(row);
	market.status = status;
	market.version = version;
	market.flags = (market.flags & ~(DELAYS | ONE_OF_ALL_WINS | AUCTION)) | state;
}

/** Sets the bars of a runner. */
export function barRunner(row: i32, runner: i32, bars: i32): void {
	const market = marketAt(row);
	assert(runner >= 0 && runner < market.runners, 'a runner that is barred is one of its market');
	if (market.bars == NONE) market.bars = allocate(blocksOfBars(market));
	store<u8>(at(market.bars) + <usize>runner, <u8>bars);
}

function blocksOfBars(market: Market): i32 {
	return (market.runners + BLOCK - 1) / BLOCK;
}

/** Sets its index among the engine's markets. */
export function moveMarket(row: i32, index: i32): void {
	marketAt(row).index = index;
}

/** Frees the arena of a market that has ended. */
export function endMarket(market: i32): void {
	freeArena(arenaOf(market));
}

/** Frees the row of a market that has ended. */
export function forgetMarket(row: i32): void {
	const market = marketAt(row);
	removeId(MARKETS, market.id);
	if (market.bars != NONE) free(market.bars, blocksOfBars(market));
	free(row, blocksOfRow(market.books, market.pools));
}
