import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, Money, page, paging, Timestamp } from '#contract/fields.ts';

/** A player's result in one settled market. */
export const SettledMarket = v.object({
	marketId: Id,
	marketName: v.string(),
	eventId: Id,
	eventTitle: v.string(),
	sportId: v.number(),
	settledAt: Timestamp,
	/** Won or lost before commission. */
	net: Money,
	commission: Money,
	/** net − commission */
	profit: Money,
});

/** Sums over all rows of the filter, not only over this page. */
const sums = { markets: v.number(), net: Money, commission: Money, profit: Money };

/** A day of the brand's time zone, such as 2026-11-21; it has 23 or 25 hours where the clocks change. */
export const SettledDay = v.object({ day: v.string(), ...sums });

export const getUserProfitLoss = defineCall({
	method: 'POST',
	path: 'Bet/GetUserProfitLoss',
	auth: 'player',
	whileSuspended: true,
	summary: 'Settled profit and loss by market, newest first, with its sums over all and by day.',
	request: v.object({
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
		sportId: v.optional(v.number()),
		...paging,
	}),
	response: v.object({ ...page(SettledMarket).entries, ...sums, days: v.array(SettledDay) }),
});
