/** Whether what happened to a book may concern one of its triggers. */
import { BACK, LAY } from './bets';
import { NONE } from './blocks';
import { bestFor, watchOf } from './order-book';
import { BACKERS, isConcerned, LAST, LAYERS, watchAt } from './watches';

/** The prices that may concern a trigger: of fills, and the best for backers and for layers. */
export const OF_FILLS: i32 = 1;
export const FOR_BACKERS: i32 = 2;
export const FOR_LAYERS: i32 = 4;

/** Which prices of a book may concern its triggers; 0 for nearly all books, whose fills are then forgotten. */
export function concernsOf(book: i32): i32 {
	const row = watchOf(book);
	if (row == NONE) return 0;
	const watch = watchAt(row);
	let concerns = 0;
	if (watch.highestPrice != 0) {
		if (isConcerned(row, LAST, watch.lowestPrice, watch.highestPrice)) concerns = OF_FILLS;
		else watch.lowestPrice = watch.highestPrice = 0;
	}
	if (isBestConcerned(book, row, BACK, BACKERS)) concerns |= FOR_BACKERS;
	if (isBestConcerned(book, row, LAY, LAYERS)) concerns |= FOR_LAYERS;
	return concerns;
}

function isBestConcerned(book: i32, row: i32, side: i32, price: i32): bool {
	const best = bestFor(book, side);
	return best >= 0 && isConcerned(row, price, best, best);
}
