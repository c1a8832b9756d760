/** Reports: profit by brand, sport, market or day, the casino's by game, and the trial balance, also day by day. */
import * as v from 'valibot';
import { Day, RevenueFields } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { POOLS } from '#values/pools.ts';

export const GROUPS = ['brand', 'day', 'hour', 'sport', 'market', 'game'] as const;

export const reportProfit = defineOperatorCall({
	permission: 'reports.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		/** Days of each brand's own calendar, both included. */
		from: Day,
		to: Day,
		by: v.picklist(GROUPS),
	}),
	response: v.array(
		v.object({
			/** The group: a host, a day, an hour, a sport or the casino, a market, or a game. */
			group: v.string(),
			pool: v.string(),
			/** Whose day or hour the group is: brands of other zones have their own. Null for other groups. */
			zone: v.nullable(v.string()),
			players: v.number(),
			/** Settled markets of players, or rounds of games. */
			results: v.number(),
			...RevenueFields,
			/**
			 * Bonuses and rewards of referrals that became players' money, less what was taken back, of groups by brand.
			 */
			bonuses: v.number(),
			/** Gross gaming revenue less bonuses. */
			house: v.number(),
		}),
	),
	summary: 'Profit of a period, in groups.',
});

export const reportLifetime = defineOperatorCall({
	permission: 'reports.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		/** Days of each brand's own calendar on which players signed up, both included. */
		from: Day,
		to: Day,
		by: v.picklist(['player', 'month']),
	}),
	response: v.array(
		v.object({
			/** A player's name, or the month of sign-up. */
			group: v.string(),
			playerId: v.nullable(v.string()),
			brand: v.string(),
			pool: v.string(),
			players: v.number(),
			/** Those who have bet or played. */
			active: v.number(),
			/** For a group the earliest; null for none. */
			firstBet: v.nullable(v.string()),
			/** Days with a result of a market or a round, summed over the players. */
			days: v.number(),
			deposits: v.number(),
			withdrawals: v.number(),
			turnover: v.number(),
			/** Gross gaming revenue, of all time. */
			ggr: v.number(),
			/** Bonuses and rewards of referrals that became the player's money, less what was taken back. */
			bonuses: v.number(),
		}),
	),
	summary: 'What players who signed up in a period have done since, by player or by month of sign-up.',
});

/** Null for an account of another brand than the member's. */
const MetAccount = v.nullable(v.object({ playerId: v.string(), userName: v.string(), brand: v.string() }));

export const suspiciousMatches = defineOperatorCall({
	permission: 'reports.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		/** Days of the books' calendar, both included; 31 at most. */
		from: Day,
		to: Day,
	}),
	response: v.array(
		v.object({
			/** Of the pair in this answer alone: of its accounts, it says nothing. */
			pair: v.string(),
			one: MetAccount,
			other: MetAccount,
			pool: v.string(),
			/** The accounts' links, from the first one's side; null for none. */
			why: v.nullable(v.string()),
			matches: v.number(),
			/** Sum of the backers' stakes. */
			stake: v.number(),
			/** The first account's winnings from the second in settled markets, before commission. */
			gain: v.number(),
			/** Matches in markets without a result. */
			open: v.number(),
			/** Matches more than a tenth outside the trades of other pairs before and after. */
			farOff: v.number(),
			/** Ten at most. */
			markets: v.array(v.object({ marketId: v.string(), eventId: v.string() })),
			last: v.string(),
		}),
	),
	summary:
		'Linked accounts that bet against each other, and others that did so far beside the market; linked ones and large amounts first, 200 at most.',
});

export const trialBalance = defineOperatorCall({
	permission: 'books.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({
		pool: v.picklist(POOLS),
		/** At the end of that day of the books' calendar; now without it. */
		day: v.optional(Day),
	}),
	response: v.array(v.object({ account: v.string(), balance: v.number() })),
	summary: 'Every account of a pool with its balance; they sum to zero.',
});

export const dayBooks = defineOperatorCall({
	permission: 'books.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({
		pool: v.picklist(POOLS),
		/** Days of the books' calendar, both included. */
		from: Day,
		to: Day,
	}),
	response: v.array(
		v.object({
			day: v.string(),
			account: v.string(),
			/** Credits less debits before the day; over all accounts they sum to zero, and so do the closings. */
			opening: v.number(),
			debits: v.number(),
			credits: v.number(),
			closing: v.number(),
		}),
	),
	summary: 'Every account of a pool day by day: opening, debits, credits and closing.',
});
