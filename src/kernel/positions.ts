/**
 * Each player's possible results in each market: the held money, the open bets, and the figures, numbers of eight
 * bytes. src/values/exposure.ts defines them, and computes with them in every market except those with one winner and
 * no removed runner. These are the most frequent, and are computed here.
 */

import { allocateIn } from './arena';
import { BACK, betAt } from './bets';
import { allocate, at, free, NONE, POSITIONS } from './blocks';
import { addDirtyRow, isTracking } from './dirty-rows';
import * as figures from './figures';
import { arenaOf, firstBookIn, Market, marketAt, ONE_OF_ALL_WINS, sideOf } from './markets';
import { stepOf } from './pools';

/** The wallet of a forgotten position. */
export const FORGOTTEN: i32 = -1;
export const MARKET_BITS: i32 = 5;
/** Of the pool's code, after a shift: room for MOST_POOLS. */
export const POOL_MASK: i32 = 15;

@unmanaged
export class Position {
	/** Minor units held in the wallet's exposure account. */
	held: f64;
	/** Minor units that a wallet which quotes sets aside for its unmatched bets. */
	setAside: f64;
	/** Σ stake × price of its resting bets. */
	openValue: f64;
	wallet: i32;
	/** The market's row, four bits of the pool's code, and one that marks the row dirty. */
	market: i32;
	/** Newest of its bets. */
	lastBet: i32;
	/** The next position of the same market and pool. */
	next: i32;
	/**
	 * The part that all outcomes share; then the stakes of unmatched backs; then the figures of each runner, see `gain`
	 * and those below it.
	 */
	base: f64;
	unmatchedBacks: f64;
}
const NUMBER: usize = 8;

export function positionAt(row: i32): Position {
	return changetype<Position>(at(row));
}

/** Its market's row. */
export function marketOf(row: i32): i32 {
	return positionAt(row).market >> MARKET_BITS;
}

/** Its pool's code. */
export function poolOf(row: i32): i32 {
	return (positionAt(row).market >> 1) & POOL_MASK;
}

/** Where the figures of a runner begin: the gain of its win, then its unmatched backs, then its lays. */
function gainOf(row: i32, runner: i32): usize {
	return at(row) + offsetof<Position>() + <usize>runner * NUMBER;
}

function add(number: usize, amount: f64): void {
	store<f64>(number, load<f64>(number) + amount);
}

function hasOneWinner(market: Market): bool {
	return (market.flags & ONE_OF_ALL_WINS) != 0;
}

/** The book that a bet is in, or would be after its delay. */
export function bookOf(betRow: i32): i32 {
	const bet = betAt(betRow);
	return firstBookIn(marketOf(bet.position), poolOf(bet.position)) + bet.runner;
}

/** The position of a wallet, or NONE. */
export function findPosition(row: i32, wallet: i32): i32 {
	const market = marketAt(row);
	if (market.slotsLength == 0) return NONE;
	const slot = slotOf(market, wallet);
	return load<i32>(slot, 4);
}

/** Adds an empty position, first in its side's list. */
export function addPosition(marketRow: i32, pool: i32, wallet: i32): i32 {
	const market = marketAt(marketRow);
	const row = allocateIn(arenaOf(marketRow), market.blocks);
	const position = positionAt(row);
	const side = sideOf(marketRow, pool);
	position.wallet = wallet;
	position.market = (marketRow << MARKET_BITS) | (pool << 1);
	position.next = side.firstPosition;
	side.firstPosition = row;
	if ((market.slotsUsed + 1) * 3 > market.slotsLength * 2) widenSlots(marketRow);
	enter(market, wallet, row);
	market.slotsUsed++;
	return row;
}

let blank: i32 = NONE;
let blankBlocks: i32 = 0;

/** An empty position outside all lists, to judge a wallet's first bet by; the caller removes what it counts in. */
export function blankPosition(marketRow: i32, pool: i32, wallet: i32): i32 {
	const blocks = marketAt(marketRow).blocks;
	if (blocks > blankBlocks) {
		if (blank != NONE) free(blank, blankBlocks);
		blank = allocate(blocks);
		blankBlocks = blocks;
	}
	const position = positionAt(blank);
	position.wallet = wallet;
	position.market = (marketRow << MARKET_BITS) | (pool << 1);
	return blank;
}

/** Forgets every position of a pool. */
export function clearPositions(marketRow: i32, pool: i32): void {
	const market = marketAt(marketRow);
	const side = sideOf(marketRow, pool);
	for (let row = side.firstPosition; row != NONE; ) {
		const position = positionAt(row);
		const next = position.next;
		markPositionDirty(row);
		position.wallet = FORGOTTEN;
		row = next;
	}
	side.firstPosition = NONE;
	market.slotsLength = 0;
	market.slotsUsed = 0;
}

export function markPositionDirty(row: i32): void {
	const position = positionAt(row);
	if (position.market & 1 || !isTracking()) return;
	position.market |= 1;
	addDirtyRow(row, POSITIONS);
}

/** Links a new bet of this position. */
export function link(row: i32, betRow: i32): void {
	const position = positionAt(row);
	const bet = betAt(betRow);
	bet.before = position.lastBet;
	if (position.lastBet != NONE) betAt(position.lastBet).after = betRow;
	position.lastBet = betRow;
	markPositionDirty(row);
}

