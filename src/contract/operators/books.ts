/** The house's books: the provider's settlements, and reconciliation with the outside. */
import * as v from 'valibot';
import { Amount, Id } from '#contract/fields.ts';
import { Day } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { ANSWERED_POOLS } from '#values/pools.ts';

const books = { permission: 'books.edit', about: 'platform' } as const;
const MOST_REPORT_BYTES = 16 * 1024 * 1024;
/** A file's text. */
const Report = v.pipe(v.string(), v.maxLength(MOST_REPORT_BYTES));
/** A day or a moment; the handler receives milliseconds. */
const Moment = v.pipe(
	v.string(),
	v.check((text) => !Number.isNaN(Date.parse(text)), 'A time looks like 2026-11-22 or 2026-11-22T10:00Z.'),
	v.transform((text) => Date.parse(text)),
);
const Compared = {
	lines: v.number(),
	matched: v.number(),
	/** Names of the findings, including those that existed before. */
	findings: v.array(v.string()),
};

export const providerSettlement = defineOperatorCall({
	...books,
	input: v.strictObject({ pool: v.picklist(ANSWERED_POOLS), reference: Id, net: Amount, fee: Amount }),
	response: v.object({ kind: v.literal('PROVIDER_SETTLEMENT'), id: v.string(), state: v.string() }),
	summary: 'Enters that the payment provider paid what it owed, less its fee.',
});

export const reconcile = defineOperatorCall({
	...books,
	largestBody: MOST_REPORT_BYTES,
	input: v.strictObject({
		/** The provider's report (reference,utr,amount) is compared with our orders; the bank's statement (utr,amount; what left is below zero) with receipts, withdrawals and settlements. */
		source: v.optional(v.picklist(['PROVIDER', 'BANK']), 'PROVIDER'),
		pool: v.picklist(ANSWERED_POOLS),
		report: Report,
		from: Moment,
		to: Moment,
	}),
	response: v.object(Compared),
	summary:
		'Compares the payment provider’s report or the bank’s statement with our books; differences become findings.',
});

export const reconcileGames = defineOperatorCall({
	...books,
	largestBody: MOST_REPORT_BYTES,
	input: v.strictObject({ provider: Id, day: Day, report: Report }),
	response: v.object({ provider: v.string(), day: v.string(), ...Compared }),
	summary: 'Compares a day’s report of a provider of games (transaction,paid,received) with our transactions.',
});
