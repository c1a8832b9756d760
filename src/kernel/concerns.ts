/**
 * Whether what happened to a book may concern a trigger, a plan, or a bet that ends by itself: nearly always it does not, and is
 * forgotten here.
 */
import { BACK, LAY } from './bets';
import { NONE } from './blocks';
import {
	beginRange,
	bestFor,
	highestPrice,
	lastPrice,
	lowestPrice,
	nextFor,
	sizeFor,
	takeChanged,
	volumeOf,
	watchOf,
} from './order-book';
import {
	BACKERS,
	hasTouchedPlans,
	isBounded,
	isConcerned,
	isFollowed,
	isVolumeReached,
	LAST,
	LAYERS,
	PLANS,
	stakeOfPegs,
} from './watches';

/** The prices that may concern a trigger: of fills, and the best for backers and for layers. */
export const OF_FILLS: i32 = 1;
export const FOR_BACKERS: i32 = 2;
export const FOR_LAYERS: i32 = 4;
/** The volume at which a bet may lapse. */
export const OF_VOLUME: i32 = 8;
/** The bets and the prices that plans follow. */
export const OF_PLANS: i32 = 16;
/** Bets of groups. */
export const OF_GROUPS: i32 = 32;

/** The next of the books that changed of which something may concern a trigger, a plan or a bet, or NONE. */
export function nextConcerned(): i32 {
	let book = takeChanged();
	while (book != NONE && concernsOf(book) == 0) book = takeChanged();
	return book;
}

/** Which prices of a book may concern its triggers, and whether its bets concern plans, groups or the volume; 0 for nearly all books. */
export function concernsOf(book: i32): i32 {
	const watch = watchOf(book);
	if (watch == NONE) return 0;
	let concerns = 0;
	if (highestPrice(book) != 0) {
		if (isConcerned(watch, LAST, lowestPrice(book), highestPrice(book))) concerns = OF_FILLS;
		else beginRange(book, 0);
	}
	if (isBestConcerned(book, watch, BACK, BACKERS)) concerns |= FOR_BACKERS;
	if (isBestConcerned(book, watch, LAY, LAYERS)) concerns |= FOR_LAYERS;
	if (isVolumeReached(watch, volumeOf(book))) concerns |= OF_VOLUME;
	if (arePlansConcerned(book, watch)) concerns |= OF_PLANS;
	if (isFollowed(watch)) concerns |= OF_GROUPS;
	return concerns;
}

function arePlansConcerned(book: i32, watch: i32): bool {
	if (hasTouchedPlans(watch)) return true;
	const last = lastPrice(book);
	if (last != 0 && isConcerned(watch, PLANS + LAST, last, last)) return true;
	return isFollowedConcerned(book, watch, BACK, BACKERS) || isFollowedConcerned(book, watch, LAY, LAYERS);
}

function isFollowedConcerned(book: i32, watch: i32, side: i32, price: i32): bool {
	// To find it may take a walk past ticks that pegs alone hold.
	if (!isBounded(watch, PLANS + price)) return false;
	const best = bestToFollow(book, side);
	return best >= 0 && isConcerned(watch, PLANS + price, best, best);
}

/**
 * The best resting tick that an incoming bet could take and that holds more than bets of pegs, or -1. The engine has counted
 * those: see `countPegs`.
 */
export function bestToFollow(book: i32, side: i32): i32 {
	const watch = watchOf(book);
	let tick = bestFor(book, side);
	while (tick >= 0 && sizeFor(book, side, tick) <= stakeOfPegs(watch, 1 - side, tick)) tick = nextFor(book, side, tick);
	return tick;
}

function isBestConcerned(book: i32, watch: i32, side: i32, price: i32): bool {
	const best = bestFor(book, side);
	return best >= 0 && isConcerned(watch, price, best, best);
}
