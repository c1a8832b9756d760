/** The service's filter of markets, over the markets that the caller may see. */
import * as v from 'valibot';
import type { MarketView } from '#engine/engine.ts';
import { poolOf, showsSport } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import {
	bettingTypeOf,
	competitionIdOf,
	eventTypeName,
	eventTypeOf,
	handicapOf,
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
	return (
		isAmong(eventTypeOf(fixture.sportId), filter.eventTypeIds) &&
		isAmong(String(fixture.id), filter.eventIds) &&
		isAmong(competitionIdOf(fixture), filter.competitionIds) &&
		isWithin(fixture.startsAtMs, filter.marketStartTime) &&
		// Fixtures have neither venues nor countries here.
		isAmong('', filter.venues) &&
		isAmong('', filter.marketCountries)
	);
}

/** What is not said of a race, or of a market that is none. */
export const NO_RACE_TYPE = 'NO_VALUE';

/** Whether a text has the words of a query, of which `*` stands for any letters. */
function hasText(text: string, query: string): boolean {
	let from = 0;
	for (const piece of query.toLowerCase().split('*')) {
		const at = text.indexOf(piece, from);
		if (at < 0) return false;
		from = at + piece.length;
	}
	return true;
}

const textOf = ({ fixture, listing }: Pick<SeenMarket, 'fixture' | 'listing'>): string =>
	[fixture.title, listing.name, fixture.competition, eventTypeName(fixture.sportId)].join('\n').toLowerCase();

/** Typed clients take no handicap of a thousand or more, as lines of long innings are. */
const MOST_HANDICAP = 1_000;

/** Markets whose lines no typed client takes are shown where they are asked for: by id, by type or by betting type. */
export function isForAll(listing: MarketListing, isNamed: boolean): boolean {
	return isNamed || listing.runners.every((_, runner) => Math.abs(handicapOf(listing, runner)) < MOST_HANDICAP);
}

function passesMarket({ exchange }: BotParts, seen: SeenMarket, filter: Filter, caller: BotCaller): boolean {
	const { listing, market } = seen;
	if (!market.pools.includes(poolOf(caller))) return false;
	if (filter.bspOnly !== undefined && filter.bspOnly !== market.startingPrice) return false;
	if (filter.inPlayOnly !== undefined && filter.inPlayOnly !== market.inPlay) return false;
	if (filter.turnInPlayEnabled === false) return false;
	const { textQuery, marketBettingTypes, marketIds, marketTypeCodes } = filter;
	if (textQuery !== undefined && !hasText(textOf(seen), textQuery)) return false;
	if (!isAmong(NO_RACE_TYPE, filter.raceTypes)) return false;
	if (
		!isForAll(
			listing,
			[marketBettingTypes, marketIds, marketTypeCodes].some((asked) => asked?.length),
		)
	)
		return false;
	if (!isAmong(bettingTypeOf(listing), marketBettingTypes)) return false;
	if (!isAmong(wireMarketId(listing.id), marketIds)) return false;
	const types = marketTypeCodes?.includes(MARKET_TYPES_EVERYWHERE) ? undefined : marketTypeCodes;
	if (!isAmong(marketTypeCode(listing), types)) return false;
	if (!filter.withOrders?.length) return true;
	const own = exchange.openBets(caller.login.playerId, listing.id);
	return own.some(({ remaining }) => isAmong(remaining > 0 ? 'EXECUTABLE' : 'EXECUTION_COMPLETE', filter.withOrders));
}
