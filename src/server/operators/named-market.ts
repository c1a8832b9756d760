/** The event, the market and the runner that an operator names. */
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { marketView } from '#server/exchange/views/wire-views.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';

/** The fixture of an event in memory. @throws Refused UNKNOWN_FIXTURE */
export function fixtureOf({ fixtures }: { fixtures: Fixtures }, eventId: string) {
	const fixture = fixtures.fixture(Number(eventId));
	if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
	return fixture;
}

/** Finds a market of any age. @throws Refused UNKNOWN_MARKET */
export async function listingOf(
	{ fixtures, exchange }: { fixtures: Fixtures; exchange: Exchange },
	marketId: string,
): Promise<MarketListing> {
	await fixtures.recall(Number(marketId));
	const listing = fixtures.market(Number(marketId));
	if (!listing) throw new Refused('UNKNOWN_MARKET');
	// The other markets of its fixture become visible again, too.
	await Promise.all(fixtures.markets(listing.fixtureId).map(({ id }) => exchange.recall(id)));
	return listing;
}

/** Index of the runner with that id or name. @throws Refused UNKNOWN_RUNNER with the existing names */
export function runnerOf({ runners }: MarketListing, wanted: string): number {
	const found = runners.flatMap(({ id, name }, at) =>
		id === wanted || name.toLowerCase() === wanted.toLowerCase() ? [at] : [],
	);
	if (found.length !== 1) throw new Refused('UNKNOWN_RUNNER', { runners: runners.map(({ name }) => name) });
	return found[0] as number;
}

/** The state of a market, as acts on it answer. */
export function stateOf({ exchange }: { exchange: Exchange }, listing: MarketListing) {
	const { id, name, status, inPlay, version, runners } = marketView(listing, exchange.market(listing.id));
	return { marketId: id, market: name, status, inPlay, version, runners };
}
