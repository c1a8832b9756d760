/** Starts what plays: recorded events when some are named, the simulated sports otherwise, and a live stream beside them. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BetfairConfig } from '#server/config.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { startLiveStream } from '#server/feeds/betfair/live-stream.ts';
import { keptSession } from '#server/feeds/betfair/session.ts';
import { FEED_POOLS, type RunningFeed } from '#server/feeds/fixture-market.ts';
import { openMakers } from '#server/feeds/market-maker.ts';
import { startRecordedEvents } from '#server/feeds/recorded-events.ts';
import { startSimulatedSports } from '#server/feeds/simulated/simulated-sports.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';

export interface FeedOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	pool: pg.Pool;
	log: Logger;
	options: {
		/** Files and folders; none for the simulated sports. */
		recordings: readonly string[];
		speed: number;
		seed: number;
		betfair: BetfairConfig | null;
	};
}

export async function startFeeds({ options, ...parts }: FeedOptions): Promise<RunningFeed> {
	await openMakers(parts.exchange, FEED_POOLS);
	const played =
		options.recordings.length === 0
			? await startSimulatedSports({ ...parts, ...options })
			: await startRecordedEvents({ ...parts, ...options });
	const live = options.betfair ? startBetfair(parts, options.betfair) : null;
	return {
		stop: async () => {
			await Promise.all([played.stop(), live?.stop()]);
		},
	};
}

function startBetfair(parts: Omit<FeedOptions, 'options'>, config: BetfairConfig): RunningFeed {
	const { appKey, userName, password, marketFilter, streamHost: host, streamPort: port } = config;
	const session = keptSession({ url: config.loginUrl, appKey, userName, password }, Date.now);
	const stream = { host, port, marketFilter };
	return startLiveStream({ ...parts, stream, catalogue: { url: config.catalogueUrl }, appKey, session });
}
