/** Players: search, and everything about one on a page. */
import * as v from 'valibot';
import { DocumentView } from '#contract/operators/documents.ts';
import { NumberId, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

const OnPlayer = v.strictObject({ playerId: NumberId });

export const playerSearch = defineOperatorCall({
	permission: 'players.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({ query: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)) }),
	response: v.array(
		v.object({
			playerId: v.string(),
			userName: v.string(),
			brand: v.string(),
			pool: v.string(),
			mobile: v.nullable(v.string()),
			isMobileProven: v.boolean(),
			/** By what the search found the player. */
			by: v.picklist(['name', 'mobile', 'player', 'bet', 'utr']),
		}),
	),
	summary: 'Players by name, mobile, id, bet id or UTR.',
});

const Row = v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]));

export const player = defineOperatorCall({
	permission: 'players.read',
	about: 'player',
	looks: true,
	input: OnPlayer,
	response: v.object({
		playerId: v.string(),
		userName: v.string(),
		brand: v.string(),
		pool: v.string(),
		isDemo: v.boolean(),
		mobile: v.nullable(v.string()),
		isMobileProven: v.boolean(),
		since: v.string(),
		cash: v.number(),
		exposure: v.number(),
		hold: v.number(),
		bonus: v.number(),
		netDeposits: v.number(),
		netPosition: v.number(),
		/** Why money is held: each market with open bets, and each step of money on its way. */
		held: v.array(v.object({ what: v.string(), amount: v.number() })),
		limits: v.nullable(Row),
		closedSports: v.array(v.string()),
		protection: v.array(v.object({ what: v.string(), value: v.string() })),
		openBets: v.array(Row),
		bets: v.array(Row),
		statement: v.array(Row),
		money: v.array(Row),
		logIns: v.array(Row),
		linked: v.array(
			v.object({
				playerId: v.string(),
				userName: v.string(),
				brand: v.string(),
				why: v.string(),
				/** The kind of fact that the link rests on, as `fact-refute` names it; null for what is no fact. */
				fact: v.nullable(v.picklist(['mobile', 'document', 'payout'])),
			}),
		),
		/** Identity documents, the newest first. */
		documents: v.array(DocumentView),
		notes: v.array(v.object({ at: v.string(), author: v.string(), note: v.string() })),
		journal: v.array(Row),
	}),
	summary: 'Everything about a player on one page.',
});

export const playerNote = defineOperatorCall({
	permission: 'players.note',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, note: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000)) }),
	response: v.object({ noted: v.boolean() }),
	summary: 'Adds a note about a player.',
});

export const playerFreeze = defineOperatorCall({
	permission: 'players.protect',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, reason: v.nullable(Reason) }),
	response: v.object({ frozen: v.nullable(v.string()) }),
	summary: 'Freezes a player: no bets and no deposits; without a reason, ends it.',
});

export const playerExclude = defineOperatorCall({
	permission: 'players.protect',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, months: v.picklist([6, 12, 60]), reason: Reason }),
	response: v.object({ until: v.string() }),
	summary: 'Excludes a player from betting on all brands of the operator, as the player could.',
});
