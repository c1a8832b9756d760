/**
 * Messages of the hub. The server sends one event, `Message`, with {Code, Data}; Data is a JSON string of the shape
 * that is listed under its code here. Messages are hints: the calls are the record.
 */

import type * as v from 'valibot';
import type { OpenBet } from '#contract/calls/bet.ts';
import type { CrashBet, CrashRow, CrashState } from '#contract/calls/crash.ts';
import type { EventRow } from '#contract/calls/event.ts';
import type { MarketBook, PricePoint } from '#contract/calls/odds.ts';
import type { ScoreCard } from '#contract/calls/score.ts';
import type { TableBet, TableBets, TableState } from '#contract/calls/tables.ts';
import type { MarketStatus } from '#contract/fields.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import type { SportKey } from '#values/sports.ts';

/** How often the server sends `Heartbeat` to a connection with channels. */
export const HEARTBEAT_MS = 2000;

/**
 * A channel is live while it is acknowledged and its last message, or the connection's last heartbeat that vouches for
 * it, is younger than this: two heartbeats may be late. Anything else is paused: shown grey, and not bet on.
 */
export const LIVE_AGE_MS = 5000;

type PriceSize = { price: number; size: number };

export interface MarketBookImage extends v.InferOutput<typeof MarketBook> {
	kind: 'IMAGE';
	/** Server time in milliseconds. */
	clock: number;
}

/** Changes since version `from`, which is that of the message before. A client without version `from` asks for the image. */
export interface MarketBookDelta {
	kind: 'DELTA';
	marketId: string;
	from: number;
	version: number;
	clock: number;
	totalMatched?: number;
	/** Changed runners only; a `back` or `lay` replaces all levels of its side. */
	runners: {
		runnerId: string;
		lastPriceTraded?: number | null;
		totalMatched?: number;
		back?: PriceSize[];
		lay?: PriceSize[];
	}[];
}

/**
 * Why a channel is refused, with the codes of calls. THROTTLED: the connection has as many channels as it may, or asked
 * for too many images in a short time; the client asks again later.
 */
export type SubscriptionRefusal = Extract<ErrorCode, 'SPORT_NOT_ALLOWED' | 'SITE_SUSPENDED' | 'THROTTLED'>;

export interface HubMessages {
	/** The version is the wallet's; an older balance never overwrites a newer one. */
	UserBalance: { Balance: number; Exposure: number; Version: number };
	MarketBook: MarketBookImage | MarketBookDelta;
	/** Of the runners that were traded: the last point of the history that the call answers, which grows or is a new one. */
	PriceHistory: { marketId: string; runners: ({ runnerId: string } & v.InferOutput<typeof PricePoint>)[] };
	MarketStatus: {
		marketId: string;
		eventId: string;
		status: v.InferOutput<typeof MarketStatus>;
		inPlay: boolean;
		/** The version of the market, not of its book. */
		version: number;
		/** Runner id → ACTIVE, SUSPENDED, REMOVED, WINNER, LOSER …; for a fancy once it is settled. */
		runners?: { runnerId: string; status: string }[];
	};
	/** The bet as open bets show it, with its last event. */
	BetUpdate: v.InferOutput<typeof OpenBet> & {
		event: 'PLACED' | 'MATCHED' | 'CANCELLED' | 'LAPSED' | 'VOIDED' | 'REDUCED' | 'SETTLED' | 'REOPENED';
		/** The stake of this event. */
		eventStake: number;
		/** Why a bet lapsed or was voided: TURNED_IN_PLAY, SUSPENDED, MARKET_CLOSED, MARKET_VOIDED … */
		reason?: string;
	};
	Score: v.InferOutput<typeof ScoreCard>;
	/**
	 * A fixture changed, and with it the version of all lists, by one. `row` has the changed fields of its row in them; all
	 * of them when it is new or its status or start changed. `gone` says that no list has it any more, some hours after its
	 * end. A client that misses a version asks for its lists again.
	 */
	EventUpdate: {
		eventId: string;
		status: string;
		version: number;
		row: Partial<v.InferOutput<typeof EventRow>>;
		gone?: true;
	};
	/** Every change of Crash's round, and the first message of its channel. The version rises with each. */
	CrashState: v.InferOutput<typeof CrashState>;
	/** While a round flies. Clients draw from their own clocks between ticks. */
	CrashTick: { round: string; elapsedMs: number; cents: number; serverTime: number };
	/** The round's bets in the pool: how many players, what they staked and were paid, and the largest bets. */
	CrashBets: {
		round: string;
		version: number;
		players: number;
		stake: number;
		payout: number;
		rows: v.InferOutput<typeof CrashRow>[];
	};
	/** A bet of the player's own moved on; the refusal says why a bet that waited was not placed. */
	CrashBet: v.InferOutput<typeof CrashBet> & { refusal: { code: ErrorCode; message: string } | null };
	/** Every change of a table's round, each card that is dealt, and the first message of its channel. The version rises. */
	TableState: v.InferOutput<typeof TableState>;
	/** Everybody's chips on the round in the pool. */
	TableBets: v.InferOutput<typeof TableBets>;
	/** Bets of the player's own moved on; the refusal says why bets that waited were not placed. */
	TableBet: v.InferOutput<typeof TableBet> & { refusal: { code: ErrorCode; message: string } | null };
	/** A deposit, a withdrawal or a bonus of the player moved on; the calls say the rest. */
	FundsUpdate: { kind: string; id: string; status: string; at: string };
	/** The sports closed to the player, whatever the brand shows. */
	SportsChanged: { closed: SportKey[] };
	/**
	 * Vouches for every acknowledged channel of the connection: the process with the engine lives, and everything that it
	 * published was sent. `sent` counts the messages of this connection so far without heartbeats. A client that got fewer
	 * has lost some, and asks for its images.
	 */
	Heartbeat: { sent: number };
	/** A subscription ended, because its sport was closed to the player or by the brand, or the site was suspended. */
	SubscriptionEnded: { channel: string; code: SubscriptionRefusal };
	DomainSettingChanged: { domain: string; version: number };
	LoggedOut: { reason: string };
	Notice: { text: string };
}

/** The answer of `Subscribe` and `Follow`. Channels that do not exist are unknown, others may be refused; the rest are subscribed. */
export interface Subscribed {
	success: boolean;
	unknown: string[];
	refused: { channel: string; code: SubscriptionRefusal }[];
}

export type HubCode = keyof HubMessages;

/** One hub message as the server sends it. */
export interface HubEnvelope {
	Code: HubCode;
	Data: string;
}

/** RegisterClient and SendHeartbeat arguments, as the product specification spells them. */
export interface ClientRegistration {
	Browser: string;
	Domain: string;
	CurrentPage: string;
	Token: string;
	GroupBy?: string;
}

/** Channels that a client may subscribe to: `market:ID`, `event:ID`, `sports`, `table:GAME`. */
export type Channel = `market:${string}` | `event:${string}` | 'sports' | `table:${string}`;
