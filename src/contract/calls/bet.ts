import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { QuotedMarket } from '#contract/calls/market.ts';
import {
	Amount,
	AskedSide,
	ClientRequestId,
	DecimalPrice,
	Id,
	Money,
	Price,
	page,
	paging,
	queryInteger,
	Side,
	SignedAmount,
	Timestamp,
} from '#contract/fields.ts';

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

/**
 * The batch of the exchange that made something durable: its number, and its time by the exchange's clock. Numbers rise,
 * over restarts and takeovers, too; what has the same number became durable at once. Missing in the repeated answer of a
 * request from before there were such numbers.
 */
export const Commit = v.object({ sequence: v.number(), at: Timestamp });
export const WithCommit = { commit: v.optional(Commit) };

/** What happens to a bet that would be matched as it arrives: it is refused, or moved to the nearest price at which it rests. */
const PostOnly = v.picklist(['REFUSE', 'REPRICE']);

/**
 * What happens where a bet would be matched with a resting one of its own player: it is refused, the resting one lapses, or
 * the rest of the arriving one lapses.
 */
export const SelfMatch = v.picklist(['REFUSE', 'LAPSE_RESTING', 'LAPSE_TAKING']);

/** A month: the longest time for which a bet stands when it is asked for in seconds. */
export const LONGEST_GOOD_FOR = 31 * 86_400;

/** The largest profit and loss of a bet or a part of it, both zero or more. */
const BetRange = v.object({ profit: Money, liability: Money });

/** The effect of non-runners on the matched part of a bet. */
export const Reduction = v.object({
	/** The average price before. */
	unreducedPrice: Price,
	/** In place markets the winnings are reduced, not the price. */
	reduces: v.picklist(['PRICE', 'WINNINGS']),
	/** Runners removed after a match of the bet, in order, and their factors in per cent. */
	nonRunners: v.array(v.object({ runnerName: v.string(), percent: v.number() })),
});

/** A name of the player's own. */
export const GroupName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9 _.-]{1,32}$/));

export const OpenBet = v.object({
	betId: Id,
	eventId: Id,
	eventTitle: v.string(),
	marketId: Id,
	marketName: v.string(),
	runnerId: Id,
	runnerName: v.string(),
	side: Side,
	/** The requested price. */
	price: Price,
	/** The average price matched so far, null while nothing is. */
	averagePrice: v.nullable(Price),
	/** Left out if no non-runner reduced it. */
	reduction: v.optional(Reduction),
	stake: Money,
	matchedStake: Money,
	remainingStake: Money,
	/** The bet's profit: the matched part at its average price, the rest at the requested price. */
	profit: Money,
	/** The bet's largest loss. */
	liability: Money,
	/** The same of the matched part alone. */
	matched: BetRange,
	status: BetStatus,
	placedAt: Timestamp,
	/** Of an unmatched part that lapses at a time. */
	goodTill: v.optional(Timestamp),
	/** Of an unmatched part that lapses once others have matched a volume of the runner, counted from the bet on. */
	goodUntilMatched: v.optional(Money),
	/** Of an unmatched part that is never matched as it arrives. */
	postOnly: v.optional(PostOnly),
	/**
	 * Of a bet at the starting price: the worst price that it takes, and its stake or liability. While it waits, its price
	 * and its profit are no more than placeholders.
	 */
	onClose: v.optional(v.object({ limit: v.nullable(Price), liability: Money })),
	/** Its unmatched part stays when the market turns in-play. */
	persists: v.optional(v.literal(true)),
	/** Its unmatched part takes the starting price. */
	takesStartingPrice: v.optional(v.literal(true)),
});

/** The player's net if that runner wins, matched bets only. */
const NetOfOutcome = v.object({
	runnerId: Id,
	profitLoss: Money,
	/** Before it is rounded, so that further bets can be added: hundredths of a minor unit, each way times the divisor. */
	exact: v.number(),
});

export const PlacedBet = v.object({
	betId: Id,
	/** PENDING while a bet is delayed in play; its outcome comes over the hub. */
	status: BetStatus,
	/** The requested price, or that to which a post-only bet was moved. */
	price: Price,
	stake: Money,
	matchedStake: Money,
	averagePrice: v.nullable(Price),
	matched: BetRange,
	remainingStake: Money,
	placedAt: Timestamp,
	/** When a delayed bet reaches the book. */
	delayUntil: v.optional(Timestamp),
	balance: Money,
	exposure: Money,
	...WithCommit,
});

