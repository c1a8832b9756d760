/** The casino: the takings and payouts of the house's games, and their rounds. */
import * as v from 'valibot';
import { Amount } from '#contract/fields.ts';
import { DomainName, NumberId, ofWorkflow, Reason, SpokenId } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

const casino = { permission: 'casino.read', about: 'own-brands', looks: true } as const;
const Game = v.pipe(v.string(), v.maxLength(40));

export const casinoGames = defineOperatorCall({
	...casino,
	input: v.strictObject({ days: v.optional(v.picklist([1, 7, 30]), 1) }),
	response: v.array(
		v.object({
			game: v.string(),
			name: v.string(),
			pool: v.string(),
			/** Rounds that ended in the period, their stakes and payouts, major units. */
			rounds: v.number(),
			staked: v.number(),
			paid: v.number(),
			/** The house's result. */
			house: v.number(),
			/** The measured return, and the average return of the pay table; null if it depends on play. */
			measured: v.nullable(v.number()),
			exact: v.nullable(v.number()),
			/**
			 * The deviation of the measured return by luck in 999 of 1,000 periods like this one; null if it depends on
			 * play.
			 */
			bound: v.nullable(v.number()),
			open: v.number(),
			/** Since when the game has this pay table; null for another provider’s. */
			liveSince: v.nullable(v.string()),
		}),
	),
	summary: 'The games with their rounds, house figures and returns over some days.',
});

export const casinoRounds = defineOperatorCall({
	...casino,
	input: v.strictObject({
		game: v.optional(Game, ''),
		playerId: v.optional(v.nullable(NumberId), null),
		open: v.optional(v.boolean(), false),
		/** Rounds before this one. */
		before: v.optional(v.nullable(NumberId), null),
	}),
	response: v.array(
		v.object({
			roundId: v.string(),
			game: v.string(),
			playerId: v.string(),
			who: v.string(),
			brand: v.nullable(v.string()),
			pool: v.string(),
			state: v.string(),
			at: v.string(),
			stake: v.number(),
			payout: v.number(),
			result: v.string(),
			/** The game's provider; null for the house's own. */
			provider: v.nullable(v.string()),
		}),
	),
	summary: 'Rounds, newest first, a page of 200.',
});

export const casinoProviders = defineOperatorCall({
	...casino,
	about: 'platform',
	input: v.strictObject({}),
	response: v.array(
		v.object({
			provider: v.string(),
			name: v.string(),
			dialect: v.string(),
			games: v.number(),
			resting: v.number(),
			/** Open rounds, and those open longer than the alert allows. */
			open: v.number(),
			late: v.number(),
			/** The last day that was compared with the provider's report, such as 2026-11-22. */
			day: v.nullable(v.string()),
			differences: v.number(),
		}),
	),
	summary: 'Outside providers with their open rounds and the last comparison of the books.',
});

export const roundClose = defineOperatorCall({
	permission: 'casino.edit',
	about: 'workflow',
	input: ofWorkflow(
		v.strictObject({
			kind: v.optional(v.literal('CASINO'), 'CASINO'),
			id: SpokenId,
			reason: v.pipe(v.string(), v.trim(), v.minLength(1, 'Give a reason.'), v.maxLength(500)),
		}),
	),
	response: v.object({ id: v.string(), state: v.string(), returned: v.number() }),
	summary: 'Ends a round that its provider left open; stakes that nothing was paid for go back.',
});

export const gameRules = defineOperatorCall({
	...casino,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			game: v.string(),
			name: v.string(),
			/** Null for the house's own. */
			provider: v.nullable(v.string()),
			/** Of all brands first, then of each brand that the member sees. Major units; null without a limit. */
			rules: v.array(v.object({ host: v.nullable(v.string()), open: v.boolean(), maxStake: v.nullable(v.number()) })),
		}),
	),
	summary: 'Every game of the casino, with whether it is open and its largest stake, on all brands and on each.',
});

const GAME_RULE = {
	game: Game,
	open: v.boolean(),
	/** Of a player in a round; left out, the house's limits hold. */
	maxStake: v.optional(Amount),
	reason: Reason,
};
const GameRuleSet = v.object({ game: v.string(), open: v.boolean(), maxStake: v.nullable(v.number()) });

export const gameRuleSet = defineOperatorCall({
	permission: 'casino.edit',
	about: 'brand',
	input: v.strictObject({ host: DomainName, ...GAME_RULE }),
	response: GameRuleSet,
	summary: 'Opens or closes a game on a brand, and limits its stakes; rounds that have begun are finished.',
});

export const gameRuleSetForAll = defineOperatorCall({
	permission: 'casino.edit',
	about: 'platform',
	input: v.strictObject(GAME_RULE),
	response: GameRuleSet,
	summary: 'The same on all brands; where a brand has a rule of its own, the stricter one holds.',
});
