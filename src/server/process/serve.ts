/**
 * The last stage of a start, after all parts are open: unfinished work of an earlier process is completed, the server
 * listens, and background jobs start.
 */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Bots } from '#server/doors/bots-api/open-bots.ts';
import { serveGateways } from '#server/doors/gateway/serve-gateways.ts';
import { closeHttp, urlOf } from '#server/doors/http/plain-server.ts';
import type { HubBackend } from '#server/doors/hub/hub.ts';
import type { Hub } from '#server/doors/hub/open-hub.ts';
import type { PlayersCalls } from '#server/doors/open-doors.ts';
import type { Traces } from '#server/doors/traces/traces.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Trading } from '#server/exchange/open-trading.ts';
import type { Casino } from '#server/money/casino/open-casino.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { Funds } from '#server/money/funds/open-funds.ts';
import type { SumTrees } from '#server/money/liabilities/trees.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { PROPOSALS } from '#server/operators/all-acts.ts';
import type { CaseSweep } from '#server/operators/cases/case-sweep.ts';
import { resultsOfFeeds } from '#server/operators/feed-results.ts';
import type { LimitWatch } from '#server/operators/limit-rules/limit-watch.ts';
import type { MailNotices } from '#server/operators/notices/mail-notices.ts';
import { endInterrupted } from '#server/operators/run-act.ts';
import type { Webhooks } from '#server/operators/webhooks/open-webhooks.ts';
import type { Players } from '#server/people/players/players.ts';
import type { Staff } from '#server/people/staff/open-staff.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { NatsBus } from '#server/platform/bus/nats-bus.ts';
import type { PublicLog } from '#server/platform/public-log/public-log.ts';
import type { Config } from '#server/process/config.ts';
import type { Gate } from '#server/process/hand-over/gate.ts';
import type { OpenHealth } from '#server/process/health/open-health.ts';
import { type Housekeeping, rememberedAt, startHousekeeping } from '#server/process/housekeeping.ts';
import type { ExchangeMetrics } from '#server/process/metrics/exchange-metrics.ts';
import type { Accounts } from '#server/process/open-accounts.ts';
import type { Database } from '#server/process/open-database.ts';
import type { TakenOver } from '#server/process/opening.ts';
import type { Readiness } from '#server/process/readiness.ts';
import { stopExchange } from '#server/process/stop-exchange.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { OwnFixtures } from '#server/world/feeds/by-hand/own-fixtures.ts';
import { startFeeds } from '#server/world/feeds/start-feeds.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import { FEED_LEASE_MS } from '#server/world/markets/fixture-market.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import type { ResultProposals } from '#server/world/markets/result-proposals.ts';
import type { World } from '#server/world/open-world.ts';

export interface RunningServer {
	url: string;
	/** Carries what became durable to the hub. */
	bus: Bus;
	exchange: Exchange;
	fixtures: Fixtures;
	players: Players;
	brands: Brands;
	funds: Funds;
	casino: Casino;
	providers: Providers;
	publicLog: PublicLog;
	sumTrees: SumTrees;
	staff: Staff;
	/** The rules that raise cases. */
	caseSweep: CaseSweep;
	limitWatch: LimitWatch;
	mailNotices: MailNotices;
	/** Takes feed results that a member confirms. */
	resultProposals: ResultProposals;
	db: pg.Pool;
	housekeeping: Housekeeping;
	/** The port of the bots' stream; null without one. */
	streamPort: number | null;
	/** The address for Prometheus; null without metrics. */
	metricsUrl: string | null;
	/** Takes no more bets, makes accepted ones durable, and closes everything. */
	stop(): Promise<void>;
}

/** The services behind the doors. */
export interface ServerCore {
	log: Logger;
	database: Database;
	world: World;
	trading: Trading;
	accounts: Accounts;
	providers: Providers;
	publicLog: PublicLog;
	sumTrees: SumTrees;
	webhooks: Webhooks;
	/** Opens and prices markets, by hand and for feeds. */
	markets: Markets;
	ownFixtures: OwnFixtures;
	telemetry: {
		/** Null without metrics. */
		metrics: ExchangeMetrics | null;
		/** Null without a collector. */
		traces: Traces | null;
	};
	readiness: Readiness;
	/** Carries what became durable to hubs. */
	bus: Bus;
	/** Null without gateways. */
	nats: NatsBus | null;
}

/** All parts of the server, before it serves. */
export interface OpenServer {
	core: ServerCore;
	calls: PlayersCalls;
	operators: OperatorOptions;
	/** Makes the checks of this process by itself. */
	health: OpenHealth['watch'];
	gates: { calls: Gate };
	doors: {
		hub: Hub;
		/** Answers the questions of hubs, including those of gateways. */
		backend: HubBackend;
		bots: Bots;
		http: FastifyInstance;
	};
}

/**
 * @param takenOver what listens on the server's port already; by default the server itself does
 * @param started moves into the running server, whose stop unwinds it
 */
