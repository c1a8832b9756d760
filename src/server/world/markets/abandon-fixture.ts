/** Ends markets of an abandoned fixture, by each market type's rule. */

import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { MarketParts } from '#server/world/markets/fixture-market.ts';
import { openMarket } from '#server/world/markets/open-market.ts';

/** Ends every market of the fixture, and the fixture. */
export async function abandonFixture(parts: MarketParts, fixture: Fixture): Promise<void> {
	await abandonMarkets(parts, fixture, parts.fixtures.markets(fixture.id));
	await parts.fixtures.setStatus(fixture.id, 'ABANDONED');
}

/** Ends the listed markets. The progress of play is unknown, so only markets that were settled before are decided. */
export async function abandonMarkets(
	parts: MarketParts,
	fixture: Fixture,
	listings: readonly MarketListing[],
): Promise<void> {
	const unplayed = fixture.status === 'UPCOMING';
	for (const listing of listings) {
		const market = await openMarket(parts, fixture, listing);
		if (!market.isSettled) await market.settle({ unfinished: true, ...(unplayed ? { unplayed } : {}) });
	}
}
