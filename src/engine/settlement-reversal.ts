/** The settlement of a market that is being taken back, wallet by wallet: see reversal-walk.ts. */
import type { VoidMatches } from '#engine/command.ts';
import type { MarketView } from '#engine/engine.ts';
import type { RunnerResult } from '#engine/market-terms.ts';

/** What a market is settled by after its settlement was taken back. */
export interface NextSettlement {
	/** Null voids the market. */
	results: readonly RunnerResult[] | null;
	/** As in a settlement. */
	places?: number;
}

/** A reversal under way. The market's row keeps it, and its result until all bets are back. */
export interface SettlementReversal {
	/** How many bets are not back yet. */
	betsLeft: number;
	/** Null leaves the market CLOSED. */
	next: NextSettlement | null;
	/** Another factor of a removed runner, at which the bets come back. */
	correction: { runner: number; reductionBp: number } | null;
	/** Those that are void when all bets are back, in the order of the ledger. The last ones are voided first. */
	matches: VoidMatches['matches'];
}

/** What a market whose result is decided is paid by in the end; null when it is going to be CLOSED. */
export const settledBy = ({
	results,
	placesPaid,
	reversing,
}: Pick<MarketView, 'results' | 'placesPaid' | 'reversing'>): NextSettlement | null =>
	reversing ? reversing.next : { results, ...(placesPaid === null ? {} : { places: placesPaid }) };
