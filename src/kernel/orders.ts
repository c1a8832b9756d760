/**
 * The request of a command, and the order that the kernel makes of it. The engine writes the request before it calls. A
 * request may hold any number, an order that was accepted only checked ones.
 */
import { BLOCK } from './blocks';

/** The unmatched part stays when the market turns in-play. */
export const PERSIST: i32 = 1;
/** It is matched at once, at least to its smallest fill, and the rest lapses. */
export const FILL_OR_KILL: i32 = 2;
/** It hedges a cash-out: no stake is too small. */
export const HEDGE: i32 = 4;
/** It is refused, or moved, instead of being matched as it arrives. */
export const POST_ONLY: i32 = 8;
/** Of a post-only order: it is moved to the nearest price at which it rests. */
export const REPRICES: i32 = 16;
/** Its unmatched part lapses at a time, which the engine keeps. */
export const EXPIRES: i32 = 32;
/** What its player chose for it alone where it would be matched with their own resting bet, instead of their wallet's choice. */
export const OWN_REFUSES: i32 = 64;
export const OWN_LAPSES_RESTING: i32 = 128;
export const OWN_LAPSES_TAKING: i32 = 256;
/** It waits outside the book for the starting price; its stake is a back's stake or a lay's liability. */
export const ON_CLOSE: i32 = 512;
/** Its unmatched part takes the starting price when the market turns in-play. */
export const TAKES_START: i32 = 1024;
/** It takes part in the auction of the starting price. */
export const AT_START: i32 = ON_CLOSE | TAKES_START;
/** Its unmatched part lapses once others have matched a volume of its runner; the engine keeps how much. */
export const UNTIL_MATCHED: i32 = 2048;
/** It is the rest of a bet at another price: matches decided its size, so it is of whole coins, as a hedge is. */
export const IS_REST: i32 = 4096;
export const OWN_CHOICE: i32 = OWN_REFUSES | OWN_LAPSES_RESTING | OWN_LAPSES_TAKING;
/** What a bet keeps of its order, under the same bits. */
export const KEPT: i32 = POST_ONLY | REPRICES | EXPIRES | UNTIL_MATCHED | OWN_CHOICE;

@unmanaged
export class Request {
	betId: f64;
	walletId: f64;
	marketId: f64;
	runner: f64;
	side: f64;
	/** Hundredths. */
	price: f64;
	/** Minor units. */
	stake: f64;
	/** Of a fill-or-kill order. */
	minFill: f64;
	/** The market version that the player saw; infinite where none is named. */
	marketVersion: f64;
	/** The time of the command, and of an order that expires, when; milliseconds since 1970. */
	atMs: f64;
	expiresAtMs: f64;
	/** Of an order on close: the worst starting price that it takes, hundredths; infinite for any. */
	limit: f64;
	/** Of an order that lapses once others have matched so much: how much, minor units. */
	untilMatched: f64;
	/** PERSIST, FILL_OR_KILL, HEDGE, POST_ONLY, REPRICES, EXPIRES, UNTIL_MATCHED, one of OWN_CHOICE, one of AT_START. */
	flags: i32;
}
const REQUEST: usize = memory.data(128, 64);

@unmanaged
export class Order {
	id: f64;
	/** Exposure with the order counted as unmatched; minor units. */
	exposure: f64;
	market: i32;
	wallet: i32;
	/** NONE before the player's first bet in this market. */
	position: i32;
	pool: i32;
	book: i32;
	runner: i32;
	side: i32;
	price: i32;
	/** Of its price; of an order on close, that of its limit, or NO_TICK. */
	tick: i32;
	stake: i32;
	/** Of a fill-or-kill order; 0 of any other order. */
	minFill: i32;
	/** PERSIST, POST_ONLY, REPRICES, EXPIRES, UNTIL_MATCHED, one of OWN_CHOICE, one of AT_START. */
	flags: i32;
	/** The first resting bet that it meets at its price, or NONE. */
	met: i32;
	/** It meets a resting bet of its own player: see OWN_RESTING and OWN_TAKING; 0 for others. */
	meetsOwn: i32;
	/** The stake that stands ahead of that bet. */
	ahead: i32;
}
/** The player's own resting bets that it meets lapse; or it is matched up to the first of them, and its rest lapses. */
export const OWN_RESTING: i32 = 1;
export const OWN_TAKING: i32 = 2;
const ORDER: usize = memory.data(128, 64);

/** The row that the engine writes requests to. */
export function requestRow(): i32 {
	return <i32>(REQUEST / BLOCK);
}

export function theRequest(): Request {
	return changetype<Request>(REQUEST);
}

/** The row of the order. */
export function orderRow(): i32 {
	return <i32>(ORDER / BLOCK);
}

/** The order that is placed or admitted. */
export function theOrder(): Order {
	return changetype<Order>(ORDER);
}
