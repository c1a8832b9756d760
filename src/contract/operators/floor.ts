/** The trading floor: all matches in view, the bets as they come, and the keys that stop them. */
import * as v from 'valibot';
import { Amount, Side } from '#contract/fields.ts';
import { NumberId, Sums } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { POOLS } from '#values/pools.ts';
import { SPORTS } from '#values/sports.ts';

const trade = { permission: 'markets.trade', about: 'platform' } as const;
const read = { permission: 'markets.read', about: 'platform', looks: true } as const;

const Sport = v.picklist(
	SPORTS.map(({ key }) => key),
	'There is no such sport.',
);
/** The source of an event's prices: a feed, or `by-hand`. */
const Source = v.pipe(v.string(), v.minLength(1), v.maxLength(40));

export const panic = defineOperatorCall({
	...trade,
	isUrgent: true,
	/** One of the fields. */
	input: v.strictObject({
		marketId: v.optional(NumberId),
		eventId: v.optional(NumberId),
		sport: v.optional(Sport),
		source: v.optional(Source),
		/** Every market of the platform. */
		isAll: v.optional(v.boolean()),
	}),
	response: v.object({
		/** For `resume-all`; null when nothing was left to suspend. */
		pressId: v.nullable(v.string()),
		suspended: v.number(),
	}),
	summary:
		'Suspends every market of a market, an event, a sport, a feed or the platform at once; what an operator holds already stays apart.',
});

const Left = v.object({ marketId: v.string(), market: v.string(), event: v.string(), why: v.string() });

export const resumeAll = defineOperatorCall({
	...trade,
	input: v.strictObject({ pressId: NumberId }),
	response: v.object({
		resumed: v.number(),
		/** Let go to their feeds, which open them with fresh prices. */
		released: v.number(),
		/** What has moved on since the press. */
		left: v.array(Left),
	}),
	summary:
		'Resumes exactly the markets that one press suspended; those of feeds wait for the feed’s prices, and what was suspended again stays.',
});

export const presses = defineOperatorCall({
	...read,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			pressId: v.string(),
			at: v.string(),
			actor: v.string(),
			scope: v.string(),
			suspended: v.number(),
			/** Still suspended by this press. */
			standing: v.number(),
		}),
	),
	summary: 'The panic presses of the last day, newest first, and how many of their markets are still suspended.',
});

const Liability = v.object({
	pool: v.picklist(POOLS),
	/** Of the match's markets together: the sum of their worst outcomes for the house. */
	worst: v.number(),
});

export const floor = defineOperatorCall({
	...read,
	input: v.strictObject({ sport: v.optional(Sport) }),
	response: v.array(
		v.object({
			eventId: v.string(),
			event: v.string(),
			sport: v.string(),
			source: v.string(),
			status: v.string(),
			score: v.nullable(v.string()),
			markets: v.number(),
			open: v.number(),
			suspended: v.number(),
			/** Markets whose limits rules hold down. */
			tightened: v.number(),
			/** Backers' stake in the last minute, all markets and pools. */
			matchedLastMinute: Sums,
			house: v.array(Liability),
			/** The house's result of the main market by outcome, all pools. */
			outcomes: v.array(v.object({ outcome: v.string(), house: Sums })),
			/** The largest loss that one player can have in a market of the match, of each currency. */
			largest: Sums,
			/** Since a feed last confirmed prices, seconds; null without a feed. */
			feedAge: v.nullable(v.number()),
		}),
	),
	summary:
		'Every match under way or announced: score, state, liability, what was matched in the last minute, age of its feed.',
});

export const betsTaken = defineOperatorCall({
	...read,
	input: v.strictObject({
		sport: v.optional(Sport),
		eventId: v.optional(NumberId),
		marketId: v.optional(NumberId),
		playerId: v.optional(NumberId),
		brand: v.optional(v.pipe(v.string(), v.maxLength(253))),
		/** The smallest stake. */
		least: v.optional(Amount),
	}),
	/** Newest first, a hundred at most. */
	response: v.array(
		v.object({
			betId: v.string(),
			at: v.string(),
			playerId: v.string(),
			player: v.string(),
			brand: v.nullable(v.string()),
			sport: v.string(),
			eventId: v.string(),
			event: v.string(),
			marketId: v.string(),
			market: v.string(),
			runner: v.string(),
			side: Side,
			price: v.number(),
			stake: v.number(),
			matched: v.number(),
			/** A tenth of the largest stake of its market, or more. */
			isLarge: v.boolean(),
		}),
	),
	summary: 'The bets that players placed last, newest first, filtered.',
});
