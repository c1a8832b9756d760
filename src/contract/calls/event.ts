import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, MarketStatus, Money, Price, queryInteger, Timestamp } from '#contract/fields.ts';

export const PriceSize = v.object({ price: Price, size: Money });

/** A fixture as match lists show it; the specification calls it an event. */
export const EventSummary = v.object({
	id: Id,
	title: v.string(),
	competition: v.string(),
	sportId: v.number(),
	sportName: v.string(),
	status: v.picklist(['UPCOMING', 'IN_PLAY', 'FINISHED', 'ABANDONED']),
	matchDate: Timestamp,
	marketCount: v.number(),
	mainMarketId: v.nullable(Id),
	hasTv: v.boolean(),
	/** One line of the score, when there is one: "NED 142/6 (18.0)". */
	score: v.optional(v.string()),
});

/** Best prices of the main market, one row for each runner: for a match home, away and, where it exists, the draw. */
export const MainMarket = v.object({
	marketId: Id,
	/** Both as `Market/GetByEventId` has them. */
	name: v.string(),
	type: v.string(),
	/** Its runners have jockeys, whose silks come with the market. */
	hasSilks: v.optional(v.literal(true)),
	status: MarketStatus,
	inPlay: v.boolean(),
	totalMatched: Money,
	runners: v.array(
		v.object({ runnerId: Id, name: v.string(), back: v.nullable(PriceSize), lay: v.nullable(PriceSize) }),
	),
});

export const PricedEvent = v.object({ ...EventSummary.entries, mainMarket: v.nullable(MainMarket) });

/** A fixture in `EventUpdate`, for lists with and without it. Prices come by the market's channel. */
export const EventRow = v.object({
	...EventSummary.entries,
	/** Null without a score. */
	score: v.nullable(v.string()),
	mainMarket: v.nullable(
		v.object({
			...v.pick(MainMarket, ['marketId', 'name', 'type', 'hasSilks']).entries,
			runners: v.array(v.object({ runnerId: Id, name: v.string() })),
		}),
	),
});

export const treeSportWithEvent = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Event/TreeSportWithEvent',
	auth: 'optional',
	quiet: true,
	versioned: true,
	summary: 'All sports with their events.',
	request: v.object({}),
	response: v.array(v.object({ id: v.number(), name: v.string(), order: v.number(), events: v.array(EventSummary) })),
});

export const getBySportName = defineCall({
	method: 'GET',
	changesState: false,
	path: 'event/GetBySportName',
	auth: 'optional',
	versioned: true,
	summary: 'The events of one sport, by its name or key, with the best prices of their main markets.',
	request: v.object({ sportName: v.pipe(v.string(), v.minLength(1), v.maxLength(40)) }),
	response: v.array(PricedEvent),
});

export const getSportsFeed = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/services/app/Sport/GetSportsFeed',
	auth: 'optional',
	quiet: true,
	summary:
		'What is on now: of each sport, how many events are in play and to come, and those in play with best prices.',
	request: v.object({
		/** One sport; all without it. */
		sportId: v.optional(queryInteger(0, 999_999_999)),
	}),
	response: v.array(
		v.object({
			sportId: v.number(),
			sportName: v.string(),
			inPlayCount: v.number(),
			upcomingCount: v.number(),
			/** In play, as match lists show them. */
			events: v.array(PricedEvent),
		}),
	),
});

/** Limit of events in one answer. */
const LONGEST_CLOSEST = 100;

export const closest = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Event/Closest',
	auth: 'optional',
	versioned: true,
	summary: 'The events in play and those that start next, over all sports, with best prices.',
	request: v.object({
		take: v.optional(queryInteger(1, LONGEST_CLOSEST), '20'),
		skip: v.optional(queryInteger(0, 100_000), '0'),
		/** Limit of events of each sport. */
		perSport: v.optional(queryInteger(1, LONGEST_CLOSEST)),
	}),
	response: v.array(PricedEvent),
});