export const placeBetV2 = defineCall({
	method: 'POST',
	path: 'Bet/PlaceBetV2',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	summary: 'Places a bet; answered only when it is durable.',
	request: v.strictObject({
		marketId: Id,
		runnerId: Id,
		side: AskedSide,
		price: DecimalPrice,
		stake: Amount,
		/**
		 * Whether the unmatched part lapses, stays, or takes the starting price when the market turns in-play. Markets without
		 * starting prices refuse the last with TERMS_NOT_POSSIBLE.
		 */
		persistence: v.optional(v.picklist(['LAPSE', 'PERSIST', 'MARKET_ON_CLOSE']), 'LAPSE'),
		/**
		 * FILL_OR_KILL: matched at once, whole or at least minFill, at an average price no worse than the price; the rest
		 * lapses.
		 */
		timeInForce: v.optional(v.picklist(['GOOD_TILL_CANCELLED', 'FILL_OR_KILL']), 'GOOD_TILL_CANCELLED'),
		minFill: v.optional(Amount),
		/**
		 * The bet is never matched as it arrives. At the end of a bet delay it lapses if it would be. In a market with
		 * virtual prices it is refused with TERMS_NOT_POSSIBLE.
		 */
		postOnly: v.optional(PostOnly),
		/** When the unmatched part lapses, or after how many seconds from when the server takes the bet; not both. */
		goodTill: v.optional(Timestamp),
		goodForSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_GOOD_FOR))),
		/**
		 * The unmatched part lapses once others have matched this much of the runner, backers’ stake, at the end of the batch
		 * in which they have; what is matched of the bet itself does not count.
		 */
		goodUntilMatched: v.optional(Amount),
		/** A group of the player's, see SetOrderGroup: it is cancelled with the others of it once much of them is matched at once. */
		group: v.optional(GroupName),
		/**
		 * Instead of what the player chose for all bets. In a market with virtual prices a bet is always refused, and a choice
		 * of LAPSE_RESTING or LAPSE_TAKING with TERMS_NOT_POSSIBLE.
		 */
		selfMatch: v.optional(SelfMatch),
		/** The market version that the player saw; the bet lapses when the market has a newer one. */
		marketVersion: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		/**
		 * The version of the book whose prices the player saw; the bet is refused if that version was replaced so long
		 * ago that the prices must have stopped.
		 */
		bookVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
		clientRequestId: ClientRequestId,
	}),
	response: PlacedBet,
});

export const placeOnClose = defineCall({
	method: 'POST',
	path: 'Bet/PlaceOnClose',
	auth: 'player',
	quiet: true,
	movesMoney: true,
	summary:
		'Places a bet at the starting price, which an auction finds when the market turns in-play. What finds no other side ' +
		'is returned. Until then it is held for as a stake or a liability, and may be cancelled.',
	request: v.strictObject({
		marketId: Id,
		runnerId: Id,
		side: v.picklist(['BACK', 'LAY']),
		/** The stake of a back; what a lay loses at most. */
		size: Amount,
		/** The worst starting price: the lowest of a back, the highest of a lay. Without it any is taken. */
		limit: v.optional(DecimalPrice),
		/** The market version that the player saw; the bet lapses when the market has a newer one. */
		marketVersion: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		clientRequestId: ClientRequestId,
	}),
	response: PlacedBet,
});

export const replaceBet = defineCall({
	method: 'POST',
	path: 'Bet/ReplaceBet',
	auth: 'player',
	movesMoney: true,
	summary: 'Asks another price for the unmatched part of a bet; a new bet stands in its place, its time is lost.',
	request: v.strictObject({ betId: Id, price: DecimalPrice, clientRequestId: ClientRequestId }),
	response: PlacedBet,
});

export const cancelAll = defineCall({
	method: 'POST',
	path: 'Bet/CancelAll',
	auth: 'player',
	whileSuspended: true,
	summary: 'Cancels everything unmatched, in one market or in all.',
	request: v.strictObject({ marketId: v.optional(Id), clientRequestId: ClientRequestId }),
	response: v.object({ cancelledStake: Money, balance: Money, exposure: Money, ...WithCommit }),
});

