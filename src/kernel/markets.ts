/** The fields of a market that bets are judged by, six blocks each; a bet in one of the first pools reads the first three. */

import { Arena, freeArena } from './arena';
import { allocate, at, BLOCK, free, MARKETS, NONE } from './blocks';
import { removeId, setId } from './id-index';
import { MOST_POOLS } from './pools';

/** A market's side in one pool. */
@unmanaged
export class PoolSide {
	/** The first runner's book, the others follow; NONE where the market is not in that pool. */
	firstBook: i32;
	/** The newest position, or NONE. */
	firstPosition: i32;
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
	/** Its index among the engine's markets. */
	index: i32;
	/** How many blocks a position has. */
	blocks: i32;
	/** The row of its price ladder. */
	ladder: i32;
	/** The row of its runners' bars, a byte each; NONE while no runner is barred. */
	bars: i32;
	/** Rises when the meaning of bets changes. */
	version: i32;
	/** Books of one pool: one where prices are lines, otherwise one for each runner. */
	books: i32;
	/** Minor units, 0 for none: of a bet's profit, and of a player's exposure in this market. */
	maxProfit: f64;
	maxExposure: f64;
	/** The bound of a position's figures. */
	maxFigure: f64;
	id: f64;
	/** Its memory: an Arena. */
	arena: u64;
	restOfArena: u64;
	/** The largest stake that the house offers. */
	maxOffer: f64;
	/** Bets with an unmatched part that takes part in the auction of its starting prices. */
	atStart: i32;
	unused: i32;
	/** So that the sides begin a block. */
	unusedToo: u64;
	/** One for each pool, by the pool's code, as many as MOST_POOLS; each is a PoolSide. They end the row. */
	sides: u64;
}
const BLOCKS: i32 = 6;

export function marketAt(row: i32): Market {
	return changetype<Market>(at(row));
}

export function sideOf(market: Market, pool: i32): PoolSide {
	return changetype<PoolSide>(changetype<usize>(market) + offsetof<Market>('sides') + <usize>pool * POOL_SIDE);
}

export function arenaOf(market: i32): Arena {
	return changetype<Arena>(at(market) + offsetof<Market>('arena'));
}

/** The id of the house's wallet in a pool; 0 where there is none. */
export function houseOf(market: Market, pool: i32): f64 {
	return sideOf(market, pool).house;
}

/** Whether a wallet is the house's, of whichever pool. */
export function isHouse(market: Market, walletId: f64): bool {
	for (let pool = 0; pool < MOST_POOLS; pool++) if (houseOf(market, pool) == walletId) return true;
	return false;
}

/** The bars of a runner: REMOVED, RUNNER_SUSPENDED, both or 0. */
export function barsOf(market: Market, runner: i32): i32 {
	return market.bars == NONE ? 0 : <i32>load<u8>(at(market.bars) + <usize>runner);
}

/** Adds a market without terms, which `setTerms` of src/engine/market-row.ts writes; @param blocks of each position */
export function addMarket(id: f64, index: i32, runners: i32, blocks: i32): i32 {
	const row = allocate(BLOCKS);
	const market = marketAt(row);
	market.id = id;
	market.index = index;
	market.runners = runners;
	market.blocks = blocks;
	setId(MARKETS, id, row);
	return row;
}

/** Its books of one pool, by the pool's code. */
export function addSide(market: i32, pool: i32, firstBook: i32): void {
	sideOf(marketAt(market), pool).firstBook = firstBook;
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
	free(row, BLOCKS);
}
