/**
 * The feeds: recordings, a live stream and simulated sports, which become fixtures, prices, scores and results. A feed
 * calls server/markets and uses the exchange like any other client: it submits commands, and the market maker bets from an
 * ordinary wallet.
 */
import type { Logger } from 'pino';
import { FEED_LEASE_MS, type MarketParts } from '#server/world/markets/fixture-market.ts';
import type { PlayingFeed } from '#server/world/markets/markets.ts';
import type { Mood } from '#server/world/markets/quotes-from-chances.ts';

export interface FeedParts extends MarketParts {
	log: Logger;
	/** Moves simulated prices within their margin; without it they are constant between two states of play. */
	mood?: Mood;
}

export interface RunningFeed extends PlayingFeed {
	stop(): Promise<void>;
}

/** How often a feed without news confirms its quotes, which renews the leases. */
export const confirmEveryMs = ({ leaseMs = FEED_LEASE_MS }: Pick<FeedParts, 'leaseMs'>): number => leaseMs / 4;
