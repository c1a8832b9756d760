/** The act that gives a market a result, in the form in which members and feeds propose it. */
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Ruling } from '#server/world/markets/result-proposals.ts';

/** An act with its input. */
export interface AskedAct {
	act: 'settle' | 'void' | 'resettle';
	input: Record<string, unknown>;
}

/** @param isPaid the market is settled or void, so the result corrects a payment */
export function askedBy(listing: MarketListing, ruling: Ruling, isPaid: boolean): AskedAct {
	const marketId = String(listing.id);
	if (ruling === 'VOID')
		return isPaid ? { act: 'resettle', input: { marketId, isVoid: true } } : { act: 'void', input: { marketId } };
	const { results, value, places } = ruling;
	const ofPlaces = places === undefined ? {} : { places };
	const input = value === undefined ? { marketId, results, ...ofPlaces } : { marketId, value };
	return { act: isPaid ? 'resettle' : 'settle', input };
}
