/** Significant events: what a regulator and an owner read first, drawn from the ledger and the journal. */
import * as v from 'valibot';
import { Day, NumberId } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

/** What makes an event significant: GLI-19, 2.8.8. */
export const EVENT_KINDS = {
	win: 'Large win',
	transfer: 'Large deposit or payout',
	adjustment: 'Adjustment of a balance',
	overdraft: 'Balance below zero',
	override: 'Correction or override',
	parameter: 'Parameter changed',
	access: 'Staff, role or key changed',
	account: 'Account barred or opened again',
	person: 'Personal data seen or changed',
	'log-in': 'Failed log-in',
	component: 'Component lost or back',
	clock: 'Clock jumped',
	release: 'Files of the program changed',
	random: 'Source of chance replaced',
	other: 'Another act',
} as const;
export type EventKind = keyof typeof EVENT_KINDS;
export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as EventKind[];

export const significantEvents = defineOperatorCall({
	permission: 'audit.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		/** Days of India's calendar, both included; 31 at most. */
		from: Day,
		to: Day,
		/** Empty for all kinds. */
		kind: v.optional(v.picklist(['', ...EVENT_KIND_NAMES]), ''),
		/** A host; empty for all brands of the member. */
		brand: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(253)), ''),
		/** Empty for all players. */
		playerId: v.optional(v.union([v.literal(''), NumberId]), ''),
		/** `next` of the page before; empty for the newest. */
		before: v.optional(
			v.pipe(v.string(), v.regex(/^(\d{1,15} \S{1,200})?$/, 'Send `next` of the page before, or nothing.')),
			'',
		),
	}),
	response: v.object({
		rows: v.array(
			v.object({
				/** The record that the event is drawn from, such as `journal-17` or `CASINO-5`. */
				id: v.string(),
				at: v.string(),
				kind: v.picklist(EVENT_KIND_NAMES),
				/** Null for what concerns all brands. */
				brand: v.nullable(v.string()),
				playerId: v.nullable(v.string()),
				/** The name of the member or player, or the part of the server. */
				actor: v.string(),
				/** The act, the posting's kind, or the game. */
				what: v.string(),
				/** The subject of an act, or the market. */
				about: v.string(),
				/** In major units; null where there is none. */
				amount: v.nullable(v.number()),
				outcome: v.string(),
				details: v.unknown(),
				before: v.unknown(),
				after: v.unknown(),
			}),
		),
		next: v.nullable(v.string()),
	}),
	summary: 'Significant events of a period, newest first, a page of 500.',
});
