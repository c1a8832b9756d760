import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, ClientRequestId, DecimalPrice, Id, Money, page, paging, Side, Timestamp } from '#contract/fields.ts';

export const BetStatus = v.picklist([
	'PENDING',
	'UNMATCHED',
	'PARTIALLY_MATCHED',
	'MATCHED',
	'CANCELLED',
	'LAPSED',
	'VOIDED',
	'SETTLED',
]);

export const OpenBet = v.object({
	betId: Id,
	eventId: Id,
	eventTitle: v.string(),
	marketId: Id,
	marketName: v.string(),
	runnerId: Id,
	runnerName: v.string(),
	side: Side,
	/** The price asked for. */
	price: v.number(),
	/** The average price matched so far, null while nothing is. */
	averagePrice: v.nullable(v.number()),
	stake: Money,
	matchedStake: Money,
	remainingStake: Money,
	/** What the bet wins, matched part at its average price, the rest at the price asked. */
	profit: Money,
	/** What the bet loses at worst. */
	liability: Money,
	status: BetStatus,
	placedAt: Timestamp,
});

export const placeBetV2 = defineCall({
	method: 'POST',
	path: 'Bet/PlaceBetV2',
	auth: 'player',
	quiet: true,
	summary: 'Places a bet; answered only when it is durable.',
	request: v.strictObject({
		marketId: Id,
		runnerId: Id,
		side: Side,
		price: DecimalPrice,
		stake: Amount,
		persistence: v.optional(v.picklist(['LAPSE', 'PERSIST']), 'LAPSE'),
		clientRequestId: ClientRequestId,
	}),
	response: v.object({
		betId: Id,
		status: BetStatus,
		stake: Money,
		matchedStake: Money,
		averagePrice: v.nullable(v.number()),
		remainingStake: Money,
		placedAt: Timestamp,
		balance: Money,
		exposure: Money,
	}),
});

export const cancelBet = defineCall({
	method: 'POST',
	path: 'Bet/CancelBet',
	auth: 'player',
	summary: 'Cancels what is unmatched of a bet, or a part of it.',
	request: v.strictObject({ betId: Id, sizeReduction: v.optional(Amount), clientRequestId: ClientRequestId }),
	response: v.object({
		betId: Id,
		status: BetStatus,
		cancelledStake: Money,
		remainingStake: Money,
		matchedStake: Money,
		balance: Money,
		exposure: Money,
	}),
});

export const getUserOpenBets = defineCall({
	method: 'GET',
	path: 'Bet/GetUserOpenBets',
	auth: 'player',
	quiet: true,
	summary: 'The player’s bets in markets that are not settled yet.',
	request: v.object({}),
	response: v.object({ openBets: v.array(OpenBet), balance: Money, exposure: Money }),
});

export const ExpectedProfitLoss = v.object({
	eventId: Id,
	marketId: Id,
	/** What the player nets when that runner wins, matched bets only. */
	runners: v.array(v.object({ runnerId: Id, profitLoss: Money })),
	/** The market's exposure as a figure below or equal to zero, unmatched bets included. */
	worst: Money,
});

export const getUserExpectedProfitLoss = defineCall({
	method: 'GET',
	path: 'Bet/GetUserExpectedProfitLoss',
	auth: 'player',
	quiet: true,
	summary: 'What the player nets for each outcome of the markets he has bets in.',
	request: v.object({ eventId: v.optional(Id) }),
	response: v.array(ExpectedProfitLoss),
});

export const HistoryBet = v.object({
	betId: Id,
	eventId: Id,
	eventTitle: v.string(),
	sportId: v.number(),
	marketId: Id,
	marketName: v.string(),
	runnerId: Id,
	runnerName: v.string(),
	side: Side,
	price: v.number(),
	averagePrice: v.nullable(v.number()),
	stake: Money,
	matchedStake: Money,
	cancelledStake: Money,
	lapsedStake: Money,
	voidedStake: Money,
	status: BetStatus,
	/** WON, LOST or VOID for settled bets; null for bets of which nothing was matched. */
	result: v.nullable(v.picklist(['WON', 'LOST', 'VOID'])),
	/** This bet's own profit before commission, rounded to the minor unit. */
	profit: Money,
	/** The commission of the whole market, shown on each of its bets; it is charged once. */
	commission: Money,
	placedAt: Timestamp,
	settledAt: v.nullable(Timestamp),
});

export const getUserBetHistory = defineCall({
	method: 'POST',
	path: 'Bet/GetUserBetHistory',
	auth: 'player',
	summary: 'Settled, voided, lapsed and cancelled bets, newest first.',
	request: v.object({
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
		sportId: v.optional(v.number()),
		status: v.optional(v.picklist(['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED'])),
		...paging,
	}),
	response: page(HistoryBet),
});