export const getSelfMatch = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bet/GetSelfMatch',
	auth: 'player',
	whileSuspended: true,
	summary: 'What the player chose for bets that would be matched with their own resting bets.',
	request: v.object({}),
	response: v.object({ selfMatch: SelfMatch }),
});

/** A group of bets that are cancelled together once more than `most` of them is matched within 15 seconds. */
const OrderGroup = v.object({
	name: GroupName,
	most: Money,
	/** What was matched of its bets in the last seconds that counted. */
	matched: Money,
	/** When it was closed; it takes bets without this. */
	closedAt: v.optional(Timestamp),
});

export const getOrderGroups = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bet/GetOrderGroups',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s groups of bets, by name.',
	request: v.object({}),
	response: v.object({ groups: v.array(OrderGroup) }),
});

export const setOrderGroup = defineCall({
	method: 'POST',
	path: 'Bet/SetOrderGroup',
	auth: 'player',
	summary: 'Opens a group of bets, or resets one that was closed.',
	request: v.strictObject({ name: GroupName, most: Amount }),
	response: OrderGroup,
});

export const setSelfMatch = defineCall({
	method: 'POST',
	path: 'Bet/SetSelfMatch',
	auth: 'player',
	whileSuspended: true,
	summary: 'Chooses what happens to the next bets that would be matched with the player’s own resting bets.',
	request: v.strictObject({ selfMatch: SelfMatch }),
	response: v.object({ selfMatch: SelfMatch }),
});

/** The outcome of cashing out now: the hedges, and the player's net whichever runner wins. */
export const CashOut = v.object({
	marketId: Id,
	/** Identifies the quote until it expires; a cash-out must name it. */
	quoteVersion: v.string(),
	expiresAt: Timestamp,
	/** The share of the position that the figures are about. */
	percent: v.number(),
	/** Net per runner, or per line that the number passes, now and after cashing out that share. */
	runners: v.array(v.object({ runnerId: Id, now: Money, after: Money })),
	/**
	 * The certain result afterwards: the minimum over all outcomes, including each way and between lines. Null if
	 * cashing out is not possible.
	 */
	amount: v.nullable(Money),
	/** The reason, as the code with which the cash-out would be refused. */
	unavailable: v.nullable(
		v.picklist([
			'BOOK_TOO_THIN',
			'CASH_OUT_TOO_DEAR',
			'CASH_OUT_IN_FLIGHT',
			'RUNNER_SUSPENDED',
			'STAKE_TOO_LARGE',
			'PROFIT_TOO_LARGE',
			'INSUFFICIENT_FUNDS',
			'EXPOSURE_LIMIT',
		]),
	),
	/** The certain amount at which the market is cashed out automatically; null without a target. */
	target: v.nullable(Money),
	bets: v.array(v.object({ runnerId: Id, side: Side, price: Price, stake: Money })),
	/** The player's own resting bets that cashing out cancels, with their remaining stake; they never count as offered. */
	cancels: v.array(v.object({ betId: Id, stake: Money })),
});

export const cashOutQuote = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bet/CashOutQuote',
	auth: 'player',
	quiet: true,
	summary: 'What cashing out of a market, or a share of it, would come to at the prices of this moment.',
	request: v.object({
		marketId: Id,
		/** Share of the position in whole per cent; 100 without it. */
		percent: v.optional(queryInteger(1, 100)),
	}),
	response: CashOut,
});

export const cashOut = defineCall({
	method: 'POST',
	path: 'Bet/CashOut',
	auth: 'player',
	movesMoney: true,
	summary:
		'Hedges a share of the position at the quoted prices, or not at all when they have moved. In play the hedges wait ' +
		'out the delay, and no other cash-out of the market is taken meanwhile.',
	request: v.strictObject({
		marketId: Id,
		/** 1 cashes out in full. */
		fraction: v.pipe(v.number(), v.gtValue(0), v.maxValue(1)),
		quoteVersion: v.pipe(v.string(), v.maxLength(100)),
		clientRequestId: ClientRequestId,
	}),
	response: v.object({
		runners: v.array(NetOfOutcome),
		bets: v.array(
			v.object({
				betId: Id,
				runnerId: Id,
				side: Side,
				matchedStake: Money,
				averagePrice: v.nullable(Price),
				/** Set while the hedge is delayed in play. */
				delayUntil: v.optional(Timestamp),
			}),
		),
		/** The player's own bets that were cancelled, with their remaining stake. */
		cancelledStake: Money,
		balance: Money,
		exposure: Money,
		...WithCommit,
	}),
});

