import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { QuotedMarket } from '#contract/calls/market.ts';
import { Id, Money, Price, page, queryPaging, Side, Timestamp } from '#contract/fields.ts';

export const TransactionRow = v.object({
	id: Id,
	/**
	 * The kind of move: GRANT, BET_RESERVED, BET_RELEASED, MARKET_SETTLED, MARKET_REOPENED … A settled market is one
	 * row of what it made or cost after commission, which may be zero; what was held for it comes back before.
	 */
	kind: v.string(),
	reference: v.string(),
	/** Signed change of the balance. */
	amount: Money,
	balanceAfter: Money,
	at: Timestamp,
});

/** One posting: money that moved between two accounts of the player, a market or the house. */
export const TransactionPosting = v.object({
	kind: v.string(),
	/** CASH, EXPOSURE, HOLD or BONUS of the player; POT of a market; other names are accounts of the house. */
	debit: v.string(),
	credit: v.string(),
	amount: Money,
});

export const TransactionBet = v.object({
	betId: Id,
	runnerName: v.string(),
	side: Side,
	price: Price,
	averagePrice: v.nullable(Price),
	stake: Money,
	matchedStake: Money,
	result: v.nullable(v.picklist(['WON', 'LOST', 'VOID'])),
	/** Before commission; null until the bet is settled. */
	profit: v.nullable(Money),
	placedAt: Timestamp,
});

export const getTransactionDetail = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Transaction/GetDetail',
	auth: 'player',
	whileSuspended: true,
	summary: 'One row of the statement: the postings of its command, its market, and the bets it is about.',
	request: v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,15}-\d{1,15}[HRSZ]?$/, 'The id is not valid.')) }),
	response: v.object({
		...TransactionRow.entries,
		postings: v.array(TransactionPosting),
		market: v.nullable(
			v.object({
				marketId: Id,
				name: v.string(),
				eventId: Id,
				eventTitle: v.string(),
				sportId: v.number(),
				...QuotedMarket.entries,
			}),
		),
		/** The player's bets in that market that were placed by then, oldest first, at most 200. */
		bets: v.array(TransactionBet),
	}),
});

export const getTransactionHistory = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Transaction/GetHistory',
	auth: 'player',
	whileSuspended: true,
	summary:
		'The cash statement, newest first; without a filter the rows sum to the balance, and those of MARKET_SETTLED, which ' +
		'include reversals, to the settled profit and loss.',
	request: v.object({
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
		kind: v.optional(v.string()),
		...queryPaging,
	}),
	/** `credited` and `debited` are sums over all rows that the filter includes, both zero or more. */
	response: v.object({ ...page(TransactionRow).entries, credited: Money, debited: Money }),
});
