/** DEMO, PLAY and REAL money never meet: each pool has its own books, house accounts and market maker. */
export const POOLS = ['DEMO', 'PLAY', 'REAL'] as const;
/** The pools with accountable money: demo players are anonymous, and their coins are in no report. */
export const ANSWERED_POOLS = ['PLAY', 'REAL'] as const satisfies readonly Pool[];
/** The pools whose coins the server grants: the house quotes in them, and never in REAL. */
export const GRANTED_POOLS = ['DEMO', 'PLAY'] as const satisfies readonly Pool[];
export type Pool = (typeof POOLS)[number];

/** Pools as settings, logs and refusals write them: `DEMO,PLAY`. */
export const poolsText = (pools: readonly Pool[]): string => pools.join(',');

/** A number of each set of pools, for what engines of some pools must not have in common: 0 for all pools, and 1 to 6. */
export const poolsNumber = (pools: readonly Pool[]): number =>
	pools.length === POOLS.length ? 0 : pools.reduce((sum, pool) => sum + 2 ** poolCode(pool), 0);

/** ISO 4217. A brand cannot choose another before every path rounds, limits and shows it. */
export const CURRENCIES = ['INR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/**
 * A pool has one currency, so whatever has a pool has its currency: wallets, books, payments and reports name none of
 * their own. A second currency is a further pool.
 */
const CURRENCY_OF_POOL: Readonly<Record<Pool, Currency>> = { DEMO: 'INR', PLAY: 'INR', REAL: 'INR' };
export const currencyOf = (pool: Pool): Currency => CURRENCY_OF_POOL[pool];

export const poolCode = (pool: Pool): number => POOLS.indexOf(pool);

/** Wallets below are the house's; players' ids are consecutive, because the engine keeps a table by id. */
export const FIRST_PLAYER_ID = 1000;
