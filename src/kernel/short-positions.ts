/**
 * Positions for which less is held than their bets may lose: a removed runner, a void match or a reversed settlement left
 * them so. src/engine/short-positions.ts knows them; nearly no wallet has one.
 */

/** A position holds less than its exposure; its wallet is SHORT from now on. */
export declare function noteShort(position: i32): void;
/** What the positions of a wallet that is SHORT lack in all markets but one; minor units. */
export declare function lackedElsewhere(wallet: i32, market: i32): f64;
