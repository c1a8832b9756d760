/** Whether what happened to a book may concern a trigger, or a bet that lapses with its volume: nearly always it does not, and is forgotten here. */
import { BACK, LAY } from './bets';
import { NONE } from './blocks';
import { beginRange, bestFor, highestPrice, lowestPrice, takeChanged, volumeOf, watchOf } from './order-book';
import { BACKERS, isConcerned, isFollowed, isVolumeReached, LAST, LAYERS } from './watches';

/** The prices that may concern a trigger: of fills, and the best for backers and for layers. */
export const OF_FILLS: i32 = 1;
export const FOR_BACKERS: i32 = 2;
export const FOR_LAYERS: i32 = 4;
/** The volume at which a bet may lapse. */
export const OF_VOLUME: i32 = 8;
/** The bets and the best prices that plans follow. */
export const OF_PLANS: i32 = 16;

/** The next of the books that changed of which something may concern a trigger or a bet, or NONE. */
export function nextConcerned(): i32 {
	let book = takeChanged();
	while (book != NONE && concernsOf(book) == 0) book = takeChanged();
	return book;
}

/** Which prices of a book may concern its triggers, and whether its volume may end a bet; 0 for nearly all books. */
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
	if (isFollowed(watch)) concerns |= OF_PLANS;
	return concerns;
}

function isBestConcerned(book: i32, watch: i32, side: i32, price: i32): bool {
	const best = bestFor(book, side);
	return best >= 0 && isConcerned(watch, price, best, best);
}
