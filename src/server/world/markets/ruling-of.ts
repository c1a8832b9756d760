/** The result of a market that follows from the end of play, by its type's rules. */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Ruling } from '#server/world/markets/result-proposals.ts';
import type { PlayResult } from '#values/play-result.ts';

/** @returns VOID if the result decides no runner; null if it does not decide the market */
export function rulingOf(listing: MarketListing, result: PlayResult): Ruling | null {
	const shape = { ...listing, runners: listing.runners.length };
	const type = marketType(listing.type);
	const results = type.resultOf(result, shape);
	if (!results) return null;
	if (results.every((each) => each === 'VOID')) return 'VOID';
	const { numberOfWinners: announced } = listing;
	const { places = announced, value } = result;
	const fewer = announced > 1 && places < announced ? { places } : {};
	const isByNumber = Boolean(listing.lines ?? listing.lineRange) && Number.isSafeInteger(value);
	const follows = isByNumber && value !== undefined && String(type.resultOf({ value }, shape)) === String(results);
	return { results, ...fewer, ...(follows ? { value } : {}) };
}
