/** The bets of unsettled markets, a block each; the queues of the order book run through them. */

import { allocateBlock, freeBlock } from './arena';
import { at, BETS, NONE } from './blocks';
import { addDirtyRow, isTracking } from './dirty-rows';
import { arenaOf } from './markets';

export const BACK: i32 = 0;
export const LAY: i32 = 1;

/** The lowest bit of a bet's flags is its side; the highest says that its digest is stale. */
export const SIDE: i32 = 1;
export const PERSIST: i32 = 2;
export const PENDING: i32 = 4;
export const DIRTY: i32 = 1 << 30;

@unmanaged
export class Bet {
	id: f64;
	/** Σ stake × price of its fills. */
	matchedValue: f64;
	position: i32;
	runner: i32;
	flags: i32;
	rung: i32;
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

/** A bet with nothing matched, which stands in no queue and belongs to no list yet. */
export function addBet(
	market: i32,
	id: f64,
	position: i32,
	runner: i32,
	side: i32,
	price: i32,
	rung: i32,
	stake: i32,
	persist: i32,
): i32 {
	const row = allocateBlock(arenaOf(market));
	const bet = betAt(row);
	bet.id = id;
	bet.matchedValue = 0;
	bet.position = position;
	bet.runner = runner;
	bet.flags = side | (persist ? PERSIST : 0);
	bet.price = price;
	bet.rung = rung;
	bet.stake = stake;
	bet.remaining = stake;
	bet.matched = 0;
	bet.after = NONE;
	markBetDirty(row);
	return row;
}

/** Forgets a bet; its row may be the next of another of its market. */
export function removeBet(market: i32, row: i32): void {
	markBetDirty(row);
	betAt(row).stake = 0;
	freeBlock(arenaOf(market), row);
}

/** Accepted, and not in the book before its delay is over. */
export function isPending(bet: Bet): bool {
	return (bet.flags & PENDING) != 0;
}

export function markBetDirty(row: i32): void {
	const bet = betAt(row);
	if (bet.flags & DIRTY || !isTracking()) return;
	bet.flags |= DIRTY;
	addDirtyRow(row, BETS);
}
