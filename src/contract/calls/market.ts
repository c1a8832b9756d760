import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { EventSummary } from '#contract/calls/event.ts';
import { Id, MarketStatus, Money, Price } from '#contract/fields.ts';

export const RunnerStatus = v.picklist(['ACTIVE', 'SUSPENDED', 'REMOVED', 'WINNER', 'LOSER', 'PLACED']);

const Colour = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/));
/** A jockey's silks; the site draws them. */
export const Silks = v.object({
	pattern: v.picklist(['PLAIN', 'HOOPS', 'STRIPES', 'SASH', 'DIAMONDS', 'SPOTS']),
	body: Colour,
	mark: Colour,
	sleeves: Colour,
	cap: Colour,
});

/** The terms with which a screen describes a market's bets. */
export const QuotedMarket = v.object({
	bettingModel: v.picklist(['EXCHANGE', 'BOOKMAKER', 'FANCY']),
	/** Its runners are lines, on which one bets YES or NO. */
	byLines: v.boolean(),
	lineRange: v.optional(v.object({ min: Price, max: Price, interval: Price })),
	numberWas: v.optional(v.object({ from: v.nullable(v.number()), to: v.nullable(v.number()) })),
});

export const Market = v.object({
	id: Id,
	eventId: Id,
	name: v.string(),
	type: v.string(),
	bettingModel: v.picklist(['EXCHANGE', 'BOOKMAKER', 'FANCY']),
	status: MarketStatus,
	inPlay: v.boolean(),
	betDelaySeconds: v.number(),
	/** Number of places, where several are paid. */
	numberOfWinners: v.number(),
	/**
	 * In an each-way market, a bet is two of the same stake: one to win at its price p, one to be placed at 1 + (p − 1) /
	 * divisor. The named stake is that of one.
	 */
	eachWayDivisor: v.optional(v.number()),
	/**
	 * In markets with removable runners: what their factors reduce. A factor below `fromPercent` changes no matched
	 * price.
	 */
	reductions: v.optional(v.object({ reduces: v.picklist(['PRICE', 'WINNINGS']), fromPercent: v.number() })),
	/** Its bets are also matched by bets on all the other runners together, so that it shows virtual prices. */
	crossMatching: v.optional(v.literal(true)),
	/** Left out in markets without starting prices. AHEAD: its auction comes at the turn in-play. */
	startingPrice: v.optional(v.picklist(['AHEAD', 'FOUND'])),
	minStake: Money,
	maxStake: Money,
	maxProfit: Money,
	/** 0.02 is two per cent of net winnings. */
	commissionRate: v.number(),
	/**
	 * CLASSIC: 350 ticks. FINE: every hundredth. RATES: every hundredth to 10.99, where 1.85 is the house's 85 per 100.
	 * LINES: the lines of `lineRange`.
	 */
	ladder: v.picklist(['CLASSIC', 'FINE', 'RATES', 'LINES']),
	/**
	 * Prices are lines: a LAY buys one and wins its stake above it, a BACK sells it and wins below; on the line both are
	 * void.
	 */
	lineRange: v.optional(v.object({ min: Price, max: Price, interval: Price })),
	/** For a fancy or line market when it is settled: the range of whole numbers of its result, null for no end. */
	numberWas: v.optional(v.object({ from: v.nullable(v.number()), to: v.nullable(v.number()) })),
	/** For over/under and handicaps; of a handicap, the first runner's: -0.25. */
	line: v.optional(v.number()),
	/** All lines of a fancy, rising. A line's runner has the line as its id; `runners` holds the relevant ones. */
	lines: v.optional(v.array(v.number())),
	/** Rises at suspension, turning in-play and runner removal. */
	version: v.number(),
	runners: v.array(
		v.object({
			id: Id,
			name: v.string(),
			sortOrder: v.number(),
			status: RunnerStatus,
			/** What an auction at the turn in-play found. */
			startingPrice: v.optional(Price),
			/** Percent, for a removed runner. */
			adjustmentFactor: v.optional(v.number()),
			/** On a fancy, YES (a back) wins when the number reaches the line, NO (a lay) when it does not. */
			line: v.optional(v.number()),
			/** Racing. */
			silks: v.optional(Silks),
			jockey: v.optional(v.string()),
			draw: v.optional(v.number()),
		}),
	),
	rules: v.string(),
});

export const getMarketsByEventId = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Market/GetByEventId',
	auth: 'optional',
	summary: 'An event with its markets and runners.',
	request: v.object({ eventId: Id }),
	response: v.object({ event: EventSummary, markets: v.array(Market) }),
});
