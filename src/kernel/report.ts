/** What became of the last bet, for whoever asked for it: its fills, and what was held or let go. Good until the next. */
import { allocate, at, BLOCK, widened } from './blocks';

/** In which pool, and two lists: how many they hold, the row that they begin at, and its blocks. */
@unmanaged
export class Report {
	fills: i32;
	fillRow: i32;
	fillBlocks: i32;
	holds: i32;
	holdRow: i32;
	holdBlocks: i32;
	/** The code of the pool that it is in. */
	pool: i32;
	/** Of one that was taken back, the market's row and its own, which is as it was until the next bet. */
	market: i32;
	bet: i32;
	/** No meaning: see `setPrefetched`. */
	prefetched: i32;
}
const REPORT: usize = memory.data(64, 64);

/** A resting bet, by its id and its row, and how much of it was taken at which price. */
@unmanaged
export class Fill {
	makerId: f64;
	maker: i32;
	stake: i32;
	price: i32;
	reserved: i32;
}
export const FILL: i32 = 24;

/**
 * A wallet, what was moved into its exposure account, below zero out of it, and the cash that it then has; a change of 0
 * where that is reckoned outside.
 */
@unmanaged
export class Held {
	walletId: f64;
	change: f64;
	cash: f64;
}
export const HELD: i32 = 24;

function report(): Report {
	return changetype<Report>(REPORT);
}

/** The row it stands in. */
export function reportRow(): i32 {
	return <i32>(REPORT / BLOCK);
}

export function fillCount(): i32 {
	return report().fills;
}

export function fillAt(index: i32): Fill {
	return changetype<Fill>(at(report().fillRow) + <usize>(index * FILL));
}

export function clearFills(): void {
	report().fills = 0;
}

export function addFill(maker: i32, makerId: f64, stake: i32, price: i32): void {
	const index = report().fills++;
	if ((index + 1) * FILL > report().fillBlocks * BLOCK) {
		report().fillRow = widened(report().fillRow, report().fillBlocks, report().fillBlocks * 2);
		report().fillBlocks *= 2;
	}
	const fill = fillAt(index);
	fill.makerId = makerId;
	fill.maker = maker;
	fill.stake = stake;
	fill.price = price;
}

/** Keeps a number that was only read so that its memory is in the cache when it is needed. */
export function setPrefetched(number: i32): void {
	report().prefetched = number;
}

export function setCancelled(market: i32, bet: i32): void {
	report().market = market;
	report().bet = bet;
}

export function setPool(pool: i32): void {
	report().pool = pool;
}

export function clearHolds(): void {
	report().holds = 0;
}

export function addHeld(walletId: f64, change: f64, cash: f64): void {
	const index = report().holds++;
	if ((index + 1) * HELD > report().holdBlocks * BLOCK) {
		report().holdRow = widened(report().holdRow, report().holdBlocks, report().holdBlocks * 2);
		report().holdBlocks *= 2;
	}
	const held = changetype<Held>(at(report().holdRow) + <usize>(index * HELD));
	held.walletId = walletId;
	held.change = change;
	held.cash = cash;
}

const FIRST_BLOCKS: i32 = 4;
report().fillRow = allocate(FIRST_BLOCKS);
report().fillBlocks = FIRST_BLOCKS;
report().holdRow = allocate(FIRST_BLOCKS);
report().holdBlocks = FIRST_BLOCKS;
