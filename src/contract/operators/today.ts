/** Open work, and the day’s figures. */
import * as v from 'valibot';
import { RevenueFields } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const today = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({}),
	response: v.object({
		/** Money waiting for operators, by kind and state; oldest first. */
		waiting: v.array(v.object({ kind: v.string(), state: v.string(), count: v.number(), oldest: v.string() })),
		/** Checks of the platform that fail, the oldest first; only for staff of all brands. */
		alarms: v.array(v.object({ name: v.string(), words: v.string(), todo: v.string(), since: v.string() })),
		proposals: v.number(),
		/** Players' messages and complaints that wait for an answer, and those past their deadline. */
		tickets: v.object({ waiting: v.number(), overdue: v.number() }),
		/** Open cases of compliance, and those past their deadline. */
		cases: v.object({ open: v.number(), overdue: v.number() }),
		/** Feed results that a member has to confirm: their number, and the oldest ones. Only for staff of all brands. */
		feedResults: v.object({
			count: v.number(),
			oldest: v.array(
				v.object({
					marketId: v.string(),
					eventId: v.string(),
					event: v.string(),
					market: v.string(),
					/** The result and its bets, as text. */
					result: v.string(),
					bets: v.string(),
					proposedAt: v.string(),
				}),
			),
		}),
		/** Feeds' contradictions of the stored state, oldest first; only for staff of all brands. */
		findings: v.array(
			v.object({
				findingId: v.string(),
				marketId: v.string(),
				eventId: v.string(),
				event: v.string(),
				market: v.string(),
				words: v.string(),
				reportedAt: v.string(),
			}),
		),
		/**
		 * Closed markets without a result, or a pending one; only for staff of all brands, like all following figures
		 * about markets.
		 */
		withoutResult: v.array(
			v.object({ marketId: v.string(), eventId: v.string(), event: v.string(), market: v.string() }),
		),
		/** Fixtures in play whose markets are all suspended. */
		stopped: v.array(v.object({ eventId: v.string(), event: v.string(), source: v.string() })),
		/** Players who have used nine tenths of a limit or more, the most used first. */
		atLimits: v.array(
			v.object({
				playerId: v.string(),
				userName: v.string(),
				brand: v.string(),
				/** `deposit` or `loss`. */
				what: v.string(),
				period: v.string(),
				limit: v.number(),
				used: v.number(),
			}),
		),
		/** The current hour and the 23 before, by brand and pool. */
		brands: v.array(
			v.object({
				host: v.string(),
				pool: v.string(),
				players: v.number(),
				/** Settled markets of players, and rounds of games. */
				results: v.number(),
				...RevenueFields,
				/** Currently held for open bets. */
				exposure: v.number(),
			}),
		),
		/** The same by hour of each brand's time, oldest first. */
		hours: v.array(v.object({ host: v.string(), pool: v.string(), hour: v.string(), ...RevenueFields })),
	}),
	summary: 'What waits for people, and the figures of the last 24 hours by brand and hour.',
});
