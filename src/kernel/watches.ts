/**
 * What concerns the triggers of a book: two bounds for each price that they watch, between which no price concerns one; and
 * what concerns bets that lapse with its volume: the least volume at which one may lapse. Where plans follow bets, every change
 * concerns them. src/engine/triggers has the triggers and the plans, src/engine/volume-limits.ts the bets.
 */
import { allocate, at } from './blocks';

/** Prices that triggers watch: of the last fill, and the best one that a backer and a layer can take. */
export const LAST: i32 = 0;
export const BACKERS: i32 = 1;
export const LAYERS: i32 = 2;

/** The bounds of a price: of the last fill they are prices, of the others ticks. */
@unmanaged
class Bounds {
	below: i32;
	above: i32;
}
const BOUNDS: usize = 8;
/** Behind the bounds of the prices. */
const VOLUME: usize = 24;
const FOLLOWED: usize = 32;

function boundsOf(watch: i32, price: i32): Bounds {
	return changetype<Bounds>(at(watch) + <usize>price * BOUNDS);
}

/** Adds bounds that nothing passes. */
export function addWatch(): i32 {
	const watch = allocate(1);
	for (let price = LAST; price <= LAYERS; price++) bound(watch, price, i32.MIN_VALUE, i32.MAX_VALUE);
	boundVolume(watch, Infinity);
	follow(watch, 0);
	return watch;
}

/** Sets the bounds of a price: it concerns a trigger from one down, and from the other up. */
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

/** Whether plans follow bets of the book, or its best prices: every change concerns them. */
export function follow(watch: i32, isFollowed: i32): void {
	store<i32>(at(watch) + FOLLOWED, isFollowed);
}

export function isFollowed(watch: i32): bool {
	return load<i32>(at(watch) + FOLLOWED) != 0;
}

/** Whether what a price did, from the lowest to the highest, may concern a trigger. */
export function isConcerned(watch: i32, price: i32, lowest: i32, highest: i32): bool {
	const bounds = boundsOf(watch, price);
	return lowest <= bounds.below || highest >= bounds.above;
}
