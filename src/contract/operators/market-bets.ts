/** All bets of a market: open, settled, cancelled and lapsed, a page at a time. */
import * as v from 'valibot';
import { Side } from '#contract/fields.ts';
import { NumberId, OnMarket, RunnerName } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const BET_SORTS = ['placed', 'stake', 'price', 'matched', 'profit'] as const;
export const BET_STATES = ['UNMATCHED', 'MATCHED', 'SETTLED', 'CANCELLED'] as const;

export const marketBets = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({
		...OnMarket.entries,
		sort: v.optional(v.picklist(BET_SORTS), 'placed'),
		/** The largest or newest first. */
		isDown: v.optional(v.boolean(), true),
		runner: v.optional(RunnerName),
		side: v.optional(Side),
		playerId: v.optional(NumberId),
		/** With stake that rests; with matched stake in an open market; decided by a result; ended without one. */
		state: v.optional(v.picklist(BET_STATES)),
		/** `next` of an earlier page of the same question. */
		before: v.optional(v.pipe(v.string(), v.regex(/^(-?\d{1,16}\.\d{1,16})?$/, 'The page is not valid.')), ''),
		count: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(500)), 100),
	}),
	response: v.object({
		market: v.string(),
		event: v.string(),
		status: v.string(),
		runners: v.array(v.object({ id: v.string(), name: v.string() })),
		rows: v.array(
			v.object({
				betId: v.string(),
				playerId: v.string(),
				/** `house 1` for wallets of the house. */
				player: v.string(),
				brand: v.nullable(v.string()),
				pool: v.string(),
				runner: v.string(),
				side: Side,
				price: v.number(),
				stake: v.number(),
				matched: v.number(),
				averagePrice: v.nullable(v.number()),
				remaining: v.number(),
				/** Cancelled, lapsed and void. */
				gone: v.number(),
				result: v.nullable(v.string()),
				/** Before commission; null before the result. */
				profit: v.nullable(v.number()),
				placedAt: v.string(),
				matchedAt: v.nullable(v.string()),
			}),
		),
		next: v.nullable(v.string()),
	}),
	summary: 'All bets of a market with their players, sorted and filtered, a page at a time.',
});
