/** By what a market is paid in the end, also while an earlier settlement is taken back. */
import type { RunnerResult } from '#engine/market-terms.ts';

/** What a market is settled by. */
export interface SettledBy {
	/** Null voids the market. */
	results: readonly RunnerResult[] | null;
	/** How many places are paid, when a place market pays fewer than it announced. */
	places?: number;
}

interface DecidedMarket {
	results: readonly RunnerResult[] | null;
	placesPaid: number | null;
	reversing: { next: SettledBy | null } | null;
}

/** What a market whose result is decided is paid by in the end; null when it is going to be CLOSED. */
export const settledBy = ({ results, placesPaid, reversing }: DecidedMarket): SettledBy | null =>
	reversing ? reversing.next : { results, ...(placesPaid === null ? {} : { places: placesPaid }) };
