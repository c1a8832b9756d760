/**
 * The shapes of the hub's messages by their codes. Only their types reach the site (hub-messages.ts): its build derives
 * from them which fields hold amounts and prices.
 */
import * as v from 'valibot';
import { Commit, OpenBet } from '#contract/calls/bet.ts';
import { CrashBet, CrashRow, CrashState } from '#contract/calls/crash.ts';
import { EventRow, PriceSize } from '#contract/calls/event.ts';
import { MarketBook, PricePoint } from '#contract/calls/odds.ts';
import { ScoreCard } from '#contract/calls/score.ts';
import { TableBet, TableBets, TableState } from '#contract/calls/tables.ts';
import { Trigger } from '#contract/calls/trigger.ts';
import { Id, MarketStatus, Money, Price } from '#contract/fields.ts';
import { ERRORS, type ErrorCode } from '#values/error-catalogue.ts';
import { SPORTS } from '#values/sports.ts';

const Code = v.picklist(Object.keys(ERRORS) as ErrorCode[]);
const Refusal = v.nullable(v.object({ code: Code, message: v.string() }));

export const MarketBookImage = v.object({
	...MarketBook.entries,
	kind: v.literal('IMAGE'),
	/** Server time in milliseconds. */
	clock: v.number(),
});

/**
 * Changes since version `from`, the version of the previous message. A client without version `from` requests the
 * image.
 */
export const MarketBookDelta = v.object({
	kind: v.literal('DELTA'),
	marketId: v.string(),
	from: v.number(),
	version: v.number(),
	clock: v.number(),
	totalMatched: v.exactOptional(Money),
	/** Changed runners only; a `back` or `lay` replaces all levels of its side. */
	runners: v.array(
		v.object({
			runnerId: v.string(),
			lastPriceTraded: v.exactOptional(v.nullable(Price)),
			totalMatched: v.exactOptional(Money),
			back: v.exactOptional(v.array(PriceSize)),
			lay: v.exactOptional(v.array(PriceSize)),
		}),
	),
});

/**
 * Why a channel is refused, with the codes of calls. THROTTLED: the connection has reached its limit of channels, or
 * requested too many images in a short time; the client retries later.
 */
export const SubscriptionRefusal = v.picklist(['SPORT_NOT_ALLOWED', 'SITE_SUSPENDED', 'THROTTLED']);

export const HUB_SCHEMAS = {
	/** The version is the wallet's; an older balance never overwrites a newer one. */
	UserBalance: v.object({ Balance: Money, Exposure: Money, Version: v.number() }),
	MarketBook: v.variant('kind', [MarketBookImage, MarketBookDelta]),
	/** For the traded runners: the last point of the history that the call answers, either extended or new. */
	PriceHistory: v.object({
		marketId: v.string(),
		runners: v.array(v.object({ runnerId: v.string(), ...PricePoint.entries })),
	}),
	MarketStatus: v.object({
		marketId: v.string(),
		eventId: v.string(),
		status: MarketStatus,
		inPlay: v.boolean(),
		/** The version of the market, not of its book. */
		version: v.number(),
		/** Runner id → ACTIVE, SUSPENDED, REMOVED, WINNER, LOSER …; for a fancy once it is settled. */
		runners: v.exactOptional(v.array(v.object({ runnerId: v.string(), status: v.string() }))),
	}),
	/** The bet as open bets show it, with its last event. */
	BetUpdate: v.object({
		...OpenBet.entries,
		event: v.picklist(['PLACED', 'MATCHED', 'CANCELLED', 'LAPSED', 'VOIDED', 'REDUCED', 'SETTLED', 'REOPENED']),
		/** The stake of this event. */
		eventStake: Money,
		/** Why a bet lapsed or was voided: TURNED_IN_PLAY, SUSPENDED, MARKET_CLOSED, MARKET_VOIDED … */
		reason: v.exactOptional(v.string()),
		/** The batch of the event: that of the answer to the call that caused it. */
		commit: Commit,
	}),
	/** A trigger was placed, followed a price, became due, placed its bet or ended. */
	TriggerUpdate: Trigger,
	Score: ScoreCard,
	/**
	 * A fixture changed, and with it the version of all lists, by one. `row` has the changed fields of its row; all of
	 * them if it is new or its status or start changed. `gone` means that no list has it any more, some hours after its
	 * end. A client that misses a version requests its lists again.
	 */
	EventUpdate: v.object({
		eventId: Id,
		status: v.string(),
		version: v.number(),
		row: v.partial(EventRow),
		gone: v.exactOptional(v.literal(true)),
	}),
	/** Every change of Crash's round, and the first message of its channel. The version rises with each. */
	CrashState,
	/** While a round flies. Clients draw from their own clocks between ticks. */
	CrashTick: v.object({ round: v.string(), elapsedMs: v.number(), cents: v.number(), serverTime: v.number() }),
	/** The round's bets in the pool: the number of players, their total stakes and payouts, and the largest bets. */
	CrashBets: v.object({
		round: v.string(),
		version: v.number(),
		players: v.number(),
		stake: Money,
		payout: Money,
		rows: v.array(CrashRow),
	}),
	/** A bet of the player's own changed; the refusal says why a queued bet was not placed. */
	CrashBet: v.object({ ...CrashBet.entries, refusal: Refusal }),
	/** Every change of a table's round, each dealt card, and the first message of its channel. The version rises. */
	TableState,
	/** All chips on the round in the pool. */
	TableBets,
	/** Bets of the player's own changed; the refusal says why queued bets were not placed. */
	TableBet: v.object({ ...TableBet.entries, refusal: Refusal }),
	/** A deposit, a withdrawal or a bonus of the player changed; the calls have the details. */
	FundsUpdate: v.object({ kind: v.string(), id: v.string(), status: v.string(), at: v.string() }),
	/** One of the player's messages or complaints was answered, read or closed; the calls have the details. */
	InboxUpdate: v.object({ ticketId: v.string() }),
	/** The sports closed to the player, regardless of the brand's flags. */
	SportsChanged: v.object({ closed: v.array(v.picklist(SPORTS.map(({ key }) => key))) }),
	/**
	 * Covers every acknowledged channel of the connection: the process with the engine is alive, and all its messages
	 * were sent. `sent` counts the messages of this connection so far without heartbeats. A client that received fewer
	 * has lost some, and requests its images.
	 */
	Heartbeat: v.object({ sent: v.number() }),
	/** A subscription ended, because its sport was closed to the player or by the brand, or the site was suspended. */
	SubscriptionEnded: v.object({ channel: v.string(), code: SubscriptionRefusal }),
	DomainSettingChanged: v.object({ domain: v.string(), version: v.number() }),
	LoggedOut: v.object({ reason: v.string() }),
	Notice: v.object({ text: v.string() }),
};
