/** Starts the feeds: the named recordings, or the simulated sports where they are on, and a live stream beside them. */
import type pg from 'pg';
import { startLiveStream } from '#server/world/feeds/betfair/live-stream.ts';
import { keptSession } from '#server/world/feeds/betfair/session.ts';
import type { FeedParts, RunningFeed } from '#server/world/feeds/feed.ts';
import { startRecordedEvents } from '#server/world/feeds/recorded/recorded-events.ts';
import { SOURCE } from '#server/world/feeds/simulated/played-fixture.ts';
import {
	rateOf,
	type SimulationOptions,
	startSimulatedSports,
} from '#server/world/feeds/simulated/simulated-sports.ts';
import { isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { Crowd, openCrowd } from '#server/world/markets/crowd.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { housePools } from '#server/world/markets/market-pools.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import { changingMood } from '#server/world/markets/quotes-from-chances.ts';
import { openStartTakers, StartTakers } from '#server/world/markets/start-takers.ts';

export interface BetfairConfig {
	appKey: string;
	userName: string;
	password: string;
	/** The stream's own filter of markets. */
	marketFilter: object;
	streamHost: string;
	streamPort: number;
	catalogueUrl: string;
	loginUrl: string;
}

export interface FeedsConfig {
	/** Played without recordings. */
	simulatedSports: boolean;
	/** Recorded files, of markets or scores, and folders of them. */
	recordings: readonly string[];
	speed: number;
	/** Recordings wait for a program's call before each step. */
	isStepped?: boolean;
	seed: number;
	/** Limit of announced fixtures of a simulated sport. */
	mostAnnounced: number;
	/** Sources of fixtures whose results a member confirms; others settle immediately. */
	proposedResults: readonly string[];
	/** A live stream beside the others. */
	betfair: BetfairConfig | null;
}

interface FeedOptions extends FeedParts {
	db: pg.Pool;
	/** Gets the running feeds, so that operators can abandon their fixtures. */
	markets: Markets;
	options: FeedsConfig;
}

interface Feeds {
	stop(): Promise<void>;
}

export async function startFeeds({ options, markets, ...parts }: FeedOptions): Promise<Feeds> {
	const running: RunningFeed[] = [];
	const { recordings, simulatedSports, betfair } = options;
	const hasRecordings = recordings.length > 0;
	if (hasRecordings || simulatedSports || betfair) await openMarketMakers(parts.exchange);
	if (hasRecordings) running.push(await startRecordedEvents({ ...parts, ...options }));
	else if (simulatedSports) running.push(await startSimulation({ ...parts, ...options }));
	if (!simulatedSports) warnOfUnplayed(parts);
	if (betfair) running.push(startBetfair(parts, betfair));
	markets.setFeeds(running);
	return {
		stop: async () => {
			await Promise.all(running.map((feed) => feed.stop()));
		},
	};
}

/** A server that played simulated sports may have left some, which nothing plays to their end now. */
function warnOfUnplayed({ fixtures, log }: FeedParts): void {
	const left = fixtures.all().filter((fixture) => fixture.source === SOURCE && isUnfinished(fixture));
	if (left.length === 0) return;
	log.warn(
		{ fixtures: left.length, eventIds: left.map(({ id }) => id) },
		'simulated sports are off, and fixtures of theirs are unfinished: abandon them, or set SIMULATED_SPORTS=on',
	);
}

/** The simulated sports, with the moods and the crowd of their markets. */
async function startSimulation(options: SimulationOptions): Promise<RunningFeed> {
	const { exchange, fixtures, speed, log } = options;
	await openCrowd(exchange);
	await openStartTakers(exchange);
	const sports = await startSimulatedSports({ ...options, mood: changingMood });
	const parts = { exchange, fixtures, pools: housePools(exchange), speed, draw: Math.random, log };
	const crowd = new Crowd({ ...parts, rateOf });
	const starters = new StartTakers({ ...parts, follows: (fixture) => rateOf(fixture) !== null });
	return {
		...sports,
		stop: async () => {
			await Promise.all([crowd.stop(), starters.stop()]);
			await sports.stop();
		},
	};
}

function startBetfair(parts: FeedParts & Pick<FeedOptions, 'db'>, config: BetfairConfig): RunningFeed {
	const { appKey, userName, password, marketFilter, streamHost: host, streamPort: port } = config;
	const session = keptSession({ url: config.loginUrl, appKey, userName, password }, Date.now);
	const stream = { host, port, marketFilter };
	return startLiveStream({ ...parts, stream, catalogue: { url: config.catalogueUrl }, appKey, session });
}
