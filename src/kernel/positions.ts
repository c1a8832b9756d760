/**
 * What each player stands to win and lose in each market: what is held for it, what is open, and its figures, numbers of
 * eight bytes. Their meaning, and what they come to in every kind of market, is in src/values/exposure.ts; here are the
 * figures of a market with one winner, the commonest.
 */

import { allocateIn } from './arena';
import { BACK, betAt } from './bets';
import { at, NONE, POSITIONS } from './blocks';
import { addDirtyRow, isTracking } from './dirty-rows';
import { arenaOf, Market, marketAt, sideOf } from './markets';
import { addHeld } from './report';
import { reserve, walletAt } from './wallets';

/** No wallet's: of a position that was forgotten. */
export const FORGOTTEN: i32 = -1;
export const MARKET_BITS: i32 = 3;

@unmanaged
export class Position {
	/** Paise held in the wallet's exposure account. */
	held: f64;
	/** Σ stake × price of its resting bets: what may still be matched. */
	openValue: f64;
	wallet: i32;
	/** The market's row, then two bits for the pool's code, then one: the digest has yet to hear. */
	market: i32;
	/** Newest of its bets. */
	lastBet: i32;
	/** The next of the same market and pool. */
	next: i32;
	/** What all outcomes share; then the stakes of unmatched backs; then of each runner, see `gain` and those below it. */
	base: f64;
	unmatchedBacks: f64;
}
const NUMBER: usize = 8;
const GAINS: usize = 48;

export function positionAt(row: i32): Position {
	return changetype<Position>(at(row));
}

/** Its market's row. */
export function marketOf(row: i32): i32 {
	return positionAt(row).market >> MARKET_BITS;
}

/** Its pool's code. */
export function poolOf(row: i32): i32 {
	return (positionAt(row).market >> 1) & 3;
}

/** Where the figures of a runner begin: what its win adds; as many numbers on, its unmatched backs; then its lays. */
function gainOf(row: i32, runner: i32): usize {
	return at(row) + GAINS + <usize>runner * NUMBER;
}

function add(number: usize, amount: f64): void {
	store<f64>(number, load<f64>(number) + amount);
}

/** The position of a wallet, or NONE. */
export function findPosition(row: i32, wallet: i32): i32 {
	const market = marketAt(row);
	if (market.slotsLength == 0) return NONE;
	const slot = slotOf(market, wallet);
	return load<i32>(slot, 4);
}

/** A new position with nothing in it, first in its side's list. */
export function addPosition(marketRow: i32, pool: i32, wallet: i32): i32 {
	const market = marketAt(marketRow);
	const row = allocateIn(arenaOf(marketRow), market.blocks);
	const position = positionAt(row);
	const side = sideOf(market, pool);
	position.wallet = wallet;
	position.market = (marketRow << MARKET_BITS) | (pool << 1);
	position.next = side.firstPosition;
	side.firstPosition = row;
	if ((market.slotsUsed + 1) * 3 > market.slotsLength * 2) widenSlots(marketRow);
	enter(market, wallet, row);
	market.slotsUsed++;
	return row;
}

/** Forgets every position of a pool. */
export function clearPositions(marketRow: i32, pool: i32): void {
	const market = marketAt(marketRow);
	const side = sideOf(market, pool);
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

/** A new bet of this position. */
export function link(row: i32, betRow: i32): void {
	const position = positionAt(row);
	const bet = betAt(betRow);
	bet.before = position.lastBet;
	if (position.lastBet != NONE) betAt(position.lastBet).after = betRow;
	position.lastBet = betRow;
	markPositionDirty(row);
}

/** Joins the neighbours of a bet that goes. */
export function unlink(row: i32, betRow: i32): void {
	const bet = betAt(betRow);
	if (bet.before != NONE) betAt(bet.before).after = bet.after;
	if (bet.after != NONE) betAt(bet.after).before = bet.before;
	else positionAt(row).lastBet = bet.before;
}

/** Adds (or with a negative stake takes away) an unmatched order. */
export function addUnmatched(row: i32, runners: i32, runner: i32, side: i32, price: i32, stake: i32): void {
	const gain = gainOf(row, runner);
	const size = <usize>runners * NUMBER;
	if (side == BACK) {
		const exact = <f64>stake * 100;
		positionAt(row).unmatchedBacks += exact;
		add(gain + size, exact);
	} else add(gain + 2 * size, <f64>stake * <f64>(price - 100));
}

/** Adds a matched part by its stake and its value, Σ stake × price. */
export function addMatched(row: i32, runner: i32, side: i32, value: f64, stake: f64): void {
	positionAt(row).base += side == BACK ? -stake * 100 : stake * 100;
	add(gainOf(row, runner), side == BACK ? value : -value);
}

/** What must be held with one winner, paise: the worst outcome, with every unmatched order counted against the player. */
export function exposureOf(row: i32, runners: i32): f64 {
	const position = positionAt(row);
	const size = <usize>runners * NUMBER;
	const end = at(row) + GAINS + size;
	let least: f64 = Infinity;
	for (let gain = at(row) + GAINS; gain < end; gain += NUMBER) {
		const difference = load<f64>(gain) + load<f64>(gain + size) - load<f64>(gain + 2 * size);
		if (difference < least) least = difference;
	}
	const worst = position.base - position.unmatchedBacks + least;
	return worst < 0 ? paiseToHold(-worst) : 0;
}

/** How large its figures are and may become: matched on that runner, and all that is open. */
export function largestFigure(row: i32, runner: i32): f64 {
	const position = positionAt(row);
	return position.openValue + abs(position.base) + abs(load<f64>(gainOf(row, runner)));
}

/** Whole paise that cover an exact amount. */
export function paiseToHold(exact: f64): f64 {
	const whole = floor(exact / 100);
	return exact - whole * 100 > 0 ? whole + 1 : whole;
}

/**
 * Brings the money held to what the exposure asks, as far as the wallet's cash goes: what a removed runner lifts it to can
 * be more, and is then asked for as soon as some comes free. Of a wallet that quotes the caller knows how far it goes.
 * @returns what was moved into the exposure account, below zero out of it
 */
export function hold(row: i32, exposure: f64): f64 {
	markPositionDirty(row);
	const position = positionAt(row);
	const wallet = walletAt(position.wallet);
	let change = exposure - position.held;
	if (change > 0 && !wallet.isQuoting) change = min(change, max(wallet.cash, 0));
	if (change == 0) return 0;
	position.held += change;
	reserve(position.wallet, change);
	return change;
}

/**
 * The same, reported; of somebody who was met twice nothing is asked the second time. What a wallet that quotes has to
 * hold is reckoned outside: it is reported with a change of 0.
 */
export function holdOne(position: i32, exposure: f64): void {
	const wallet = walletAt(positionAt(position).wallet);
	const change = wallet.isQuoting ? 0 : hold(position, exposure);
	if (change == 0 && !wallet.isQuoting) return;
	addHeld(wallet.id, change, wallet.cash);
}

/** A wallet and its position, side by side. */
const PAIR: i32 = 8;
const FIRST_SLOTS: i32 = 8;

function blocksOfSlots(length: i32): i32 {
	return length / FIRST_SLOTS;
}

/** The pair of a wallet, or the empty one where it would stand. Open addressing. */
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