/** Unlinks a bet from its neighbours. */
export function unlink(row: i32, betRow: i32): void {
	const bet = betAt(betRow);
	if (bet.before != NONE) betAt(bet.before).after = bet.after;
	if (bet.after != NONE) betAt(bet.after).before = bet.before;
	else positionAt(row).lastBet = bet.before;
}

/** Adds an unmatched order; a negative stake removes one. */
export function addUnmatched(row: i32, runner: i32, side: i32, price: i32, stake: i32): void {
	const market = marketAt(marketOf(row));
	if (!hasOneWinner(market)) {
		figures.addUnmatched(row, runner, side, price, stake);
		return;
	}
	const gain = gainOf(row, runner);
	const size = <usize>market.runners * NUMBER;
	if (side == BACK) {
		const exact = <f64>stake * 100;
		positionAt(row).unmatchedBacks += exact;
		add(gain + size, exact);
	} else add(gain + 2 * size, <f64>stake * <f64>(price - 100));
}

/**
 * Adds a matched part by its stake and its value, Σ stake × price; negative ones remove it. On a line it is a single
 * fill.
 */
export function addMatched(row: i32, runner: i32, side: i32, value: f64, stake: i32): void {
	if (!hasOneWinner(marketAt(marketOf(row)))) {
		figures.addMatched(row, runner, side, value, stake);
		return;
	}
	const exact = <f64>stake * 100;
	positionAt(row).base += side == BACK ? -exact : exact;
	add(gainOf(row, runner), side == BACK ? value : -value);
}

/** The lower of two figures, without a branch: which runner is the worst cannot be predicted. */
function lower(one: f64, other: f64): f64 {
	return f64x2.extract_lane(f64x2.pmin(f64x2.splat(one), f64x2.splat(other)), 0);
}

/** Minor units to be held: the worst outcome, with every unmatched order counted against the player. */
export function exposureOf(row: i32): f64 {
	const market = marketAt(marketOf(row));
	if (!hasOneWinner(market)) return figures.exposure(row);
	const position = positionAt(row);
	const size = <usize>market.runners * NUMBER;
	const end = gainOf(row, 0) + size;
	let least: f64 = Infinity;
	for (let gain = gainOf(row, 0); gain < end; gain += NUMBER) {
		least = lower(least, load<f64>(gain) + load<f64>(gain + size) - load<f64>(gain + 2 * size));
	}
	return minorToHold(row, position.base - position.unmatchedBacks + least);
}

/** The same with its matched bets alone. */
export function matchedExposureOf(row: i32): f64 {
	const market = marketAt(marketOf(row));
	if (!hasOneWinner(market)) return figures.matchedExposure(row);
	let least: f64 = Infinity;
	for (let runner = 0; runner < market.runners; runner++) least = lower(least, load<f64>(gainOf(row, runner)));
	return minorToHold(row, positionAt(row).base + least);
}

/** Whole coins of the position's pool that cover an exact worst outcome; 0 when it is a profit. */
function minorToHold(row: i32, worst: f64): f64 {
	if (worst >= 0) return 0;
	const minor = ceil(-worst / 100);
	const step = stepOf(poolOf(row));
	return step == 1 ? minor : ceil(minor / step) * step;
}

/** The bound of its figures: those matched on that runner, and everything open. */
export function largestFigureOf(row: i32, runner: i32): f64 {
	const position = positionAt(row);
	if (!hasOneWinner(marketAt(marketOf(row)))) return position.openValue + figures.largestFigure(row, runner);
	return position.openValue + abs(position.base) + abs(load<f64>(gainOf(row, runner)));
}

/** A wallet and its position, side by side. */
const PAIR: i32 = 8;
const FIRST_SLOTS: i32 = 8;

function blocksOfSlots(length: i32): i32 {
	return length / FIRST_SLOTS;
}

/** The pair of a wallet, or the empty one in its place. Open addressing. */
function slotOf(market: Market, wallet: i32): usize {
	const mask = market.slotsLength - 1;
	const hash: u32 = <u32>wallet * 0x9e3779b1;
	let slot = <i32>(hash ^ (hash >>> 15)) & mask;
	let pair = at(market.slots) + <usize>(slot * PAIR);
	while (load<i32>(pair) != wallet && load<i32>(pair) != NONE) {
		slot = (slot + 1) & mask;
		pair = at(market.slots) + <usize>(slot * PAIR);
	}
	return pair;
}

function enter(market: Market, wallet: i32, position: i32): void {
	const slot = slotOf(market, wallet);
	store<i32>(slot, wallet);
	store<i32>(slot, position, 4);
}

function widenSlots(marketRow: i32): void {
	const market = marketAt(marketRow);
	const length = market.slotsLength;
	const old = market.slots;
	market.slotsLength = length == 0 ? FIRST_SLOTS : length * 2;
	market.slots = allocateIn(arenaOf(marketRow), blocksOfSlots(market.slotsLength));
	for (let pair = at(old), end = pair + <usize>(length * PAIR); pair < end; pair += PAIR) {
		if (load<i32>(pair) != NONE) enter(market, load<i32>(pair), load<i32>(pair, 4));
	}
}
