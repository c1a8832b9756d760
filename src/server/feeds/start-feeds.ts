/** Starts what plays: the recorded match when one is named, the simulated sports otherwise. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
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
	options: { recording: string | null; score: string | null; speed: number; seed: number };
}

export async function startFeeds({ options, ...parts }: FeedOptions): Promise<RunningFeed> {
	await openMakers(parts.exchange, FEED_POOLS);
	if (options.recording === null) return await startSimulatedSports({ ...parts, ...options });
	return await startRecordedMatch({ ...parts, ...options, recording: options.recording });
}
