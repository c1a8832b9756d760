/** Operations that list the markets on offer. */
import * as v from 'valibot';
import { poolOf } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import {
	bettingTypeOf,
	competitionIdOf,
	eventTypeName,
	eventTypeOf,
	handicapOf,
	ladderOf,
	marketTypeCode,
	selectionIdOf,
	wireMarketId,
	wirePrice,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import { type Filter, MarketFilter, marketsOf, type SeenMarket } from '#server/doors/bots-api/market-filter.ts';
import { type BotParts, given, operation, Text, Whole } from '#server/doors/bots-api/operation.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { DAY_MS } from '#values/time.ts';

const Filtered = v.object({ filter: v.nullish(MarketFilter, {}), locale: given(Text) });

/** One row for each value that `keyOf` finds, with the number of its markets. */
function counted<Row>(
	markets: readonly SeenMarket[],
	keyOf: (seen: SeenMarket) => string,
	rowOf: (seen: SeenMarket, marketCount: number) => Row,
): Row[] {
	const groups = Map.groupBy(markets, keyOf);
	return [...groups.values()].map((group) => rowOf(group[0] as SeenMarket, group.length));
}

const list = <Row>(keyOf: (seen: SeenMarket) => string, rowOf: (seen: SeenMarket, marketCount: number) => Row) =>
	operation({
		request: Filtered,
		run: (parts, { filter }, caller) => counted(marketsOf(parts, filter, caller), keyOf, rowOf),
	});

const eventView = ({ id, title, startsAtMs }: Fixture) => ({
	id: String(id),
	name: title,
	timezone: 'UTC',
	openDate: wireTime(startsAtMs),
});

const eventTypeView = ({ sportId }: Fixture) => ({ id: eventTypeOf(sportId), name: eventTypeName(sportId) });
const competitionView = (fixture: Fixture) => ({ id: competitionIdOf(fixture), name: fixture.competition });

const PERIODS = { DAYS: DAY_MS, HOURS: 3_600_000, MINUTES: 60_000 } as const;

const Projection = v.picklist([
	'COMPETITION',
	'EVENT',
	'EVENT_TYPE',
	'MARKET_START_TIME',
	'MARKET_DESCRIPTION',
	'RUNNER_DESCRIPTION',
	'RUNNER_METADATA',
]);
const MOST_RESULTS = 1_000;
const MOST_WEIGHT = 200;
/** The cost of a market by projection, as the service documents it. */
const WEIGHTS: Partial<Record<v.InferOutput<typeof Projection>, number>> = {
	MARKET_DESCRIPTION: 1,
	RUNNER_METADATA: 1,
};

const Catalogue = v.object({
	filter: v.nullish(MarketFilter, {}),
	marketProjection: given(v.array(Projection)),
	sort: given(
		v.picklist([
			'MINIMUM_TRADED',
			'MAXIMUM_TRADED',
			'MINIMUM_AVAILABLE',
			'MAXIMUM_AVAILABLE',
			'FIRST_TO_START',
			'LAST_TO_START',
		]),
	),
	maxResults: v.pipe(Whole, v.minValue(1), v.maxValue(MOST_RESULTS)),
	locale: given(Text),
});

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Matched and offered in the caller's pool, minor units. */
function moneyIn({ exchange }: BotParts, { listing }: SeenMarket, caller: BotCaller) {
	const book = exchange.book(listing.id, poolOf(caller));
	const offered = (book?.runners ?? []).flatMap(({ back, lay }) => [...back, ...lay].map(({ size }) => size));
	return { traded: book?.totalMatched ?? 0, available: sum(offered) };
}

function sorted(parts: BotParts, markets: SeenMarket[], sort: string | undefined, caller: BotCaller): SeenMarket[] {
	if (sort === undefined || sort === 'FIRST_TO_START') return markets;
	if (sort === 'LAST_TO_START') return markets.reverse();
	const field = sort.endsWith('TRADED') ? 'traded' : 'available';
	const sign = sort.startsWith('MINIMUM') ? 1 : -1;
	const amounts = new Map(markets.map((seen) => [seen, moneyIn(parts, seen, caller)[field]]));
	return markets.sort((one, other) => sign * ((amounts.get(one) ?? 0) - (amounts.get(other) ?? 0)));
}

function descriptionOf({ listing, fixture, market }: SeenMarket) {
	const startsAt = wireTime(fixture.startsAtMs);
	const { lineRange, eachWayDivisor, rules } = listing;
	return {
		persistenceEnabled: true,
		bspMarket: market.startingPrice,
		marketTime: startsAt,
		suspendTime: startsAt,
		bettingType: bettingTypeOf(listing),
		turnInPlayEnabled: true,
		marketType: marketTypeCode(listing),
		regulator: 'NONE',
		marketBaseRate: listing.commissionBp / 100,
		discountAllowed: market.commissionBp > 0,
		wallet: 'UK wallet',
		rules,
		rulesHasDate: false,
		...(eachWayDivisor === undefined ? {} : { eachWayDivisor }),
		...(lineRange
			? {
					lineRangeInfo: {
						marketUnit: 'points',
						interval: wirePrice(lineRange.interval),
						minUnitValue: wirePrice(lineRange.min),
						maxUnitValue: wirePrice(lineRange.max),
					},
				}
			: {}),
		priceLadderDescription: { type: ladderOf(listing) },
	};
}

function runnersOf({ listing }: SeenMarket, withMetadata: boolean) {
	return listing.runners.map(({ name, jockey, draw }, runner) => {
		const selectionId = selectionIdOf(listing, runner);
		const metadata = {
			runnerId: String(selectionId),
			...(jockey === undefined ? {} : { JOCKEY_NAME: jockey }),
			...(draw === undefined ? {} : { STALL_DRAW: String(draw) }),
		};
		return {
			selectionId,
			runnerName: name,
			handicap: handicapOf(listing, runner),
			sortPriority: runner + 1,
			...(withMetadata ? { metadata } : {}),
		};
	});
}

function catalogue(parts: BotParts, input: v.InferOutput<typeof Catalogue>, caller: BotCaller) {
	const projections = new Set(input.marketProjection ?? []);
	const weight = sum([...projections].map((projection) => WEIGHTS[projection] ?? 0));
	if (weight * input.maxResults > MOST_WEIGHT) throw new ApingException('TOO_MUCH_DATA');
	const found = sorted(parts, marketsOf(parts, input.filter, caller), input.sort, caller);
	const withMetadata = projections.has('RUNNER_METADATA');
	const withRunners = withMetadata || projections.has('RUNNER_DESCRIPTION');
	return found.slice(0, input.maxResults).map((seen) => ({
		marketId: wireMarketId(seen.listing.id),
		marketName: seen.listing.name,
		...(projections.has('MARKET_START_TIME') ? { marketStartTime: wireTime(seen.fixture.startsAtMs) } : {}),
		...(projections.has('MARKET_DESCRIPTION') ? { description: descriptionOf(seen) } : {}),
		totalMatched: wireSize(moneyIn(parts, seen, caller).traded),
		...(withRunners ? { runners: runnersOf(seen, withMetadata) } : {}),
		...(projections.has('EVENT_TYPE') ? { eventType: eventTypeView(seen.fixture) } : {}),
		...(projections.has('COMPETITION') ? { competition: competitionView(seen.fixture) } : {}),
		...(projections.has('EVENT') ? { event: eventView(seen.fixture) } : {}),
	}));
}

export const CATALOGUE_OPERATIONS = {
	listEventTypes: list(
		({ fixture }) => eventTypeOf(fixture.sportId),
		({ fixture }, marketCount) => ({ eventType: eventTypeView(fixture), marketCount }),
	),
	listCompetitions: list(
		({ fixture }) => competitionIdOf(fixture),
		({ fixture }, marketCount) => ({
			competition: competitionView(fixture),
			marketCount,
			competitionRegion: 'International',
		}),
	),
	listTimeRanges: operation({
		request: v.object({
			filter: v.nullish(MarketFilter, {}),
			granularity: v.nullish(v.picklist(['DAYS', 'HOURS', 'MINUTES']), 'DAYS'),
		}),
		run: (parts, { filter, granularity }, caller) => {
			const period = PERIODS[granularity];
			const startOf = ({ fixture }: SeenMarket) => Math.floor(fixture.startsAtMs / period) * period;
			return counted(
				marketsOf(parts, filter, caller),
				(seen) => String(startOf(seen)),
				(seen, marketCount) => ({
					timeRange: { from: wireTime(startOf(seen)), to: wireTime(startOf(seen) + period) },
					marketCount,
				}),
			);
		},
	}),
	listEvents: list(
		({ fixture }) => String(fixture.id),
		({ fixture }, marketCount) => ({ event: eventView(fixture), marketCount }),
	),
	listMarketTypes: list(
		({ listing }) => marketTypeCode(listing),
		({ listing }, marketCount) => ({ marketType: marketTypeCode(listing), marketCount }),
	),
	// Fixtures have neither venues nor countries here.
	listCountries: operation({ request: Filtered, run: () => [] }),
	listVenues: operation({ request: Filtered, run: () => [] }),
	listMarketCatalogue: operation({ request: Catalogue, run: catalogue }),
};

const ALL: Filter = {} as Filter;

/** The navigation file: sports, their events, the events' markets. */
export function navigationMenu(parts: BotParts, caller: BotCaller) {
	const bySport = Map.groupBy(marketsOf(parts, ALL, caller), ({ fixture }) => fixture.sportId);
	return {
		children: [...bySport].map(([sportId, ofSport]) => ({
			children: [...Map.groupBy(ofSport, ({ fixture }) => fixture.id).values()].map((ofEvent) => ({
				children: ofEvent.map(({ listing, fixture }) => ({
					exchangeId: '1',
					id: wireMarketId(listing.id),
					marketStartTime: wireTime(fixture.startsAtMs),
					marketType: marketTypeCode(listing),
					numberOfWinners: Math.max(1, listing.numberOfWinners),
					name: listing.name,
					type: 'MARKET',
				})),
				id: String(ofEvent[0]?.fixture.id),
				name: ofEvent[0]?.fixture.title ?? '',
				countryCode: '',
				type: 'EVENT',
			})),
			id: eventTypeOf(sportId),
			name: eventTypeName(sportId),
			type: 'EVENT_TYPE',
		})),
		id: 0,
		name: 'ROOT',
		type: 'GROUP',
	};
}