export const setCashOutTarget = defineCall({
	method: 'POST',
	path: 'Bet/SetCashOutTarget',
	auth: 'player',
	movesMoney: true,
	summary:
		'Cashes out in full as soon as that much is certain; null takes the target away. The target is gone once its ' +
		'hedges are placed, and stands again if they lapse in play. Own bets in the way are cancelled.',
	request: v.strictObject({ marketId: Id, target: v.nullable(SignedAmount) }),
	response: v.object({ marketId: Id, target: v.nullable(Money) }),
});

export const getCashOutTarget = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bet/GetCashOutTarget',
	auth: 'player',
	quiet: true,
	summary: 'The amount at which a market is cashed out by itself, also while it takes no bets and is quoted nothing.',
	request: v.object({ marketId: Id }),
	response: v.object({ marketId: Id, target: v.nullable(Money) }),
});

export const cancelBet = defineCall({
	method: 'POST',
	path: 'Bet/CancelBet',
	auth: 'player',
	whileSuspended: true,
	summary:
		'Cancels what is unmatched of a bet, or a part of it. A part that would leave less than the smallest stake takes all of it.',
	request: v.strictObject({ betId: Id, sizeReduction: v.optional(Amount), clientRequestId: ClientRequestId }),
	response: v.object({
		betId: Id,
		status: BetStatus,
		cancelledStake: Money,
		remainingStake: Money,
		matchedStake: Money,
		balance: Money,
		exposure: Money,
		...WithCommit,
	}),
});

/** Largest page of open bets. */
export const MOST_OPEN_BETS = 2000;

export const getUserOpenBets = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bet/GetUserOpenBets',
	auth: 'player',
	whileSuspended: true,
	quiet: true,
	summary:
		'The player’s bets in markets that are not settled yet, newest first: the 2,000 newest when no page is asked for.',
	request: v.object({
		maxResultCount: v.optional(queryInteger(1, MOST_OPEN_BETS), String(MOST_OPEN_BETS)),
		skipCount: v.optional(queryInteger(0, 1_000_000), '0'),
	}),
	response: v.object({ openBets: v.array(OpenBet), totalCount: v.number(), balance: Money, exposure: Money }),
});

export const ExpectedProfitLoss = v.object({
	eventId: Id,
	marketId: Id,
	runners: v.array(NetOfOutcome),
	/** The negative of the amount held for the market: its worst outcome, unmatched bets included, rounded up. */
	worst: Money,
});

export const getUserExpectedProfitLoss = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bet/GetUserExpectedProfitLoss',
	auth: 'player',
	whileSuspended: true,
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
	price: Price,
	averagePrice: v.nullable(Price),
	stake: Money,
	matchedStake: Money,
	cancelledStake: Money,
	lapsedStake: Money,
	voidedStake: Money,
	status: BetStatus,
	/** WON, LOST or VOID for settled bets; null for bets that were never matched. */
	result: v.nullable(v.picklist(['WON', 'LOST', 'VOID'])),
	/**
	 * Its runner shares places with others, so a part of the stake wins and the rest loses; `result` is the sum of both.
	 */
	isDeadHeat: v.boolean(),
	/** Left out where no non-runner reduced it. */
	reduction: v.optional(Reduction),
	/** This bet's own profit before commission, rounded to the minor unit. */
	profit: Money,
	/** The commission of the whole market, shown on each of its bets; it is charged once. */
	commission: Money,
	placedAt: Timestamp,
	/** When the last match was made; null if nothing is matched. */
	matchedAt: v.nullable(Timestamp),
	settledAt: v.nullable(Timestamp),
	...QuotedMarket.entries,
});

export const getUserBetHistory = defineCall({
	method: 'POST',
	path: 'Bet/GetUserBetHistory',
	auth: 'player',
	whileSuspended: true,
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
