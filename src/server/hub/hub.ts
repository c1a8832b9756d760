/** What the hub needs from the rest of the server, and what it offers; transports and protocol are its own. */

import type { Login } from '#server/accounts/logins.ts';
import type { BusMessage } from '#server/bus.ts';
import type { Pool } from '#values/pools.ts';

/** Who sits at a connection: a visitor sees the brand's pool, a player his own. */
export interface Viewer {
	brand: string;
	pool: Pool;
	login: Login | null;
}

export interface HubBackend {
	/** The brand of a request's host, or null when no site is served there. */
	brandOf(host: string): { host: string; pool: Pool } | null;
	findLogin(token: string, brand: string): Login | null;
	/** The bus topic behind a channel for this viewer, or null when there is no such channel. */
	topicOf(channel: string, viewer: Viewer): string | null;
	/** What a new subscriber of a channel is sent first. */
	images(channel: string, viewer: Viewer): BusMessage[];
	/** The player's balance, sent after registration. */
	balance(playerId: number): BusMessage<'UserBalance'> | null;
}