export async function serve(
	config: Config,
	{ core, calls, operators, health, gates, doors }: OpenServer,
	takenOver: Pick<TakenOver, 'listening' | 'onReady'> | undefined,
	started: AsyncDisposableStack,
): Promise<RunningServer> {
	const { database, telemetry, world, trading, readiness, accounts, providers, publicLog, sumTrees, webhooks } = core;
	const { hub, bots, http } = doors;
	const { metrics } = telemetry;
	await PROPOSALS.markInterrupted(operators);
	await endInterrupted(operators);
	stopServing(core, { calls, operators, gates, doors }, started);
	metrics?.watch(watchedOf(config, core, hub, health));
	for (const part of [
		accounts.outbox,
		accounts.mails,
		accounts.funds,
		accounts.casino,
		providers,
		publicLog,
		sumTrees,
		webhooks,
		health,
	])
		part.start();
	started.defer(() => health.stop());
	for (const part of [operators.schedules, operators.caseSweep, operators.limitWatch, operators.mailNotices]) {
		part.start();
		started.defer(() => part.stop());
	}
	const listening = takenOver?.listening ?? http;
	hub.attach(listening.server);
	if (takenOver) takenOver.onReady(http);
	else await http.listen({ port: config.port, host: config.host });
	await bots.listen();
	const resultProposals = resultsOfFeeds(operators, config.feeds.proposedResults);
	await core.ownFixtures.open();
	await runFeeds(config, core, resultProposals, started);
	const housekeeping = keepHouse(config, core, bots, started);
	if (core.nats) started.defer(answerGateways(config, core.nats, core, { calls, backend: doors.backend, operators }));
	started.defer(() => readiness.stopping());
	const everything = started.move();
	return {
		url: urlOf(listening),
		bus: core.bus,
		exchange: trading.exchange,
		fixtures: world.fixtures,
		players: accounts.players,
		brands: world.brands,
		funds: accounts.funds,
		casino: accounts.casino,
		providers,
		publicLog,
		sumTrees,
		staff: accounts.staff,
		caseSweep: operators.caseSweep,
		limitWatch: operators.limitWatch,
		mailNotices: operators.mailNotices,
		resultProposals,
		db: database.db,
		housekeeping,
		streamPort: bots.streamPort(),
		metricsUrl: metrics?.url ?? null,
		stop: () => everything.disposeAsync(),
	};
}

/** Requests waiting for their batch are answered before their connections are closed. */
function stopServing(
	{ trading: { exchange }, accounts }: ServerCore,
	{ calls: { receipts }, operators, gates, doors }: Omit<OpenServer, 'core' | 'health'>,
	started: AsyncDisposableStack,
): void {
	started.defer(() => closeHttp(doors.http));
	started.defer(() => doors.hub.close());
	started.defer(() => operators.changes.close());
	started.defer(() => stopExchange({ exchange, gate: gates.calls, receipts }));
	started.defer(() => accounts.casino.stop());
}

/** The metrics of the parts. */
const watchedOf = (
	{ commandRows }: Config,
	{ trading, world, database: { db, ledger, reads } }: ServerCore,
	hub: Hub,
	health: Pick<OpenHealth['watch'], 'current' | 'drifts'>,
): Parameters<ExchangeMetrics['watch']>[0] => ({
	exchange: trading.exchange,
	fixtures: world.fixtures,
	hub,
	connections: { calls: db, ledger, reads: reads.connections },
	standbys: commandRows ? db : null,
	business: { db, alarms: () => health.current() },
	clockDrifts: () => health.drifts(),
});

async function runFeeds(
	config: Config,
	{ database, world, trading, markets, log }: ServerCore,
	resultProposals: ResultProposals,
	started: AsyncDisposableStack,
): Promise<void> {
	const feeds = await startFeeds({
		db: database.db,
		exchange: trading.exchange,
		fixtures: world.fixtures,
		markets,
		resultProposals,
		leaseMs: FEED_LEASE_MS,
		log,
		options: config.feeds,
	});
	started.defer(() => feeds.stop());
}

function keepHouse(
	{ feeds }: Config,
	{ log, database, world, trading }: ServerCore,
	bots: Bots,
	started: AsyncDisposableStack,
): Housekeeping {
	const housekeeping = startHousekeeping({
		log,
		db: database.db,
		fixtures: world.fixtures,
		exchange: trading.exchange,
		publisher: trading.publisher,
		priceHistory: trading.priceHistory,
		traded: trading.traded,
		starting: trading.starting,
		bots,
		rememberedMs: rememberedAt(feeds.speed),
	});
	started.defer(() => housekeeping.stop());
	return housekeeping;
}

/** @returns a function that stops taking calls of gateways; they wait for the next process */
const answerGateways = (
	{ tokenKey }: Config,
	nats: NatsBus,
	{ log, readiness, trading, world }: ServerCore,
	{ calls, backend, operators }: { calls: PlayersCalls; backend: HubBackend; operators: OperatorOptions },
): (() => void) =>
	serveGateways({
		bus: nats,
		log,
		backend,
		isReady: () => readiness.isReady(),
		exchange: trading.exchange,
		brands: world.brands,
		tokenKey,
		answer: calls.answer,
		document: calls.document,
		findDefinition: calls.findDefinition,
		framed: calls.framed,
		preview: async (host, secret) => operators.previews.find(host, secret),
	});
