/** The identity of persons: facts that operators refute, and effects of unproven mobiles. */
import * as v from 'valibot';
import { NumberId, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const factRefute = defineOperatorCall({
	permission: 'players.protect',
	confirm: 'players.protect',
	about: 'player',
	input: v.strictObject({
		playerId: NumberId,
		/** The account with the same fact. */
		otherId: NumberId,
		kind: v.picklist(['mobile', 'document', 'payout']),
		reason: Reason,
	}),
	response: v.object({ refuted: v.number() }),
	summary:
		'Says that a mobile, a document or a payout account that a player shares with another one is not the player’s.',
});

export const related = defineOperatorCall({
	permission: 'players.read',
	about: 'player',
	looks: true,
	input: v.strictObject({ playerId: NumberId, otherId: NumberId }),
	response: v.object({
		/**
		 * From the player to the other one: each next account, and its links with the previous one. Null if no chain was
		 * found, empty if both are one account.
		 */
		path: v.nullable(
			v.array(
				v.object({
					/** Null for an account of another brand than the member's. */
					account: v.nullable(v.object({ playerId: v.string(), userName: v.string(), brand: v.string() })),
					reasons: v.array(v.object({ why: v.string(), since: v.nullable(v.string()) })),
				}),
			),
		),
		/** The two have too many linked accounts, so the search ended early. */
		isCut: v.boolean(),
	}),
	summary: 'How two players are related: by which facts and invitations, over which other accounts.',
});

export const barsOnHints = defineOperatorCall({
	permission: 'players.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			playerId: v.string(),
			userName: v.string(),
			brand: v.string(),
			excludedUntil: v.nullable(v.string()),
			timeOutUntil: v.nullable(v.string()),
			/** The limits that it keeps. */
			limits: v.array(v.string()),
			/** The accounts that it shared them with. */
			others: v.array(v.string()),
		}),
	),
	summary: 'Limits and breaks that accounts kept from a time when unproven mobiles connected them.',
});

export const barOnHintDecide = defineOperatorCall({
	permission: 'players.protect',
	confirm: 'players.protect',
	about: 'player',
	input: v.strictObject({ playerId: NumberId, lifts: v.boolean(), reason: Reason }),
	response: v.object({ lifted: v.boolean() }),
	summary: 'Lifts what an account kept by an unproven mobile, so that its own limits are left; or leaves it as it is.',
});
