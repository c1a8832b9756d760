/** The postings behind a figure. */
import * as v from 'valibot';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { isZone } from '#values/zoned-calendar.ts';

const Word = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(253)), '');
const Number = v.optional(v.pipe(v.string(), v.regex(/^\d{0,15}$/, 'Give a number.')), '');
/** A day of the zone, or an hour of it such as "2026-11-23 18:00". */
const DayOrHour = v.optional(
	v.pipe(
		v.string(),
		v.regex(/^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])( ([01]\d|2[0-3]):00)?)?$/, 'A day looks like 2026-11-22.'),
	),
	'',
);

export const postings = defineOperatorCall({
	permission: 'reports.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		/** Both included; without them today, or all postings of a player. */
		from: DayOrHour,
		to: DayOrHour,
		pool: Word,
		/** The debited or credited account, such as `commission`. */
		account: Word,
		kind: Word,
		/** Of its players; the days are then the brand's, too. */
		brand: Word,
		/** Of players of brands with this time zone, by its days. Without brand and zone the days are those of the books. */
		zone: v.optional(
			v.pipe(
				v.string(),
				v.check((zone) => zone === '' || isZone(zone), 'A time zone, such as Europe/London.'),
			),
			'',
		),
		playerId: Number,
		marketId: Number,
		/** Whether to return the account's balance before, which sums up the ledger. */
		opening: v.optional(v.boolean(), false),
		/** Postings before this one; by default the newest. */
		before: v.optional(v.pipe(v.string(), v.regex(/^(\d{1,15}-\d{1,9})?$/, 'Name a posting.')), ''),
	}),
	response: v.object({
		/** Of all pages. */
		count: v.number(),
		/** The account's debits and credits on all pages; without an account all amounts. */
		debits: v.number(),
		credits: v.number(),
		/**
		 * The account's balance at the start of the period, if requested. Null unless the filter is only the account, its
		 * pool and a period, by staff of all brands; and if the ledger is too long to be summed in time.
		 */
		opening: v.nullable(v.number()),
		/** The `before` of the next page; null on the last. */
		next: v.nullable(v.string()),
		rows: v.array(
			v.object({
				id: v.string(),
				at: v.string(),
				kind: v.string(),
				ref: v.string(),
				pool: v.string(),
				debit: v.string(),
				credit: v.string(),
				amount: v.number(),
				playerId: v.nullable(v.string()),
				userName: v.nullable(v.string()),
				brand: v.nullable(v.string()),
				marketId: v.nullable(v.string()),
			}),
		),
	}),
	summary: 'Postings by account, kind, brand, player, market and time, newest first, a page of 500, with their sums.',
});
