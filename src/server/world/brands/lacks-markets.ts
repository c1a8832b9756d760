/** Sports of real money have markets only where real money is served alone (markets/market-pools). */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { SPORT_FIELDS } from '#contract/operators/brands.ts';
import { type Pool, poolOf } from '#values/pools.ts';

export const NEEDS_MARKETS =
	'Its sports have markets: an engine of real money alone serves it (POOLS), or all of its sports are closed.';

/** Whether a brand of real money with that setting would show sports without a market. @param marketPools those in which markets open */
export const lacksMarkets = (marketPools: readonly Pool[], setting: DomainSetting): boolean =>
	SPORT_FIELDS.some((sport) => setting[sport]) && !marketPools.includes(poolOf('REAL', setting.currency));
