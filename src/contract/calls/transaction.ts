import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { QuotedMarket } from '#contract/calls/market.ts';
import { Id, Money, Price, page, queryInteger, queryPaging, Side, Timestamp } from '#contract/fields.ts';

/** HELD moves money between the balance and the held balance; it is neither income nor outgoing. */
export const MoneyCategory = v.picklist([
	'HELD',
	'SPORTS',
	'CASINO',
	'BONUS',
	'DEPOSIT',
	'WITHDRAWAL',
	'TAX',
	'ADJUSTMENT',
]);

export const TransactionRow = v.object({
	id: Id,
	/**
	 * The kind of move: GRANT, BET_RESERVED, BET_RELEASED, MARKET_SETTLED, MARKET_REOPENED, CASINO … A settled market is
	 * one row with its profit or loss after commission, which may be zero, and so is a decided round; its hold is
	 * released before. Holds of other kinds are named after them: CASINO_RESERVED, WITHDRAWAL_RELEASED.
	 */
	kind: v.string(),
	category: MoneyCategory,
	reference: v.string(),
	/** The name of a round's game. */
	game: v.nullable(v.string()),
	/** Signed change of the balance. */
	amount: Money,
	/** For a settled market: the commission already deducted from the result. Negative for a refund by a reversal. */
	commission: Money,
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
	request: v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,15}-\d{1,15}[BCHPRSZ]?$/, 'The id is not valid.')) }),
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
		/** The player's bets in that market placed up to that time, oldest first, at most 200. */
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
		category: v.optional(MoneyCategory),
		sportId: v.optional(queryInteger(0, 999_999_999)),
		/** The code of a game. */
		game: v.optional(v.string()),
		...queryPaging,
	}),
	/**
	 * Sums over all rows of the filter: `credited` and `debited` of income and outgoing, both zero or more, and the
	 * increase of `held`. The balance changes by credited − debited − held.
	 */
	response: v.object({ ...page(TransactionRow).entries, credited: Money, debited: Money, held: Money }),
});

/** The free balance, and the balance held for bets, open rounds, withdrawals and disputed payments. */
const Standing = v.object({ balance: Money, held: Money });

/** Sums of results: `credited` of wins, `debited` of losses, both zero or more, before commission. */
const results = { count: v.number(), credited: Money, debited: Money, net: Money };

export const getMoneySummary = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Transaction/GetMoneySummary',
	auth: 'player',
	whileSuspended: true,
	summary:
		'What became of the player’s money: what was free and held before, what came in and went out by its source, and what ' +
		'is free and held after. Before and all amounts make after. Each amount is the sum of the statement’s rows of its ' +
		'category, sport or game; sports are the profit and loss.',
	request: v.object({ from: v.optional(Timestamp), to: v.optional(Timestamp) }),
	response: v.object({
		before: Standing,
		after: Standing,
		/** `net` is after commission; `count` counts markets. */
		sports: v.array(v.object({ sportId: v.number(), ...results, commission: Money })),
		/** `count` counts decided rounds. */
		casino: v.array(v.object({ game: v.string(), name: v.string(), ...results })),
		/** Signed; kinds without rows are left out. */
		others: v.array(v.object({ category: MoneyCategory, amount: Money })),
		/** Locked until its conditions are met, and part of no other amount. */
		bonus: Money,
	}),
});
