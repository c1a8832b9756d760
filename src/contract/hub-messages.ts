/**
 * What travels over the hub. The server sends one event, `Message`, with {Code, Data}; Data is a JSON string of the
 * shape listed under its code here. Messages are hints: the calls are the record.
 */

import type * as v from 'valibot';
import type { OpenBet } from '#contract/calls/bet.ts';
import type { MarketStatus } from '#contract/calls/market.ts';
import type { MarketBook } from '#contract/calls/odds.ts';
import type { ScoreCard } from '#contract/calls/score.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import type { SportKey } from '#values/sports.ts';

type PriceSize = { price: number; size: number };

export interface MarketBookImage extends v.InferOutput<typeof MarketBook> {
	kind: 'IMAGE';
	/** Server time in milliseconds. */
	clock: number;
}

/** What changed since version `from`; a client that does not hold `from` asks for the image again by subscribing anew. */
export interface MarketBookDelta {
	kind: 'DELTA';
	marketId: string;
	from: number;
	version: number;
	clock: number;
	totalMatched?: number;
	/** Changed runners only; a `back` or `lay` that is present replaces all levels of that side. */
	runners: {
		runnerId: string;
		lastPriceTraded?: number | null;
		totalMatched?: number;
		back?: PriceSize[];
		lay?: PriceSize[];
	}[];
}

/** Why a channel is not told, as calls refuse it. */
export type SubscriptionRefusal = Extract<ErrorCode, 'SPORT_NOT_ALLOWED' | 'SITE_SUSPENDED'>;

export interface HubMessages {
	/** Version is the wallet's; an older one never overwrites a newer. */
	UserBalance: { Balance: number; Exposure: number; Version: number };
	MarketBook: MarketBookImage | MarketBookDelta;
	MarketStatus: {
		marketId: string;
		eventId: string;
		status: v.InferOutput<typeof MarketStatus>;
		inPlay: boolean;
		/** The market version of the contract, not the book's. */
		version: number;
		/** Runner id → ACTIVE, SUSPENDED, REMOVED, WINNER, LOSER …; of a fancy once it is settled. */
		runners?: { runnerId: string; status: string }[];
	};
	/** The bet as open bets show it, with what happened to it last. */
	BetUpdate: v.InferOutput<typeof OpenBet> & {
		event: 'PLACED' | 'MATCHED' | 'CANCELLED' | 'LAPSED' | 'VOIDED' | 'REDUCED' | 'SETTLED' | 'REOPENED';
		/** The stake this update is about. */
		eventStake: number;
		/** Why a bet lapsed or was voided: TURNED_IN_PLAY, SUSPENDED, MARKET_CLOSED, MARKET_VOIDED … */
		reason?: string;
	};
	Score: v.InferOutput<typeof ScoreCard>;
	EventUpdate: { eventId: string; status: string };
	/** The sports closed to the player, whatever his brand shows. */
	SportsChanged: { closed: SportKey[] };
	/** A channel is not heard any more: its sport was closed to the player or by the brand, or the site suspended. */
	SubscriptionEnded: { channel: string; code: SubscriptionRefusal };
	DomainSettingChanged: { domain: string; version: number };
	LoggedOut: { reason: string };
	Notice: { text: string };
}

/** What `Subscribe` answers. Channels that there are none of are unknown, others may be refused; the rest are told from now on. */
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

/** Channels a client may subscribe to: `market:ID`, `event:ID`, `sports`. */
export type Channel = `market:${string}` | `event:${string}` | 'sports';
