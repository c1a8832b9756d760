/**
 * The hub, from bytes to messages: `transports` carry bytes to and from browsers, `protocols` read and write what
 * they mean, `connection.ts` keeps one client's order and timeouts, `hub-methods.ts` does what he asks, and the bus
 * brings what is told. This file: what the hub needs from the rest of the server, in this process or in the engine's.
 */
import type { Subscribed } from '#contract/hub-messages.ts';
import type { BusMessage } from '#server/bus.ts';
import type { Login } from '#server/players/logins.ts';
import type { Pool } from '#values/pools.ts';

/** The brand of a connection; a visitor sees its pool, a player his own. */
export interface HubBrand {
	host: string;
	pool: Pool;
}

/** Who wants to hear: a player, or a visitor of the brand. */
export interface HubViewer {
	brand: string;
	playerId: number | null;
}

export interface HubBackend {
	/** The brand of a request's host, or null when no site is served there. */
	brandOf(host: string): Promise<HubBrand | null>;
	/** The login of an access token on a brand, or null when it is dead. */
	findLogin(token: string, brand: string): Promise<Login | null>;
	/** Of these channels, those that the viewer may not hear, and why; asked by flags alone. */
	refusals(channels: readonly string[], viewer: HubViewer): Promise<Subscribed['refused']>;
	/** What a new subscriber of a channel is sent first; null when there is no such channel. */
	images(channel: string, pool: Pool): Promise<BusMessage[] | null>;
	/** The player's balance, sent after registration. */
	balance(playerId: number): Promise<BusMessage<'UserBalance'> | null>;
}

/** The bus topic behind a channel for who bets in this pool; null when it is not the name of a channel. */
export function topicOf(channel: string, pool: Pool): string | null {
	if (channel === 'sports') return 'sports';
	const [, kind, id] = /^(market|event):([1-9]\d{0,14})$/.exec(channel) ?? [];
	if (kind === undefined) return null;
	return kind === 'market' ? `market.${id}.${pool}` : `event.${id}`;
}
