/** The result desk: markets that wait for a result, what feeds and members say, and who gains by each result. */
import * as v from 'valibot';
import { MarketStanding, OnMarket } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

const read = { permission: 'markets.read', about: 'platform', looks: true } as const;

export const resultDesk = defineOperatorCall({
	...read,
	input: v.strictObject({}),
	/** The most urgent first: contradictions, then markets with real money, then those that wait longest. */
	response: v.array(
		v.object({
			marketId: v.string(),
			market: v.string(),
			eventId: v.string(),
			event: v.string(),
			sport: v.string(),
			source: v.string(),
			status: v.string(),
			eventStatus: v.string(),
			score: v.nullable(v.string()),
			/** Since play ended, betting was closed, or a result or a contradiction came; null when nothing says. */
			since: v.nullable(v.string()),
			/** Backers' matched stake by pool. */
			matched: v.array(v.object({ pool: v.string(), stake: v.number() })),
			/** The results that wait to be confirmed. */
			proposed: v.array(v.object({ by: v.string(), result: v.string() })),
			/** Why what is said does not agree; empty when it agrees. */
			conflicts: v.array(v.string()),
		}),
	),
	summary: 'Every market that waits for a result, the most urgent first, with what contradicts.',
});

export const resultEvidence = defineOperatorCall({
	...read,
	input: OnMarket,
	response: v.object({
		...MarketStanding.entries,
		eventId: v.string(),
		event: v.string(),
		eventStatus: v.string(),
		source: v.string(),
		score: v.nullable(v.string()),
		conflicts: v.array(v.string()),
		/** Oldest first. */
		evidence: v.array(
			v.object({
				at: v.string(),
				who: v.string(),
				what: v.string(),
				/** The state of a proposal or a finding; null for an event of play. */
				state: v.nullable(v.string()),
				/** Whether it names the result that stands: what was paid, or what waits first. Null where it names none. */
				agrees: v.nullable(v.boolean()),
			}),
		),
		/** What is paid by each result, major units. */
		results: v.array(
			v.object({
				result: v.string(),
				/** The act that proposes it; null while the market takes bets. */
				asked: v.nullable(v.object({ act: v.string(), input: v.record(v.string(), v.unknown()) })),
				/** Who said so and was not rejected. */
				saidBy: v.array(v.string()),
				isPaid: v.boolean(),
				/** Results of the house's wallets, and commission of players. */
				house: v.array(v.object({ pool: v.string(), amount: v.number() })),
				winners: v.number(),
				losers: v.number(),
				/** Players after commission: the largest wins, then the largest losses. */
				largest: v.array(
					v.object({
						playerId: v.string(),
						player: v.string(),
						brand: v.nullable(v.string()),
						pool: v.string(),
						amount: v.number(),
					}),
				),
			}),
		),
		/** More results are possible than are listed. */
		isPartial: v.boolean(),
	}),
	summary: 'What feeds and members say about a market’s result, and who gains and who loses by each.',
});
