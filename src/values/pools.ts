/** DEMO, PLAY and REAL money never meet: each pool has its own books, house accounts and market maker. */
export const POOLS = ['DEMO', 'PLAY', 'REAL'] as const;
/** The pools with accountable money: demo players are anonymous, and their coins are in no report. */
export const ANSWERED_POOLS = ['PLAY', 'REAL'] as const satisfies readonly Pool[];
export type Pool = (typeof POOLS)[number];

/** The only currency so far; account keys contain it nevertheless. */
export type Currency = 'INR';

export const poolCode = (pool: Pool): number => POOLS.indexOf(pool);

/** Wallets below are the house's; players' ids are consecutive, because the engine keeps a table by id. */
export const FIRST_PLAYER_ID = 1000;
