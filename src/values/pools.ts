/**
 * DEMO, PLAY and REAL money never meet, and no two currencies do: each pool has its own books, house accounts and market
 * maker, and one currency. So whatever has a pool has its currency: wallets, books, payments and reports name none of their
 * own. A further currency is three further pools, such as REAL-EUR.
 */

import { CURRENCY_TERMS } from '#values/currencies.ts';
import { CURRENCIES, type Currency, type FurtherCurrency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { POOL_KINDS, type PoolKind } from '#values/pool-kinds.ts';

type PoolOf<Kind extends PoolKind> = Kind | `${Kind}-${FurtherCurrency}`;
export type Pool = PoolOf<PoolKind>;

/** The pool of a kind in a currency. */
export const poolOf = <Kind extends PoolKind>(kind: Kind, currency: Currency): PoolOf<Kind> =>
	currency === HOME_CURRENCY ? kind : `${kind}-${currency}`;

/** All pools that there can be. Their places are their codes, which tables and the engine's digest keep. */
export const POOLS: readonly Pool[] = CURRENCIES.flatMap((currency) =>
	POOL_KINDS.map((kind) => poolOf(kind, currency)),
);
/** What a server serves that is told of no pools: those of the home currency. */
export const HOME_POOLS: readonly Pool[] = POOL_KINDS;

interface PoolTerms {
	code: number;
	kind: PoolKind;
	currency: Currency;
	step: number;
}

const TERMS_OF_POOL = Object.fromEntries(
	CURRENCIES.flatMap((currency) => POOL_KINDS.map((kind) => ({ kind, currency }))).map(({ kind, currency }, code) => [
		poolOf(kind, currency),
		{ code, kind, currency, step: CURRENCY_TERMS[currency].step },
	]),
) as Readonly<Record<Pool, PoolTerms>>;

/** −1 for what is no pool. */
export const poolCode = (pool: Pool): number => TERMS_OF_POOL[pool]?.code ?? -1;
export const kindOf = (pool: Pool): PoolKind => TERMS_OF_POOL[pool].kind;
export const currencyOf = (pool: Pool): Currency => TERMS_OF_POOL[pool].currency;
/** The currency of all of them; the home currency where they have several. */
export function commonCurrency(pools: readonly Pool[]): Currency {
	const [currency = HOME_CURRENCY, other] = new Set(pools.map(currencyOf));
	return other === undefined ? currency : HOME_CURRENCY;
}
/** Minor units of the smallest coin of its currency. */
export const stepOf = (pool: Pool): number => TERMS_OF_POOL[pool].step;

/** Whether an amount is of whole coins of the pool's currency. */
export const isOfCoins = (pool: Pool, minor: number): boolean => {
	const { step } = TERMS_OF_POOL[pool];
	return step === 1 || minor % step === 0;
};

const isOf = (kind: PoolKind, pool: Pool | null | undefined): boolean => !!pool && kindOf(pool) === kind;
/** False without a pool, that is, of a wallet that does not exist. */
export const isRealPool = (pool: Pool | null | undefined): pool is PoolOf<'REAL'> => isOf('REAL', pool);
export const isPlayPool = (pool: Pool | null | undefined): pool is PoolOf<'PLAY'> => isOf('PLAY', pool);
export const isDemoPool = (pool: Pool | null | undefined): pool is PoolOf<'DEMO'> => isOf('DEMO', pool);
/** Money that the server grants. */
export type GrantedPool = PoolOf<'DEMO' | 'PLAY'>;
export const isGrantedPool = (pool: Pool): pool is GrantedPool => !isRealPool(pool);

/** The pools with accountable money: demo players are anonymous, and their coins are in no report. */
export const ANSWERED_POOLS = POOLS.filter((pool) => !isDemoPool(pool));
/** The pools whose coins the server grants: the house quotes in them, and never in real money. */
export const GRANTED_POOLS = POOLS.filter(isGrantedPool);

/** Pools as settings, logs and refusals write them: `DEMO,PLAY`. */
export const poolsText = (pools: readonly Pool[]): string => pools.join(',');

/**
 * A number of each set of pools, for what engines of some pools must not have in common: 0 for those with all pools of the
 * home currency, 1 to 6 for those with some of them, and for others the code of the first pool and 4 more. Of two sets
 * without a common pool no two have one number.
 */
export const poolsNumber = (pools: readonly Pool[]): number => {
	const home = HOME_POOLS.filter((pool) => pools.includes(pool));
	if (home.length === HOME_POOLS.length) return 0;
	if (home.length === 0) return 4 + Math.min(...pools.map(poolCode));
	return home.reduce((sum, pool) => sum + 2 ** poolCode(pool), 0);
};

/** Wallets below are the house's; players' ids are consecutive, because the engine keeps a table by id. */
export const FIRST_PLAYER_ID = 1000;
