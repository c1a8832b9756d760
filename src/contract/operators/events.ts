/** Events that traders play by hand: created, priced, scored and ended without a feed. */
import * as v from 'valibot';
import { ScoreCard } from '#contract/calls/score.ts';
import { Amount, DecimalPrice, Timestamp } from '#contract/fields.ts';
import { MarketStanding, NumberId, OnMarket } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { SCORE_ACT_NAMES } from '#values/score-acts.ts';

const trade = { permission: 'markets.trade', about: 'platform' } as const;

const Title = v.pipe(v.string(), v.trim(), v.minLength(3, 'The title is too short.'), v.maxLength(120));
const Competition = v.pipe(v.string(), v.trim(), v.minLength(2, 'Name the competition.'), v.maxLength(80));
const SideName = v.pipe(v.string(), v.trim(), v.minLength(1, 'Name both sides.'), v.maxLength(60));
const OnEvent = v.strictObject({ eventId: NumberId });

/** An event by hand as it stands. */
const OwnEvent = v.object({
	eventId: v.string(),
	event: v.string(),
	sport: v.string(),
	competition: v.string(),
	sides: v.array(v.string()),
	status: v.string(),
	startsAt: v.string(),
	/** The score in a few words; empty before play. */
	score: v.string(),
	card: ScoreCard,
	/** Of the score; a score names the version that the trader saw. */
	version: v.number(),
	canUndo: v.boolean(),
	/** Markets that the sport's template can open, and whether they are open already. */
	templates: v.array(
		v.object({
			name: v.string(),
			isListed: v.boolean(),
			/** Its bets can also be matched across runners. */
			mayCross: v.boolean(),
		}),
	),
});

export const eventAdd = defineOperatorCall({
	...trade,
	input: v.strictObject({
		sport: v.picklist(['cricket', 'football', 'tennis', 'kabaddi']),
		competition: Competition,
		firstSide: SideName,
		secondSide: SideName,
		startsAt: Timestamp,
		/** "First v second" without one. */
		title: v.optional(Title),
		/** Cricket: overs of an innings. */
		overs: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(90)), 20),
		/** Tennis: the most sets that are played. */
		bestOf: v.optional(v.picklist([3, 5]), 3),
	}),
	response: OwnEvent,
	summary: 'Creates an event that no feed plays; players see it at once, and markets are opened in it.',
});
export const eventShow = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: OnEvent,
	response: OwnEvent,
	summary: 'An event by hand with its score, and the markets that its sport’s templates can open.',
});
export const eventEdit = defineOperatorCall({
	...trade,
	input: v.strictObject({
		...OnEvent.entries,
		title: v.optional(Title),
		competition: v.optional(Competition),
		/** Before play alone. */
		startsAt: v.optional(Timestamp),
	}),
	response: OwnEvent,
	summary: 'Corrects the names or the announced start of an event by hand; what is left out stays.',
});
export const eventOpenMarket = defineOperatorCall({
	...trade,
	input: v.strictObject({
		...OnEvent.entries,
		template: v.pipe(v.string(), v.maxLength(100)),
		/** Its bets are also matched across runners: players see virtual prices beside real ones. */
		crossMatching: v.optional(v.boolean(), false),
	}),
	response: MarketStanding,
	summary:
		'Opens a market of an event by hand from a template of its sport; one that is listed already stays as it is.',
});
export const eventStart = defineOperatorCall({
	...trade,
	input: OnEvent,
	response: OwnEvent,
	summary: 'Begins play: markets turn in-play, and those that are decided before play close. Prices are given anew.',
});
export const eventScore = defineOperatorCall({
	...trade,
	isUrgent: true,
	input: v.strictObject({
		...OnEvent.entries,
		act: v.picklist(SCORE_ACT_NAMES, 'No sport has such a score.'),
		side: v.optional(v.nullable(v.picklist([0, 1])), null),
		seenVersion: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
	}),
	response: v.object({ ...OwnEvent.entries, suspended: v.number() }),
	summary:
		'Adds to the score of an event by hand, or takes the latest addition back. A goal or a wicket suspends every market first.',
});
export const eventEnd = defineOperatorCall({
	permission: 'results.propose',
	about: 'platform',
	input: v.strictObject({
		...OnEvent.entries,
		/** Play stopped early: each market ends by the rule of its type. */
		isAbandoned: v.optional(v.boolean(), false),
	}),
	response: v.object({
		...OwnEvent.entries,
		/** Markets whose result was proposed, and those whose result the score does not give. */
		proposed: v.number(),
		undecided: v.array(v.string()),
	}),
	summary:
		'Ends or abandons an event by hand: markets close, and the results that follow are proposed to another member.',
});

/** What players may back and lay at; null quotes nothing. */
const Prices = v.strictObject({ back: v.nullable(DecimalPrice), lay: v.nullable(DecimalPrice) });
const MOST_RUNNERS = 100;

export const priceMarket = defineOperatorCall({
	...trade,
	input: v.strictObject({
		...OnMarket.entries,
		seenVersion: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
		/** Of each runner, in the market's order. */
		prices: v.optional(v.pipe(v.array(Prices), v.maxLength(MOST_RUNNERS))),
		/** In place of prices: the chance of each runner, per cent. */
		chances: v.optional(v.pipe(v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(100))), v.maxLength(MOST_RUNNERS))),
		/** Of the fair price, per cent on both sides; with chances. */
		margin: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(20)), 2),
		/** The stake that each price takes; with prices. */
		size: v.optional(Amount),
	}),
	response: MarketStanding,
	summary:
		'Quotes an operator’s market at prices, or from chances with a margin, and takes bets at them, unless it was suspended since it was seen.',
});
