/** Who is the same person: what operators refute, and what rests on mobiles that nothing proved. */
import * as v from 'valibot';
import { Id } from '#contract/fields.ts';
import { Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const factRefute = defineOperatorCall({
	permission: 'players.protect',
	confirm: 'players.protect',
	about: 'player',
	input: v.strictObject({
		playerId: Id,
		/** The account that has the same. */
		otherId: Id,
		kind: v.picklist(['mobile', 'document', 'payout']),
		reason: Reason,
	}),
	response: v.object({ refuted: v.number() }),
	summary:
		'Says that a mobile, a document or a payout account that a player shares with another one is not the player’s.',
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
	input: v.strictObject({ playerId: Id, lifts: v.boolean(), reason: Reason }),
	response: v.object({ lifted: v.boolean() }),
	summary: 'Lifts what an account kept by an unproven mobile, so that its own limits are left; or leaves it as it is.',
});
