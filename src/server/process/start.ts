/** Connects the parts of the server in the order of their dependencies, and stops them in reverse. */
import { openBotsDoor, openHttp, openHubDoor } from '#server/doors/open-doors.ts';
import { openTraces } from '#server/doors/traces/open-traces.ts';
import { ledgerIdOf } from '#server/exchange/recovery/served-pools.ts';
import { SumTrees } from '#server/money/liabilities/trees.ts';
import { BrandPreviews } from '#server/operators/brand-previews.ts';
import { ConsoleChanges } from '#server/operators/changes.ts';
import { openOperators } from '#server/operators/open-operators.ts';
import { openWebhooks } from '#server/operators/webhooks/open-webhooks.ts';
import { openSportPermissions } from '#server/people/players/sport-permissions.ts';
import { type Bus, LocalBus } from '#server/platform/bus/bus.ts';
import type { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { openNats } from '#server/platform/bus/open-nats.ts';
import { Stages } from '#server/platform/pacing/stages.ts';
import { logFiles } from '#server/platform/public-log/log-files.ts';
import type { Config } from '#server/process/config.ts';
import { EngineDirectory } from '#server/process/engine-directory.ts';
import { Gate } from '#server/process/hand-over/gate.ts';
import { openHealth } from '#server/process/health/open-health.ts';
import { openRelease } from '#server/process/health/own-release.ts';
import { rememberedAt } from '#server/process/housekeeping.ts';
import { lapseSuspendedBets } from '#server/process/lapse-suspended-bets.ts';
import { openLog } from '#server/process/log.ts';
import { openExchangeMetrics } from '#server/process/metrics/open-metrics.ts';
import { openAccounts } from '#server/process/open-accounts.ts';
import { openCalls } from '#server/process/open-calls.ts';
import { openDatabase } from '#server/process/open-database.ts';
import { openGameProviders } from '#server/process/open-game-providers.ts';
import { handOverRoutes, openHandOver } from '#server/process/open-hand-over.ts';
import { openPublicLog } from '#server/process/open-public-log.ts';
import { openWatchedTrading } from '#server/process/open-watched-trading.ts';
import type { Opening, TakenOver } from '#server/process/opening.ts';
import { type OpenServer, type RunningServer, type ServerCore, serve } from '#server/process/serve.ts';
import { OwnFixtures } from '#server/world/feeds/by-hand/own-fixtures.ts';
import { FEED_LEASE_MS } from '#server/world/markets/fixture-market.ts';
import { Markets } from '#server/world/markets/markets.ts';
import { openWorld } from '#server/world/open-world.ts';

/**
 * Starts everything or nothing: if a step fails, the started parts are stopped again, PostgreSQL included.
 * @param onStopped called when the server cannot continue on its own
 * @param takenOver the state passed by a standby; everything is read from the tables by default
 */
export async function startServer(
	config: Config,
	onStopped: (error: Error) => void,
	takenOver?: TakenOver,
): Promise<RunningServer> {
	await using started = new AsyncDisposableStack();
	const stages = new Stages();
	const { log, flushed } = openLog(config.logLevel);
	started.defer(flushed);
	const release = takenOver ? takenOver.release : await openRelease(config, log);
	stages.ended('release');
	const database = takenOver?.database ?? (await openDatabase(config, started));
	stages.ended('database');
	const server = await openServer(
		{ config, reach: config, log, database, stages, release, isRehearsal: false, onStopped, takenOver },
		started,
	);
	const running = await serve(config, server, takenOver, started);
	stages.ended('serving');
	// A manual start prints its greeting; a takeover only logs this line.
	log[takenOver ? 'info' : 'debug']({ stagesMs: stages.tookMs }, 'the server has started');
	return running;
}

/**
 * Opens the parts. No client is served, and no background job runs yet.
 * @param started the opened parts and how to stop them; the last one is stopped first
 */
export async function openServer(opening: Opening, started: AsyncDisposableStack): Promise<OpenServer> {
	const { config, reach, log, database, stages, takenOver } = opening;
	const { db } = database;
	database.unhurriedToStart();
	const metrics = await openExchangeMetrics(reach.metrics, started);
	const { nodeId, pools, booksZone: zone } = config;
	const { onDropped } = metrics ?? {};
	const traces = await openTraces(config.traces, { process: 'exchange', nodeId, log, onDropped }, started);
	const telemetry = { metrics, traces };
	const nats =
		takenOver?.nats === undefined
			? await openNats({ natsUrl: reach.natsUrl, pools: config.pools }, log, started)
			: takenOver.nats;
	const bus = nats ?? new LocalBus();
	const directory = nats && (await openDirectory(opening, nats, started));
	const [world, sports] = await Promise.all([
		openWorld({ db, bus, pools: config.pools, rememberedMs: rememberedAt(config.feeds.speed) }),
		openSportPermissions({ db, bus }),
	]);
	directory?.follow(world.brands);
	stages.ended('catalogue');
	const webhooks = await openWebhooks({ db, config, log }, started);
	const { trading, readiness, targets } = await openWatchedTrading(
		opening,
		{ bus, nats, world, telemetry, webhooks },
		started,
	);
	stages.ended('exchange');
	const changes = new ConsoleChanges();
	const accounts = await openAccounts(opening, { bus, world, sports, trading, changes, targets }, started);
	stages.ended('casino, players, funds and staff');
	lapseSuspendedBets({ world, trading, accounts, bus, log }, started);
	const markets = new Markets({ exchange: trading.exchange, fixtures: world.fixtures, leaseMs: FEED_LEASE_MS });
	const providers = openGameProviders(opening, { world, trading, accounts }, started);
	const ownFixtures = new OwnFixtures({ db, exchange: trading.exchange, fixtures: world.fixtures, markets });
	const publicLog = openPublicLog(opening, { trading }, started);
	const sumTrees = new SumTrees({ db, databaseUrl: database.databaseUrl, pools, zone, log });
	started.defer(() => sumTrees.stop());
	const core = {
		log,
		database,
		telemetry,
		bus,
		nats,
		world,
		trading,
		readiness,
		accounts,
		markets,
		ownFixtures,
		providers,
		publicLog,
		sumTrees,
		webhooks,
	};
	return await openToCallers(opening, core, { bus, changes }, started);
}

/** @throws Error if another engine serves one of the pools */
async function openDirectory(
	{ config: { pools, tokenKey }, database: { db }, log, takenOver }: Opening,
	nats: NatsBus,
	started: AsyncDisposableStack,
): Promise<EngineDirectory> {
	const isStart = takenOver === undefined;
	const ledgerId = await ledgerIdOf(db);
	const directory = await EngineDirectory.open({ nats, pools, ledgerId, tokenKey, log }, isStart);
	started.defer(() => directory.close());
	return directory;
}

/** Opens the interfaces for clients, gateways and operators. */
async function openToCallers(
	opening: Opening,
	core: ServerCore,
	{ bus, changes }: { bus: Bus; changes: ConsoleChanges },
	started: AsyncDisposableStack,
): Promise<OpenServer> {
	const { config, reach, release, stages, takenOver } = opening;
	const { log, database, telemetry, world, trading, readiness, accounts, markets } = core;
	const { providers, sumTrees, ownFixtures, webhooks } = core;
	const { hub, backend } = openHubDoor({ config, bus, log, world, trading, accounts });
	const gates = { calls: new Gate(), requests: new Gate() };
	const calls = openCalls(opening, { world, trading, accounts, providers, sumTrees, telemetry, gates });
	const bots = await openBotsDoor({ config, reach, log, trading, accounts, calls, markets }, started);
	const leaving = { readiness, changes, bots, hub };
	const handOver = openHandOver(opening, { trading, accounts, providers, calls, gates, leaving });
	const onChanged = () => changes.queuesChanged();
	const health = openHealth({ config, release, reach, db: database.db, trading, accounts, world, log, onChanged });
	const operators = openOperators({
		log,
		previews: new BrandPreviews(),
		config,
		database,
		world,
		trading,
		accounts,
		markets,
		ownFixtures,
		providers,
		changes,
		handOver,
		health,
		webhooks,
	});
	stages.ended('bots');
	database.limitedToServe();
	// All followers of commits are connected now.
	await takenOver?.onAnswering?.({ answer: calls.answer, brands: world.brands, tokens: accounts.players });
	stages.ended('calls that waited');
	const passing = handOverRoutes(opening, { calls, gates });
	const http = await openHttp({
		config,
		log,
		world,
		accounts,
		providers,
		calls,
		operators,
		logFiles: logFiles(database.db, config.ledgerKey, calls.receipts),
		doors: { hub, bots, passing },
		telemetry,
		readiness,
		standing: health.standing,
	});
	stages.ended('routes');
	return { core, calls, operators, health: health.watch, gates, doors: { hub, backend, bots, http } };
}
