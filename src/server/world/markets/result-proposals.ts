/** Where results of feeds go that members confirm, and what feeds say against what stands. The operators' side keeps them. */
import type { RunnerResult } from '#engine/market-terms.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';

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

/** What a feed says against what stands. */
export interface Finding {
	words: string;
	/** The market waits for an answer, and its settlement is one. */
	holds: boolean;
}

export interface ResultProposals {
	/** Whether the fixture's results wait for a member. */
	covers(fixture: Pick<Fixture, 'source'>): boolean;
	/**
	 * Proposes a result of a closed market, or another one for a market that is paid; it replaces the feed's earlier one
	 * that waits. The same result again changes nothing. Resolves when it is durable.
	 * @param replaces false for a result that yields to an earlier one
	 * @throws Refused WRONG_MARKET_STATE for a market that is open; INCOMPLETE_RESULT
	 */
	propose(listing: MarketListing, ruling: Ruling, replaces: boolean): Promise<void>;
	/**
	 * Proposes another factor of a removed runner of a market that is paid, unless something else of the feed waits.
	 * @param runner its index
	 */
	proposeFactor(listing: MarketListing, runner: number, reductionBp: number): Promise<void>;
	/** Takes back the result that waits, because the feed no longer stands by it. @returns whether one waited */
	retract(listing: MarketListing): Promise<boolean>;
	/** Keeps what the feed says until a member closes it; the same words wait once. */
	report(listing: MarketListing, finding: Finding): Promise<void>;
}
