import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { PriceSize } from '#contract/calls/event.ts';
import { RunnerStatus } from '#contract/calls/market.ts';
import { Id, MarketStatus, Money, Price, queryInteger, Timestamp } from '#contract/fields.ts';
import { MarkKind } from '#contract/score-marks.ts';
import { MOST_BOOKS } from '#values/most-books.ts';

/** `back` holds the prices available to a backer now, best first; `lay` those available to a layer. */
export const RunnerBook = v.object({
	runnerId: Id,
	status: RunnerStatus,
	lastPriceTraded: v.nullable(Price),
	totalMatched: Money,
	back: v.array(PriceSize),
	lay: v.array(PriceSize),
});

export const MarketBook = v.object({
	marketId: Id,
	/** Rises with every change of this book; hub deltas carry it too. */
	version: v.number(),
	status: MarketStatus,
	inPlay: v.boolean(),
	totalMatched: Money,
	runners: v.array(RunnerBook),
});

export const getUserOddsV2 = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Odds/GetUserOddsV2',
	auth: 'optional',
	quiet: true,
	summary: 'The books of up to 50 markets in the caller’s pool, three levels deep unless asked for up to ten.',
	request: v.object({
		marketIds: v.pipe(
			v.string(),
			v.transform((list) => [...new Set(list.split(',').filter((id) => id !== ''))]),
			v.array(Id),
			v.minLength(1),
			v.maxLength(MOST_BOOKS),
		),
		depth: v.optional(queryInteger(1, 10), '3'),
	}),
	response: v.array(MarketBook),
});

export const getUserOdds = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Odds/getuserodds',
	auth: 'optional',
	quiet: true,
	summary: 'The book of one market.',
	request: v.object({ marketId: Id, depth: v.optional(queryInteger(1, 10), '3') }),
	response: MarketBook,
});

/** The trades of a runner within an interval: a minute, or longer for older ones. */
export const PricePoint = v.object({
	/** The time of the first trade. */
	at: Timestamp,
	/** The average price, by stake. */
	price: Price,
	low: Price,
	high: Price,
	/** Backers' stake. */
	volume: Money,
});

export const getPriceHistory = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Odds/GetPriceHistory',
	auth: 'optional',
	quiet: true,
	summary:
		'What the runners of a market were traded at in the caller’s pool, all of them or one, at most 180 points each. Voided ' +
		'matches stay in it.',
	request: v.object({ marketId: Id, runnerId: v.optional(Id) }),
	response: v.object({
		/** In the market's order, including untraded ones. */
		runners: v.array(v.object({ runnerId: Id, points: v.array(PricePoint) })),
		/** The fixture's incidents, oldest first. */
		marks: v.array(v.object({ at: Timestamp, kind: MarkKind, side: v.nullable(v.number()) })),
	}),
});

export const getLadder = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Odds/GetLadder',
	auth: 'optional',
	quiet: true,
	summary:
		'What the runners of a market were traded at in the caller’s pool since the server started, price by price, all of ' +
		'them or one, what their starting prices would be, and the places of the player’s own bets in their queues.',
	request: v.object({ marketId: Id, runnerId: v.optional(Id) }),
	response: v.object({
		/** In the market's order; backers' stake, by rising price. */
		runners: v.array(
			v.object({
				runnerId: Id,
				traded: v.array(PriceSize),
				/**
				 * In a market whose starting prices are still to be found: what they would be now. The far price counts bets on
				 * close alone, the near price also what rests in the book and takes the starting price; null where nothing would be
				 * matched.
				 */
				start: v.optional(v.object({ near: v.nullable(Price), far: v.nullable(Price) })),
			}),
		),
		/** Of the player's bets on these runners that rest in the book; none behind more than 2,000 bets. */
		places: v.array(
			v.object({
				betId: Id,
				/** The stake that is matched before it at its price. */
				ahead: Money,
			}),
		),
	}),
});

export const getUserLimits = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Odds/GetUserLimits',
	auth: 'player',
	quiet: true,
	summary: 'What the player may stake in a market now.',
	request: v.object({ marketId: Id }),
	response: v.object({
		minStake: Money,
		maxStake: Money,
		maxProfit: Money,
		maxExposure: Money,
		availableToBet: Money,
		betDelaySeconds: v.number(),
	}),
});
