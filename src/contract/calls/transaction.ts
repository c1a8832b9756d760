import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, Money, page, queryPaging, Timestamp } from '#contract/fields.ts';

export const TransactionRow = v.object({
	id: Id,
	/** What moved the money: GRANT, BET_RESERVED, BET_RELEASED, MARKET_SETTLED, COMMISSION … */
	kind: v.string(),
	reference: v.string(),
	/** Signed: what the free balance gained or lost. */
	amount: Money,
	balanceAfter: Money,
	at: Timestamp,
});

export const getTransactionHistory = defineCall({
	method: 'GET',
	path: 'Transaction/GetHistory',
	auth: 'player',
	summary: 'The cash statement, newest first; without a filter the rows sum to the balance.',
	request: v.object({
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
		kind: v.optional(v.string()),
		...queryPaging,
	}),
	/** `credited` and `debited` are sums over everything the filter lets through, both zero or more. */
	response: v.object({ ...page(TransactionRow).entries, credited: Money, debited: Money }),
});
