/**
 * Ids of the server. A plain number may be given for any of them, such as one read from a table, but an id of one kind
 * is never accepted for another: a call that swaps a wallet and a market is a type error.
 */
declare const kind: unique symbol;
type Id<Kind extends string> = number & { readonly [kind]?: Kind };

/** A wallet; a player's wallet has the player's id. */
export type WalletId = Id<'wallet'>;
export type PlayerId = WalletId;
export type BetId = Id<'bet'>;
export type MarketId = Id<'market'>;
export type FixtureId = Id<'fixture'>;
