/**
 * The recipient of feed results that members confirm, and of feeds' contradictions. The operators' side implements it.
 */
import type { RunnerResult } from '#engine/market-terms.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';

/** A result and its effect on a market. */
export type Ruling =
	| 'VOID'
	| {
			results: RunnerResult[];
			/** Fewer places than announced. */
			places?: number;
			/** The number that `results` follow from, in a market on lines. */
			value?: number;
	  };

/** A feed's contradiction of the stored state. */
export interface Finding {
	words: string;
	/** The market waits for an answer, and its settlement is one. */
	holds: boolean;
}

export interface ResultProposals {
	/** Whether a member confirms the fixture's results. */
	covers(fixture: Pick<Fixture, 'source'>): boolean;
	/**
	 * Proposes a result of a closed market, or another one for a paid market; it replaces the feed's earlier pending
	 * one. A repetition changes nothing. Resolves when it is durable.
	 * @param replaces false for a result that yields to an earlier one
	 * @throws Refused WRONG_MARKET_STATE for an open market; INCOMPLETE_RESULT
	 */
	propose(listing: MarketListing, ruling: Ruling, replaces: boolean): Promise<void>;
	/**
	 * Proposes another factor of a removed runner of a paid market, unless another proposal of the feed is pending.
	 * @param runner its index
	 */
	proposeFactor(listing: MarketListing, runner: number, reductionBp: number): Promise<void>;
	/** Takes back the pending result, because the feed has retracted it. @returns whether one was pending */
	retract(listing: MarketListing): Promise<boolean>;
	/** Stores a feed's contradiction until a member closes it; equal texts are stored once. */
	report(listing: MarketListing, finding: Finding): Promise<void>;
}
