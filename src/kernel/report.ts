/**
 * The report of the last command on a bet: the bet, its fills, and the changes of held money. Valid until the next
 * command.
 */
import { allocate, at, BLOCK, widened } from './blocks';

/**
 * The state of an accepted bet: it met the book; it is delayed; it is unmatched, and the engine matches it; it only
 * took quotes, the fills of the report.
 */
export const ENTERED: i32 = 0;
export const DELAYED: i32 = 1;
export const UNMATCHED: i32 = 2;
export const TOOK_QUOTES: i32 = 3;

/** How a bet was accepted: fill-or-kill; as a quote of a market maker. */
export const FILL_OR_KILL: i32 = 1;
export const QUOTE: i32 = 2;

/** A cancel ended the delay of its bet; it forgot a bet of which the engine keeps details. */
export const DELAY_ENDED: i32 = 1;
export const DETAIL_ENDED: i32 = 2;

@unmanaged
export class Report {
	/** Two lists: their lengths, the rows at which they begin, and their blocks. */
	fills: i32;
	fillRow: i32;
	fillBlocks: i32;
	holds: i32;
	holdRow: i32;
	holdBlocks: i32;
	/** The first fills are none, but the player's own resting bets that lapsed for the bet. */
	ownLapsed: i32;
	/** ENTERED, DELAYED, UNMATCHED. */
	stage: i32;
	market: i32;
	/** An accepted bet's row, its player's position, and the code of their pool. */
	bet: i32;
	position: i32;
	pool: i32;
	/** FILL_OR_KILL, QUOTE. */
	terms: i32;
	/** The bet's figures. */
	stake: i32;
	matched: i32;
	remaining: i32;
	matchedValue: f64;
	/** The lapsed stake, and the reason: see lapses.ts. */
	lapsed: i32;
	lapse: i32;
	/** The cancelled stake, and its consequences: DELAY_ENDED, DETAIL_ENDED. */
	cancelled: i32;
	cancel: i32;
	/** No meaning: see `setPrefetched`. */
	prefetched: i32;
}
const REPORT: usize = memory.data(128, 64);

/** A resting bet, by its id and its row, the stake taken, and the price. */
@unmanaged
export class Fill {
	makerId: f64;
	maker: i32;
	stake: i32;
	price: i32;
	/** The consequences for a quote that the crowd took, or a bet that lapsed: DELAY_ENDED, DETAIL_ENDED. */
	cancel: i32;
}
export const FILL: i32 = 24;

/** A wallet, the amount moved into its exposure account (below zero out of it), and its cash after that. */
@unmanaged
export class Held {
	walletId: f64;
	change: f64;
	cash: f64;
}
export const HELD: i32 = 24;

export function report(): Report {
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

/** Begins new lists of fills and of holds. */
export function clearReport(): void {
	report().fills = 0;
	report().holds = 0;
	report().ownLapsed = 0;
	report().lapsed = 0;
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
