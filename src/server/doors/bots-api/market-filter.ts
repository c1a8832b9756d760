/** The service's filter of markets, over the markets that the caller may see. */
import * as v from 'valibot';
import type { MarketView } from '#engine/engine.ts';
import { poolOf, showsSport } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import {
	bettingTypeOf,
	competitionIdOf,
	eventTypeOf,
	marketTypeCode,
	statusOf,
	wireMarketId,
} from '#server/doors/bots-api/fields.ts';
import {
	type BotParts,
	Flag,
	given,
	isAmong,
	isWithin,
	Text,
	Texts,
	TimeRange,
} from '#server/doors/bots-api/operation.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';

const FilterFields = v.object({
	textQuery: given(Text),
	eventTypeIds: Texts,
	eventIds: Texts,
	competitionIds: Texts,
	marketIds: Texts,
	venues: Texts,
	bspOnly: Flag,
	turnInPlayEnabled: Flag,
	inPlayOnly: Flag,
	marketBettingTypes: Texts,
	marketCountries: Texts,
	marketTypeCodes: Texts,
	marketStartTime: TimeRange,
	withOrders: Texts,
	raceTypes: Texts,
});
export const MarketFilter = FilterFields;
export type Filter = v.InferOutput<typeof MarketFilter>;

export interface SeenMarket {
	fixture: Fixture;
	listing: MarketListing;
	market: MarketView;
}

const MARKET_TYPES_EVERYWHERE = 'ALL';

/** The markets of the filter that are open to the caller and not closed, by start and then by place. */
export function marketsOf(parts: BotParts, filter: Filter, caller: BotCaller): SeenMarket[] {
	const { fixtures } = parts;
	const seen = fixtures.all().filter((fixture) => showsSport(caller, fixture) && passesFixture(fixture, filter));
	seen.sort((one, other) => one.startsAtMs - other.startsAtMs || one.id - other.id);
	return seen.flatMap((fixture) =>
		fixtures.markets(fixture.id).flatMap((listing): SeenMarket[] => {
			const market = parts.exchange.market(listing.id);
			if (!market || statusOf(market) === 'CLOSED') return [];
			return passesMarket(parts, { fixture, listing, market }, filter, caller) ? [{ fixture, listing, market }] : [];
		}),
	);
}

function passesFixture(fixture: Fixture, filter: Filter): boolean {
	const words = filter.textQuery?.toLowerCase();
	return (
		isAmong(eventTypeOf(fixture.sportId), filter.eventTypeIds) &&
		isAmong(String(fixture.id), filter.eventIds) &&
		isAmong(competitionIdOf(fixture), filter.competitionIds) &&
		isWithin(fixture.startsAtMs, filter.marketStartTime) &&
		// Fixtures have neither venues nor countries here.
		isAmong('', filter.venues) &&
		isAmong('', filter.marketCountries) &&
		(words === undefined || words === '' || `${fixture.title} ${fixture.competition}`.toLowerCase().includes(words))
	);
}

function passesMarket(
	{ exchange }: BotParts,
	{ listing, market }: SeenMarket,
	filter: Filter,
	caller: BotCaller,
): boolean {
	if (!market.pools.includes(poolOf(caller)) || filter.bspOnly === true) return false;
	if (filter.inPlayOnly !== undefined && filter.inPlayOnly !== market.inPlay) return false;
	if (filter.turnInPlayEnabled === false) return false;
	if (!isAmong(bettingTypeOf(listing), filter.marketBettingTypes)) return false;
	if (!isAmong(wireMarketId(listing.id), filter.marketIds)) return false;
	const types = filter.marketTypeCodes?.includes(MARKET_TYPES_EVERYWHERE) ? undefined : filter.marketTypeCodes;
	if (!isAmong(marketTypeCode(listing), types)) return false;
	if (!filter.withOrders?.length) return true;
	const own = exchange.openBets(caller.login.playerId).filter(({ marketId }) => marketId === listing.id);
	return own.some(({ remaining }) => isAmong(remaining > 0 ? 'EXECUTABLE' : 'EXECUTION_COMPLETE', filter.withOrders));
}
