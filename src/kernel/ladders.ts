/** Price ladders: the prices, in hundredths, that a market takes, and the tick of each. */
import { allocate, at, BLOCK, NONE } from './blocks';

/** For a price that is not on the ladder. */
export const NO_TICK: i32 = -1;

@unmanaged
export class Ladder {
	/** Prices, hundredths. */
	first: i32;
	last: i32;
	/** Hundredths between neighbouring prices; 0 where a table has the ticks. */
	step: i32;
	/**
	 * The row of that table: by price from the first on, a tick plus one, or 0 for a price that is not on the ladder.
	 */
	table: i32;
}
const ENTRY: i32 = 2;

function ladderAt(row: i32): Ladder {
	return changetype<Ladder>(at(row));
}

/** @param step 0 for a ladder of uneven steps, whose ticks `setTick` names */
export function addLadder(first: i32, last: i32, step: i32): i32 {
	const row = allocate(1);
	const ladder = ladderAt(row);
	ladder.first = first;
	ladder.last = last;
	ladder.step = step;
	if (step == 0) ladder.table = allocate(((last - first + 1) * ENTRY + BLOCK - 1) / BLOCK);
	return row;
}

/** Enters a price of a ladder of uneven steps. */
export function setTick(row: i32, price: i32, tick: i32): void {
	const ladder = ladderAt(row);
	assert(ladder.table != NONE && price >= ladder.first && price <= ladder.last, 'a tick is set within its ladder');
	store<u16>(at(ladder.table) + <usize>((price - ladder.first) * ENTRY), tick + 1);
}

/** The next price of the ladder above or below one of its prices, or 0. @param direction 1 or -1 */
export function nextPrice(row: i32, price: i32, direction: i32): i32 {
	const ladder = ladderAt(row);
	for (let next = price + direction; next >= ladder.first && next <= ladder.last; next += direction) {
		if (tickOf(row, <f64>next) != NO_TICK) return next;
	}
	return 0;
}

/** The tick of a price, which may be any number, or NO_TICK. */
export function tickOf(row: i32, price: f64): i32 {
	const ladder = ladderAt(row);
	const hundredths = <i32>price;
	if (<f64>hundredths != price || hundredths < ladder.first || hundredths > ladder.last) return NO_TICK;
	const above = hundredths - ladder.first;
	if (ladder.step == 0) return <i32>load<u16>(at(ladder.table) + <usize>(above * ENTRY)) - 1;
	return above % ladder.step == 0 ? above / ladder.step : NO_TICK;
}
