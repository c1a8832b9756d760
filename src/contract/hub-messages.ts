/**
 * Messages of the hub. The server sends one event, `Message`, with {Code, Data}; Data is a JSON string of the shape
 * that is listed under its code in hub-schemas.ts. Messages are hints: the calls are the record.
 */

import type * as v from 'valibot';
import type * as schemas from '#contract/hub-schemas.ts';

/** How often the server sends `Heartbeat` to a connection with channels. */
export const HEARTBEAT_MS = 2000;

/**
 * A channel is live while it is acknowledged and its last message, or the connection's last heartbeat that covers it,
 * is younger than this: two heartbeats may be late. Any other channel is paused: shown grey, and not bet on.
 */
export const LIVE_AGE_MS = 5000;

type Schemas = typeof schemas.HUB_SCHEMAS;

/** The messages by code, in their wire form; hub-schemas.ts documents each. */
export type HubMessages = { [Code in keyof Schemas]: v.InferInput<Schemas[Code]> };

export type MarketBookImage = v.InferInput<typeof schemas.MarketBookImage>;
export type MarketBookDelta = v.InferInput<typeof schemas.MarketBookDelta>;
export type SubscriptionRefusal = v.InferInput<typeof schemas.SubscriptionRefusal>;

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
	/**
	 * At a registration: for how many milliseconds the client has heard no news of the player. TriggerUpdate and BetUpdate
	 * messages of that time which say what no call answers come again, of the last five minutes at most.
	 */
	MissedMs?: number;
}

/** Channels that a client may subscribe to: `market:ID`, `event:ID`, `sports`, `table:GAME`. */
export type Channel = `market:${string}` | `event:${string}` | 'sports' | `table:${string}`;
