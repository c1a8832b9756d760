/** The bets of unsettled markets, a block each; the queues of the order book run through them. */

import { allocateBlock, freeBlock } from './arena';
import { at, BETS, NONE } from './blocks';
import { addDirtyRow, isTracking } from './dirty-rows';
import { removeId, setId } from './id-index';
import { arenaOf } from './markets';
import { AT_START, KEPT, ON_CLOSE, Order, PERSIST as PERSISTS, theOrder } from './orders';

export const BACK: i32 = 0;
export const LAY: i32 = 1;

/** The lowest bit of a bet's flags is its side; the highest marks it dirty. */
export const SIDE: i32 = 1;
export const PERSIST: i32 = 2;
/** In its delay. */
export const DELAYED: i32 = 4;
// From 8 to 2048 stand the terms of its order: see KEPT and AT_START in orders.ts.
/** A plan follows the bet: the engine hears of each change of it. */
export const FOLLOWED: i32 = 1 << 28;
export const DIRTY: i32 = 1 << 30;

/** A bet that a plan follows changed, or is about to. */
declare function followedBetChanged(id: f64): void;

@unmanaged
export class Bet {
	id: f64;
	/** Σ stake × price of its fills. */
	matchedValue: f64;
	position: i32;
	runner: i32;
	flags: i32;
	/** Of a bet on close, that of its limit. */
	tick: i32;
	price: i32;
	/** 0 in a row without a bet. */
	stake: i32;
	remaining: i32;
	matched: i32;
	/** Neighbours in the queue of its price. */
	older: i32;
	newer: i32;
	/** Neighbours among the bets of its position. */
	before: i32;
	after: i32;

	get side(): i32 {
		return this.flags & SIDE;
	}
}

export function betAt(row: i32): Bet {
	return changetype<Bet>(at(row));
}

/** Bet ids rise: the last one assigned. */
let lastId: f64 = 0;

export function lastBetId(): f64 {
	return lastId;
}

export function setLastBetId(id: f64): void {
	lastId = id;
}

/** Adds the bet of an order, with nothing matched, in no queue and in no list. */
export function addBet(order: Order): i32 {
	const row = allocateBlock(arenaOf(order.market));
	const bet = betAt(row);
	bet.id = order.id;
	bet.matchedValue = 0;
	bet.position = order.position;
	bet.runner = order.runner;
	bet.flags = order.side | (order.flags & PERSISTS ? PERSIST : 0) | (order.flags & (KEPT | AT_START));
	bet.price = order.price;
	bet.tick = order.tick;
	bet.stake = order.stake;
	bet.remaining = order.stake;
	bet.matched = 0;
	bet.after = NONE;
	setId(BETS, order.id, row);
	markBetDirty(row);
	return row;
}

/** Adds the bet of `theOrder`, for a book that is used without players. */
export function addBetAlone(): i32 {
	return addBet(theOrder());
}

/** Forgets a bet of a market; its row is free for another. */
export function removeBet(market: i32, row: i32): void {
	markBetDirty(row);
	removeId(BETS, betAt(row).id);
	betAt(row).stake = 0;
	freeBlock(arenaOf(market), row);
}

/** Whether the bet is in its delay: accepted, and not in the book yet. */
export function isDelayed(bet: Bet): bool {
	return (bet.flags & DELAYED) != 0;
}

/** Whether the bet is on close: accepted, and outside the book until the auction of the starting price. */
export function isOnClose(bet: Bet): bool {
	return (bet.flags & ON_CLOSE) != 0;
}

/** Every change of a bet passes here. */
export function markBetDirty(row: i32): void {
	const bet = betAt(row);
	if (bet.flags & FOLLOWED) followedBetChanged(bet.id);
	if (bet.flags & DIRTY || !isTracking()) return;
	bet.flags |= DIRTY;
	addDirtyRow(row, BETS);
}
