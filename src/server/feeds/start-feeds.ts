/** Starts what plays: recorded events when some are named, the simulated sports otherwise, and a live stream beside them. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BetfairConfig } from '#server/config.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { startLiveStream } from '#server/feeds/betfair/live-stream.ts';
import { keptSession } from '#server/feeds/betfair/session.ts';
import { startRecordedEvents } from '#server/feeds/recorded/recorded-events.ts';
import { LiveFixture } from '#server/feeds/simulated/live-fixture.ts';
import { startSimulatedSports } from '#server/feeds/simulated/simulated-sports.ts';
import type { Fixture, Fixtures } from '#server/fixtures/fixtures.ts';
import {
	FEED_LEASE_MS,
	FEED_POOLS,
	type FeedParts,
	openMarket,
	type RunningFeed,
} from '#server/markets/fixture-market.ts';
import { openMakers } from '#server/markets/market-maker.ts';

export interface FeedOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	pool: pg.Pool;
	log: Logger;
	options: {
		enabled: boolean;
		/** Files and folders; none for the simulated sports. */
		recordings: readonly string[];
		speed: number;
		seed: number;
		betfair: BetfairConfig | null;
	};
}

/** What plays here; without feeds there is nothing to play, and fixtures can be abandoned all the same. */
export interface Feeds {
	stop(): Promise<void>;
	/** Ends every open market of a fixture by its kind's rule for play that stops early, whoever plays it. */
	abandon(fixture: Fixture): Promise<void>;
}

export async function startFeeds({ options, ...given }: FeedOptions): Promise<Feeds> {
	const parts = { ...given, leaseMs: FEED_LEASE_MS };
	const running: RunningFeed[] = [];
	if (options.enabled) {
		await openMakers(parts.exchange, FEED_POOLS);
		const { recordings } = options;
		running.push(
			recordings.length === 0
				? await startSimulatedSports({ ...parts, ...options })
				: await startRecordedEvents({ ...parts, ...options }),
		);
		if (options.betfair) running.push(startBetfair(parts, options.betfair));
	}
	return {
		stop: async () => {
			await Promise.all(running.map((feed) => feed.stop()));
		},
		abandon: async (fixture) => {
			await endMarketsOfOperators(parts, fixture);
			for (const feed of running) if (await feed.abandon(fixture.id)) return;
			await (await LiveFixture.open(parts, fixture)).abandon();
		},
	};
}

/** What operators opened no feed knows how to end. */
async function endMarketsOfOperators(parts: FeedParts, fixture: Fixture): Promise<void> {
	const unplayed = fixture.status === 'UPCOMING';
	for (const listing of parts.fixtures.markets(fixture.id).filter(({ byOperator }) => byOperator)) {
		const market = await openMarket(parts, fixture, listing);
		if (!market.isSettled) await market.settle({ unfinished: true, ...(unplayed ? { unplayed } : {}) });
	}
}

function startBetfair(parts: FeedParts & Pick<FeedOptions, 'pool'>, config: BetfairConfig): RunningFeed {
	const { appKey, userName, password, marketFilter, streamHost: host, streamPort: port } = config;
	const session = keptSession({ url: config.loginUrl, appKey, userName, password }, Date.now);
	const stream = { host, port, marketFilter };
	return startLiveStream({ ...parts, stream, catalogue: { url: config.catalogueUrl }, appKey, session });
}
