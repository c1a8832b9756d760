/** Taxes of players' winnings and of what the house takes, on brands whose profile has any. */
import * as v from 'valibot';
import { Day } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const closeTaxes = defineOperatorCall({
	permission: 'books.edit',
	about: 'platform',
	input: v.strictObject({}),
	response: v.array(
		v.object({
			brand: v.string(),
			name: v.string(),
			/** A month such as 2026-03, or the financial year by the calendar year in which it begins. */
			period: v.string(),
			/** What the tax was counted from, and the tax. */
			base: v.number(),
			amount: v.number(),
			/** Null for a tax that the house bears. */
			playerId: v.nullable(v.string()),
		}),
	),
	summary: 'Posts the taxes of months and financial years that are over, each once.',
});

export const reportTaxes = defineOperatorCall({
	permission: 'reports.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		/** Days of each brand's own calendar on which taxes were posted, both included. */
		from: Day,
		to: Day,
	}),
	response: v.array(
		v.object({
			brand: v.string(),
			name: v.string(),
			/** The month in which it was posted. */
			month: v.string(),
			/** The period that it is of; null for what was withheld from withdrawals. */
			period: v.nullable(v.string()),
			players: v.number(),
			/** Withheld from players or borne by the house, and given back with withdrawals that were not paid out. */
			charged: v.number(),
			returned: v.number(),
			/** What is owed of it. */
			owed: v.number(),
		}),
	),
	summary: 'Taxes of a time by brand, tax and month: what was charged, what was given back, and what is owed.',
});
