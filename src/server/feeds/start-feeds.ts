/** Starts what plays: the recorded match when one is named, the simulated sports otherwise, and a live stream beside them. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BetfairConfig } from '#server/config.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { startLiveStream } from '#server/feeds/betfair/live-stream.ts';
import { keptSession } from '#server/feeds/betfair/session.ts';
import { FEED_POOLS } from '#server/feeds/fixture-market.ts';
import { openMakers } from '#server/feeds/market-maker.ts';
import { type RunningFeed, startRecordedMatch } from '#server/feeds/recorded-match.ts';
import { startSimulatedSports } from '#server/feeds/simulated/simulated-sports.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';

export interface FeedOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	pool: pg.Pool;
	log: Logger;
	options: {
		recording: string | null;
		score: string | null;
		speed: number;
		seed: number;
		betfair: BetfairConfig | null;
	};
}

export async function startFeeds({ options, ...parts }: FeedOptions): Promise<RunningFeed> {
	await openMakers(parts.exchange, FEED_POOLS);
	const played =
		options.recording === null
			? await startSimulatedSports({ ...parts, ...options })
			: await startRecordedMatch({ ...parts, ...options, recording: options.recording });
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
