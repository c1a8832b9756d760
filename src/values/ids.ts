/** Ids of the engine and the server: an id of one kind is never accepted for another. */
import type { Any } from '#values/kinds.ts';

/** A wallet; a player's wallet has the player's id. */
export type WalletId = Any<'wallet'>;
export type PlayerId = WalletId;
export type BetId = Any<'bet'>;
export type MarketId = Any<'market'>;
export type FixtureId = Any<'fixture'>;
