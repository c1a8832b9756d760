/** Where results of feeds go that members confirm before a market is settled. The operators' side keeps them. */
import type { RunnerResult } from '#engine/market-terms.ts';
import type { Fixture, MarketListing } from '#server/fixtures/fixtures.ts';

/** What a result means for a market. */
export type Ruling =
	| 'VOID'
	| {
			results: RunnerResult[];
			/** Fewer places than announced. */
			places?: number;
			/** The number that `results` follow from, in a market on lines. */
			value?: number;
	  };

export interface ResultProposals {
	/** Whether the fixture's results wait for a member. */
	covers(fixture: Pick<Fixture, 'source'>): boolean;
	/**
	 * Proposes a result of a closed market; it replaces the feed's earlier one that waits. The same result again changes
	 * nothing. Resolves when it is durable.
	 * @param replaces false for a result that yields to an earlier one
	 * @throws Refused WRONG_MARKET_STATE for a market that is settled; INCOMPLETE_RESULT
	 */
	propose(listing: MarketListing, ruling: Ruling, replaces: boolean): Promise<void>;
	/** Takes back the result that waits, because the feed no longer stands by it. */
	retract(listing: MarketListing): Promise<void>;
}
