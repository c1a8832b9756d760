import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { WithCommit } from '#contract/calls/bet.ts';
import {
	Amount,
	AskedSide,
	ClientRequestId,
	DecimalPrice,
	Id,
	Money,
	Price,
	Side,
	Timestamp,
} from '#contract/fields.ts';

/** The price that a trigger watches: of its runner's last match, or the best that its own bet could be matched at. */
export const WatchedPrice = v.picklist(['LAST_TRADED', 'BEST']);
/** The price has to rise, or to fall. */
export const TriggerMove = v.picklist(['RISES', 'FALLS']);
const Persistence = v.picklist(['LAPSE', 'PERSIST']);

/** The longest distance of a trailing trigger, ticks. */
const LONGEST_TRAIL = 1_000;

/** Whole ticks of the market's ladder. */
const Ticks = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(LONGEST_TRAIL));

/** By which rule the exchange keeps an order in the book by one bet after another. */
export const AskedPlan = v.variant('kind', [
	/** Shows no more than that of its stake at a time. */
	v.strictObject({ kind: v.literal('ICEBERG'), visible: Amount }),
	/** Stays at the best price of its own side, or ticks better than that; or ticks better than the best of the OPPOSITE one. */
	v.strictObject({
		kind: v.literal('PEG'),
		follows: v.optional(v.picklist(['OWN', 'OPPOSITE']), 'OWN'),
		ticks: v.optional(Ticks(0), 0),
	}),
	/** Closes what is matched of it: ticks better than its price, or once the last price is ticks worse. */
	v.strictObject({ kind: v.literal('BRACKET'), profitTicks: Ticks(1), stopTicks: Ticks(1) }),
]);

/** The same as players see it, with the stake that it was placed with. */
const Plan = v.object({
	kind: v.picklist(['ICEBERG', 'PEG', 'BRACKET']),
	stake: Money,
	visible: v.optional(Money),
	follows: v.optional(v.picklist(['OWN', 'OPPOSITE'])),
	ticks: v.optional(v.number()),
	profitTicks: v.optional(v.number()),
	stopTicks: v.optional(v.number()),
	/** Of a bracket: the latest bet that closes what is matched. */
	exitBetId: v.optional(Id),
});

/** A bet that the exchange places when a price is reached; or a plan, which places one after another. */
export const Trigger = v.object({
	triggerId: Id,
	eventId: Id,
	eventTitle: v.string(),
	marketId: Id,
	marketName: v.string(),
	runnerId: Id,
	runnerName: v.string(),
	side: Side,
	/** The limit of the bet. */
	price: Price,
	/** Of a plan: what it still holds for beside its bets. */
	stake: Money,
	/** The most that the bet can lose. */
	liability: Money,
	persistence: Persistence,
	/** NONE: it is a plan. */
	watches: v.picklist([...WatchedPrice.options, 'NONE']),
	moves: TriggerMove,
	/** Where it is reached; null for a trailing one that has seen no price. */
	at: v.nullable(Price),
	/** Of a trailing one: how many ticks behind the best price that it has seen it is reached, and that price. */
	trail: v.nullable(v.number()),
	best: v.nullable(Price),
	/** WAITING for its price; DUE, its bet follows; PLACED; or ended without a bet. */
	status: v.picklist(['WAITING', 'DUE', 'PLACED', 'CANCELLED', 'LAPSED', 'REFUSED']),
	/** Why it lapsed, or the code with which its bet was refused. */
	reason: v.optional(v.string()),
	/** The bet that it placed; of a plan, the latest one. */
	betId: v.optional(Id),
	plan: v.optional(Plan),
	placedAt: Timestamp,
	/** When its price was reached. */
	dueAt: v.optional(Timestamp),
});

export const placeTrigger = defineCall({
	method: 'POST',
	path: 'Trigger/Place',
	auth: 'player',
	movesMoney: true,
	summary: 'Places a bet when a price is reached, on the server; what it can lose is held from now on.',
	request: v.strictObject({
		marketId: Id,
		runnerId: Id,
		side: AskedSide,
		price: DecimalPrice,
		stake: Amount,
		/** Whether the trigger, and then its bet, lapse or stay when the market turns in-play. */
		persistence: v.optional(Persistence, 'LAPSE'),
		watches: v.optional(WatchedPrice, 'LAST_TRADED'),
		moves: TriggerMove,
		/** Where it is reached; or for a trailing one, how many ticks behind the best price from now on. One of both. */
		at: v.optional(DecimalPrice),
		trail: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_TRAIL))),
		/** The bet lapses when the market has a newer version by then. */
		marketVersion: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		clientRequestId: ClientRequestId,
	}),
	response: v.object({ triggerId: Id, balance: Money, exposure: Money, ...WithCommit }),
});

export const placePlan = defineCall({
	method: 'POST',
	path: 'Trigger/PlacePlan',
	auth: 'player',
	movesMoney: true,
	summary:
		'Keeps an order in the book by one bet after another: an iceberg, a peg or a bracket; held for as a whole from now on.',
	request: v.strictObject({
		marketId: Id,
		runnerId: Id,
		side: AskedSide,
		/** The price of an iceberg and of a bracket, the limit of a peg. */
		price: DecimalPrice,
		stake: Amount,
		persistence: v.optional(Persistence, 'LAPSE'),
		plan: AskedPlan,
		/** Its bets lapse when the market has a newer version by then. */
		marketVersion: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		clientRequestId: ClientRequestId,
	}),
	response: v.object({ triggerId: Id, balance: Money, exposure: Money, ...WithCommit }),
});

export const cancelTrigger = defineCall({
	method: 'POST',
	path: 'Trigger/Cancel',
	auth: 'player',
	whileSuspended: true,
	summary: 'Cancels a trigger that has not placed its bet yet, or a plan with its bets.',
	request: v.strictObject({ triggerId: Id, clientRequestId: ClientRequestId }),
	response: v.object({ triggerId: Id, balance: Money, exposure: Money, ...WithCommit }),
});

export const getTriggers = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Trigger/GetTriggers',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s triggers that wait or are due, oldest first.',
	request: v.object({}),
	response: v.object({ triggers: v.array(Trigger) }),
});
