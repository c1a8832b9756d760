/**
 * The hub, from bytes to messages. `transports` carry bytes to and from browsers, `protocols` encode and decode
 * messages, `connection.ts` keeps one client's order and timeouts, `hub-methods.ts` runs the methods, and the bus
 * delivers what is published. This file declares what the hub needs from the rest of the server, in this process or in
 * the engine's.
 */
import type { Subscribed } from '#contract/hub-messages.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import { cohortTopic, tableTopic } from '#server/platform/bus/table-topics.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

/** The brand of a connection. A visitor sees its pool; a player sees the player's own. */
export interface HubBrand {
	host: string;
	pool: Pool;
}

/** A player, or a visitor of the brand, with the pool whose books they see. */
export interface HubViewer {
	brand: string;
	pool: Pool;
	playerId: PlayerId | null;
}

/** The buses of the processes with the pools: one for all, or one for each engine. */
export interface HubBuses {
	readonly all: readonly Bus[];
	of(pool: Pool): Bus;
}

export const oneBus = (bus: Bus): HubBuses => ({ all: [bus], of: () => bus });

export interface HubBackend {
	/** The brand of a request's host, or null when no site is served there. */
	brandOf(host: string): Promise<HubBrand | null>;
	/** The login of an access token on a brand, or null when it is dead. */
	findLogin(token: string, brand: string): Promise<Login | null>;
	/** The channels among these that are closed to the viewer, with the reason; decided by flags alone. */
	refusals(channels: readonly string[], viewer: HubViewer): Promise<Subscribed['refused']>;
	/** The image for a new subscriber of a channel; null if there is no such channel. */
	images(channel: string, pool: Pool): Promise<BusMessage[] | null>;
	/** The player's balance, sent after registration. */
	balance(playerId: PlayerId, pool: Pool): Promise<BusMessage<'UserBalance'> | null>;
	/** What was told the player in the last milliseconds and is in no answer of a call. */
	notices(playerId: PlayerId, pool: Pool, lastMs: number): Promise<BusMessage[]>;
}

/** The bus topics of a channel for a viewer of this pool and cohort; none when the channel's name is not valid. */
export function topicsOf(channel: string, pool: Pool, cohort: number): string[] {
	if (channel === 'sports') return ['sports'];
	const [, game] = /^table:([a-z0-9-]{1,40})$/.exec(channel) ?? [];
	if (game !== undefined) return [tableTopic(game, pool), cohortTopic(game, pool, cohort)];
	const [, kind, id] = /^(market|event):([1-9]\d{0,14})$/.exec(channel) ?? [];
	if (kind === undefined) return [];
	return [kind === 'market' ? `market.${id}.${pool}` : `event.${id}`];
}
