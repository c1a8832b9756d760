/** What waits, and the day’s figures. */
import * as v from 'valibot';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const today = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({}),
	response: v.object({
		/** Money that waits for a person, by kind and state; the oldest first. */
		waiting: v.array(v.object({ kind: v.string(), state: v.string(), count: v.number(), oldest: v.string() })),
		proposals: v.number(),
		/** Markets that are closed and have no result; only for staff of all brands, as all that follows about markets. */
		withoutResult: v.array(
			v.object({ marketId: v.string(), eventId: v.string(), event: v.string(), market: v.string() }),
		),
		/** Fixtures in play of which every market is suspended. */
		stopped: v.array(v.object({ eventId: v.string(), event: v.string(), source: v.string() })),
		/** The last 24 hours by brand. */
		brands: v.array(
			v.object({
				host: v.string(),
				pool: v.string(),
				players: v.number(),
				results: v.number(),
				/** What players won in markets, before commission; below zero they lost. */
				net: v.number(),
				commission: v.number(),
				/** Held for open bets now. */
				exposure: v.number(),
			}),
		),
		hours: v.array(v.object({ pool: v.string(), at: v.string(), net: v.number(), commission: v.number() })),
	}),
	summary: 'What waits for people, and the figures of the last 24 hours by brand and hour.',
});
