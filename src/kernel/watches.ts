/**
 * What concerns the triggers of a book and its plans: two bounds for each price that they watch, between which no price concerns
 * one; of plans also whether a bet that one follows changed. What concerns bets that lapse with the book's volume: the least
 * volume at which one may lapse. Bets of groups every change concerns. src/engine/triggers has the triggers and the plans,
 * src/engine/volume-limits.ts and order-groups.ts the bets.
 */
import { BACK } from './bets';
import { allocate, at, BLOCK, free, NONE } from './blocks';

/** Prices that triggers watch: of the last fill, and the best one that a backer and a layer can take. */
export const LAST: i32 = 0;
export const BACKERS: i32 = 1;
export const LAYERS: i32 = 2;
/** Added to one of these: the same price as plans watch it. Bets of pegs are no best price for them. */
export const PLANS: i32 = 5;

/** The bounds of a price: of the last fill they are prices, of the others ticks. */
@unmanaged
class Bounds {
	below: i32;
	above: i32;
}
const BOUNDS: usize = 8;
/** Between the bounds of triggers and those of plans. */
const VOLUME: usize = 24;
const HAS_GROUPS: usize = 32;
const HAS_TOUCHED: usize = 36;
/** In the second block: the row of what bets of pegs have in the book, NONE before the first one, and the ticks of its ladder. */
const PEGS: usize = 64;
const TICKS: usize = 68;
const WATCH_BLOCKS: i32 = 2;
const NUMBER: i32 = 8;

function boundsOf(watch: i32, price: i32): Bounds {
	return changetype<Bounds>(at(watch) + <usize>price * BOUNDS);
}

/** Adds bounds that nothing passes. */
export function addWatch(): i32 {
	const watch = allocate(WATCH_BLOCKS);
	for (let price = LAST; price <= LAYERS; price++) {
		bound(watch, price, i32.MIN_VALUE, i32.MAX_VALUE);
		bound(watch, PLANS + price, i32.MIN_VALUE, i32.MAX_VALUE);
	}
	boundVolume(watch, Infinity);
	follow(watch, 0);
	notePlans(watch, 0);
	return watch;
}

export function removeWatch(watch: i32): void {
	const pegs = load<i32>(at(watch) + PEGS);
	if (pegs != NONE) free(pegs, blocksOfPegs(load<i32>(at(watch) + TICKS)));
	free(watch, WATCH_BLOCKS);
}

/** Sets the bounds of a price: it concerns a trigger or a plan from one down, and from the other up. */
export function bound(watch: i32, price: i32, below: i32, above: i32): void {
	const bounds = boundsOf(watch, price);
	bounds.below = below;
	bounds.above = above;
}

/** Sets the volume from which on a bet may lapse, minor units. */
export function boundVolume(watch: i32, volume: f64): void {
	store<f64>(at(watch) + VOLUME, volume);
}

/** Whether at that volume a bet may lapse. */
export function isVolumeReached(watch: i32, volume: f64): bool {
	return volume >= load<f64>(at(watch) + VOLUME);
}

/** Whether bets of groups are in the book: every change concerns them. */
export function follow(watch: i32, hasGroups: i32): void {
	store<i32>(at(watch) + HAS_GROUPS, hasGroups);
}

export function isFollowed(watch: i32): bool {
	return load<i32>(at(watch) + HAS_GROUPS) != 0;
}

/** Whether the next look has to visit plans of the book, whatever its prices are. */
export function notePlans(watch: i32, hasTouched: i32): void {
	store<i32>(at(watch) + HAS_TOUCHED, hasTouched);
}

export function hasTouchedPlans(watch: i32): bool {
	return load<i32>(at(watch) + HAS_TOUCHED) != 0;
}

/** Whether any price is outside the bounds. */
export function isBounded(watch: i32, price: i32): bool {
	const bounds = boundsOf(watch, price);
	return bounds.below >= 0 || bounds.above != i32.MAX_VALUE;
}

/** Whether what a price did, from the lowest to the highest, may concern a trigger or a plan. */
export function isConcerned(watch: i32, price: i32, lowest: i32, highest: i32): bool {
	const bounds = boundsOf(watch, price);
	return lowest <= bounds.below || highest >= bounds.above;
}

/** By side and tick, minor units. */
function blocksOfPegs(ticks: i32): i32 {
	return (2 * ticks * NUMBER + BLOCK - 1) / BLOCK;
}

function pegsAt(watch: i32, side: i32, tick: i32): usize {
	const index = side == BACK ? tick : load<i32>(at(watch) + TICKS) + tick;
	return at(load<i32>(at(watch) + PEGS)) + <usize>(index * NUMBER);
}

/** Adds to what bets of pegs have at a tick of the book. @param ticks of its ladder @param stake minor units, below zero for less */
export function countPegs(watch: i32, ticks: i32, side: i32, tick: i32, stake: f64): void {
	if (load<i32>(at(watch) + PEGS) == NONE) {
		store<i32>(at(watch) + PEGS, allocate(blocksOfPegs(ticks)));
		store<i32>(at(watch) + TICKS, ticks);
	}
	const counted = pegsAt(watch, side, tick);
	store<f64>(counted, load<f64>(counted) + stake);
	assert(load<f64>(counted) >= 0, 'bets of pegs have no less than nothing at a tick');
}

/** What bets of pegs have at a tick, minor units. */
export function stakeOfPegs(watch: i32, side: i32, tick: i32): f64 {
	return load<i32>(at(watch) + PEGS) == NONE ? 0 : load<f64>(pegsAt(watch, side, tick));
}
