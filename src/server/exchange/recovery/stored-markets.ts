/** Markets as the tables hold them: at a start those that have not ended, later single ones that left memory. */
import type { Engine, MarketView } from '#engine/engine.ts';
import { readRemovals, type WrittenRemoval } from '#server/exchange/recovery/market-removals.ts';
import { readTerms, type TypeTerms, type WrittenTerms } from '#server/exchange/recovery/market-terms.ts';
import type { Queries } from '#server/platform/postgres/limited-queries.ts';
import type { Pool } from '#values/pools.ts';

export interface StoredMarket {
	market: MarketView;
	/** The traded volume and last price of each book. */
	traded: Parameters<Engine['restoreMarket']>[1];
}

/** @param where a condition on market_state, with its parameters' values */
export async function storedMarkets(db: Queries, where: string, values: readonly unknown[]): Promise<StoredMarket[]> {
	const { rows } = await db.query<
		Omit<MarketView, keyof TypeTerms | 'removed' | 'removals'> & {
			terms: WrittenTerms;
			traded: [Pool, number, number | null, number][];
			removed: WrittenRemoval[];
		}
	>(
		`select market_id as "marketId", pools, runners, number_of_winners as "numberOfWinners",
		   commission_bp as "commissionBp", min_stake as "minStake", max_stake as "maxStake",
		   profit_ratio_rule as "profitRatioRule", self_match as "selfMatch", status, in_play as "inPlay", version,
		   results, traded, terms, removed
		 from market_state where ${where} order by market_id`,
		[...values],
	);
	return rows.map(({ traded, terms, removed, ...market }) => ({
		market: { ...readTerms(terms), ...market, ...readRemovals(removed) },
		traded: traded.map(([pool, runner, lastPriceTraded, totalMatched]) => ({
			pool,
			runner,
			lastPriceTraded,
			totalMatched,
		})),
	}));
}
