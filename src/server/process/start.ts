/** Connects the parts of the server in the order of their dependencies, and stops them in reverse. */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { allHandlers } from '#server/calls/all-handlers.ts';
import { type AnswerCallsOptions, answerCalls } from '#server/calls/answer-calls.ts';
import { BetAdmission } from '#server/calls/bet-admission.ts';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import { definitionsOf } from '#server/calls/game-definition.ts';
import type { Parts } from '#server/calls/handler.ts';
import { gameStakeAdmission } from '#server/calls/stake-admission.ts';
import { type Bots, type BotsOptions, openBots } from '#server/doors/bots-api/open-bots.ts';
import { consoleRoutes } from '#server/doors/console/console-routes.ts';
import { markOf } from '#server/doors/gateway/call-messages.ts';
import { ProjectionSource } from '#server/doors/gateway/projection-source.ts';
import { serveGateways } from '#server/doors/gateway/serve-gateways.ts';
import { createHttpServer, type HttpOptions } from '#server/doors/http/create-http-server.ts';
import { openApiDocument } from '#server/doors/http/open-api.ts';
import { closeHttp, passRequests, urlOf } from '#server/doors/http/plain-server.ts';
import { startHeartbeat } from '#server/doors/hub/heartbeat.ts';
import { createHubBackend } from '#server/doors/hub/hub-backend.ts';
import { openHub } from '#server/doors/hub/open-hub.ts';
import { tracedAnswers } from '#server/doors/traces/traced-answers.ts';
import { Traces } from '#server/doors/traces/traces.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import { documentNews } from '#server/exchange/views/news.ts';
import { PriceHistory } from '#server/exchange/views/price-history.ts';
import { createPublisher } from '#server/exchange/views/publisher.ts';
import { AutoCashOut } from '#server/money/cash-out/auto-cash-out.ts';
import { type Casino, type CasinoOptions, openCasino } from '#server/money/casino/open-casino.ts';
import { openProviders, type Providers, type ProvidersOptions } from '#server/money/casino/providers/open-providers.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import { dayOf } from '#server/money/funds/calendar.ts';
import { type Funds, type FundsOptions, openFunds, type Registered } from '#server/money/funds/open-funds.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { ConsoleChanges } from '#server/operators/changes.ts';
import { resultsOfFeeds } from '#server/operators/feed-results.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { reopenInterrupted } from '#server/operators/proposal-rows.ts';
import { endInterrupted } from '#server/operators/run-act.ts';
import { openPlayers, type PlayersOptions } from '#server/people/players/open-players.ts';
import { Outbox } from '#server/people/players/outbox.ts';
import type { Players } from '#server/people/players/players.ts';
import { smsGateway } from '#server/people/players/sms-gateway.ts';
import { openSportPermissions } from '#server/people/players/sport-permissions.ts';
import { openStaff, type Staff } from '#server/people/staff/open-staff.ts';
import { type Bus, LocalBus } from '#server/platform/bus/bus.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { Stages } from '#server/platform/pacing/stages.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import type { Config } from '#server/process/config.ts';
import { Gate } from '#server/process/hand-over/gate.ts';
import { gateCalls } from '#server/process/hand-over/gate-calls.ts';
import { gateRequests } from '#server/process/hand-over/gate-requests.ts';
import { HandOver, type HandOverOptions } from '#server/process/hand-over/hand-over.ts';
import { type PassedCallsOptions, passCallsTo, passedCallRoute } from '#server/process/hand-over/pass-calls.ts';
import { passedRequestRoute, passRequestsTo } from '#server/process/hand-over/pass-requests.ts';
import { type Housekeeping, rememberedAt, startHousekeeping } from '#server/process/housekeeping.ts';
import { openLog } from '#server/process/log.ts';
import { ExchangeMetrics } from '#server/process/metrics/exchange-metrics.ts';
import { type Database, openDatabase } from '#server/process/open-database.ts';
import { Readiness } from '#server/process/readiness.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { openBrands } from '#server/world/brands/open-brands.ts';
import { type SuspendedBetsOptions, watchSuspendedBets } from '#server/world/brands/suspended-bets.ts';
import { startFeeds } from '#server/world/feeds/start-feeds.ts';
import { openFixtures } from '#server/world/fixtures/catalogue.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import { FEED_LEASE_MS } from '#server/world/markets/fixture-market.ts';
import { Markets } from '#server/world/markets/markets.ts';
import type { ResultProposals } from '#server/world/markets/result-proposals.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';

export interface RunningServer {
	url: string;
	exchange: Exchange;
	fixtures: Fixtures;
	players: Players;
	brands: Brands;
	funds: Funds;
	casino: Casino;
	providers: Providers;
	staff: Staff;
	/** Takes results of the feeds that a member confirms. */
	resultProposals: ResultProposals;
	db: pg.Pool;
	housekeeping: Housekeeping;
	/** The port of the bots' stream; null without one. */
	streamPort: number | null;
	/** Where Prometheus asks; null without metrics. */
	metricsUrl: string | null;
	/** Takes no more bets, makes accepted ones durable, and closes everything. */
	stop(): Promise<void>;
}

/** What a standby has when it becomes the server. */
export interface TakenOver {
	recovered: Recovered;
	/** Its connections, which it closes itself. */
	database: Database;
	/** Listens on the server's port already. */
	listening: FastifyInstance;
	/** It asks providers for their games, as the server does. */
	games: ProviderGames;
	/** Its connection to gateways, which it closes itself; null without gateways. */
	nats: NatsBus | null;
	/** Told how calls are answered, before anything else is served. */
	onAnswering: (answer: AnswerCall) => Promise<void>;
}

/**
 * Starts everything or nothing: when a step fails, the parts that were started are stopped again, PostgreSQL included.
 * @param onStopped called when the server cannot continue by itself
 * @param takenOver what a standby brings with it; everything is read from the tables by default
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
	const database = takenOver?.database ?? (await openDatabase(config, started));
	stages.ended('database');
	const opened = await openParts(config, { ...takenOver, log, database, onStopped, stages }, started);
	const running = await serve(config, opened, { ...takenOver, started });
	stages.ended('serving');
	// A start by hand has its greeting; a takeover has this line alone.
	log[takenOver ? 'info' : 'debug']({ stagesMs: stages.tookMs }, 'the server has started');
	const everything = started.move();
	return { ...running, stop: () => everything.disposeAsync() };
}

interface Opening {
	log: Logger;
	database: Database;
	onStopped: (error: Error) => void;
	recovered?: Recovered;
	stages?: Stages;
	/** Nothing may be written. */
	isRehearsal?: boolean;
	games?: ProviderGames;
	nats?: NatsBus | null;
	onAnswering?: TakenOver['onAnswering'];
}

/**
 * Opens the parts. Nobody is served, and nothing runs by itself yet.
 * @param started the opened parts and how to stop them; the last one is stopped first
 */
export async function openParts(
	config: Config,
	{ log, database, recovered, games, nats: connected, onStopped, onAnswering, ...how }: Opening,
	started: AsyncDisposableStack,
) {
	const { stages = new Stages(), isRehearsal = false } = how;
	const metrics = await openMetrics(config, started);
	const traces = await openTraces(config, log, metrics, started);
	const { db, reads } = database;
	const nats = connected === undefined ? await openNats(config, log, started) : connected;
	const bus = nats ?? new LocalBus();
	const rememberedMs = rememberedAt(config.feeds.speed);
	const [fixtures, brands, sports] = await Promise.all([
		openFixtures({ db, bus, clock: Date.now, endedSinceMs: Date.now() - rememberedMs }),
		openBrands({ db, bus }),
		openSportPermissions({ db, bus }),
	]);
	stages.ended('catalogue');
	const { exchange, publisher, priceHistory, readiness, listeners } = await openTrading(
		{ config, database, bus, nats, fixtures, log, metrics, traces, onStopped, recovered },
		started,
	);
	stages.ended('exchange');
	const keys = new DataKeys(config.dataKeys);
	const isReady = () => readiness.isReady();
	const outbox = new Outbox({ db, gateway: config.sms ? smsGateway(config.sms) : null, log });
	started.defer(() => outbox.stop());
	const journal = new Journal({ db, ledgerKey: config.ledgerKey, epoch: exchange.epoch() });
	const changes = new ConsoleChanges();
	const { casino, players, funds, staff, barListeners } = await openPersons(
		{ ...config, db, journal, exchange, sports, bus, outbox, brands, log, keys, changes, isRehearsal },
		listeners,
		started,
	);
	stages.ended('casino, players, funds and staff');
	lapseSuspendedBets({ brands, bus, log }, exchange, players, started);
	const betAdmission = new BetAdmission({ brands, funds }, config.rateLimitFactor);
	const markets = new Markets({ exchange, fixtures, leaseMs: FEED_LEASE_MS });
	const providers = openGameProviders({ ...config, db, exchange, log, games }, { players, funds, brands }, started);
	const betting = { exchange, casino, providers, fixtures, priceHistory, publisher, players, sports };
	const parts = { ...betting, betAdmission, funds, brands, journal, db, reads, log, outbox, keys };
	const backend = createHubBackend({ ...parts, ...casino, bookImage: publisher.image, logins: players });
	const hub = openHub({ ...config, bus, backend, log });
	const operatorKey = operatorKeyOf(config.tokenKey);
	const gates = { calls: new Gate(), requests: new Gate() };
	const side = playersPartsOf({ ...config, ...parts, traces, gate: gates.calls, operatorKey });
	const bots = await openBotsInterface({ ...config, ...parts, barListeners }, listeners, started);
	const ending = { readiness, hub, changes, bots, outbox, casino, funds, providers };
	const handOver = openHandOver(config, { ...side, ...ending, db, log, exchange, gates, onStopped });
	const console = openConsole(config, { ...parts, markets, handOver, operatorKey, staff, changes }, listeners);
	stages.ended('bots');
	// Everything that follows the commits does so now.
	await onAnswering?.(side.answer);
	stages.ended('calls that waited');
	const http = await createHttpServer({
		...config,
		...console,
		...side,
		consoleRoutes: (scope) => consoleRoutes(scope, console),
		hubRoutes: hub.routes,
		botsRoutes: bots.routes,
		...handOverRoutes(config, { gate: gates.requests, answer: side.answer, operatorKey, log }),
		onRefused: metrics?.onRefused,
		isReady,
	});
	await http.ready();
	stages.ended('routes');
	const beside = { database, markets, hub, bots, console, http, metrics, publisher, readiness, rememberedMs };
	return { parts, side, nats, backend, isReady, ...beside };
}

/** Finishes what an earlier process left, listens, and starts what runs by itself. */
async function serve(
	config: Config,
	{ parts, side, nats, backend, isReady, ...beside }: Awaited<ReturnType<typeof openParts>>,
	{ listening, started }: Partial<TakenOver> & { started: AsyncDisposableStack },
): Promise<Omit<RunningServer, 'stop'>> {
	const { database, markets, hub, bots, console, http, metrics, publisher, readiness, rememberedMs } = beside;
	const { exchange, casino, outbox, funds, providers } = parts;
	await reopenInterrupted(console);
	await endInterrupted(console);
	stopServing({ http, streams: [hub, console.changes], exchange, casino }, started);
	metrics?.watch({ ...parts, hub, ...watched(database, config) });
	for (const part of [outbox, funds, casino, providers]) part.start();
	hub.attach((listening ?? http).server);
	if (listening) passRequests(listening, http);
	else await http.listen({ port: config.port, host: config.host });
	await bots.listen();
	const resultProposals = resultsOfFeeds(console, config.feeds.proposedResults);
	const feeding = { ...parts, markets, resultProposals, leaseMs: FEED_LEASE_MS };
	const feeds = await startFeeds({ ...feeding, options: config.feeds });
	started.defer(() => feeds.stop());
	const housekeeping = startHousekeeping({ ...parts, publisher, bots, rememberedMs });
	started.defer(() => housekeeping.stop());
	if (nats) started.defer(serveGateways({ ...config, ...parts, ...side, bus: nats, backend, isReady }));
	started.defer(() => readiness.stopping());
	const addresses = { url: urlOf(listening ?? http), streamPort: bots.streamPort(), metricsUrl: metrics?.url ?? null };
	return { ...parts, ...addresses, staff: console.staff, resultProposals, housekeeping };
}

/** Requests that wait for their batch are answered before their connections are closed. */
function stopServing(
	parts: {
		http: FastifyInstance;
		streams: readonly { close(): void | Promise<void> }[];
		exchange: Exchange;
		casino: Casino;
	},
	started: AsyncDisposableStack,
): void {
	started.defer(() => closeHttp(parts.http));
	for (const stream of parts.streams) started.defer(() => stream.close());
	started.defer(() => parts.exchange.drain());
	started.defer(() => parts.casino.stop());
}

/** Null where none are configured. */
async function openMetrics(
	{ metrics: config }: Config,
	started: AsyncDisposableStack,
): Promise<ExchangeMetrics | null> {
	const metrics = config && (await ExchangeMetrics.open(config));
	started.defer(async () => await metrics?.close());
	return metrics;
}

/** Null where no collector is configured. */
async function openTraces(
	{ traces: config, nodeId }: Config,
	log: Logger,
	metrics: ExchangeMetrics | null,
	started: AsyncDisposableStack,
): Promise<Traces | null> {
	const { onDropped } = metrics ?? {};
	const traces = config && (await Traces.open(config, { process: 'exchange', nodeId, log, onDropped }));
	started.defer(async () => await traces?.close());
	return traces;
}

/** What metrics say of the database. */
const watched = ({ db, ledger, reads }: Database, { commandRows }: Config) => ({
	connections: { calls: db, ledger, reads: reads.connections },
	standbys: commandRows ? db : null,
});

/** NATS where gateways follow the process; null without them. */
export async function openNats(
	{ natsUrl }: Config,
	log: Logger,
	started: AsyncDisposableStack,
): Promise<NatsBus | null> {
	const nats = natsUrl ? await NatsBus.connect(natsUrl, log) : null;
	started.defer(async () => await nats?.close());
	return nats;
}

/** What players' browsers use, here and over gateways. */
function playersPartsOf(
	parts: Parts &
		Omit<AnswerCallsOptions, 'handlers'> & {
			players: Players;
			providers: Providers;
			traces: Traces | null;
			gate: Gate;
			operatorKey: string;
		},
) {
	const { fixtures, providers, players, traces, gate, operatorKey } = parts;
	const here = tracedAnswers(answerCalls({ ...parts, handlers: allHandlers(parts) }), traces);
	return {
		answer: gateCalls(gate, here, (address) => passCallsTo(address, operatorKey)),
		traces,
		tokens: players,
		document: JSON.stringify(openApiDocument()),
		findDefinition: definitionsOf(providers.games),
		streams: () => fixtures.all().flatMap(({ streamUrl }) => streamUrl ?? []),
		framed: () => providers.origins,
	};
}

/** Requests that this process passes, and what another one passes. */
const handOverRoutes = (
	{ callDeadlineMs }: Config,
	{ gate, operatorKey, ...passed }: PassedCallsOptions & { gate: Gate },
): Pick<HttpOptions, 'gateRequests' | 'passedRoutes'> => ({
	gateRequests: (scope) => gateRequests(scope, { gate, passTo: passRequestsTo(operatorKey), callDeadlineMs }),
	passedRoutes: (server) => {
		passedCallRoute(server, { ...passed, operatorKey });
		passedRequestRoute(server, operatorKey);
	},
});

/** Null where no standby can follow. */
function openHandOver(
	{ commandRows, tokenKey }: Config,
	{ document, readiness, hub, changes, bots, outbox, casino, funds, providers, ...parts }: HandOverParts,
): HandOver | null {
	if (!commandRows) return null;
	const stopped = (...stopping: Promise<void>[]) => {
		void Promise.all(stopping).catch((error: unknown) => {
			parts.log.error({ err: error }, 'a part could not be stopped after the hand-over');
		});
	};
	const onTaken = () => {
		// The successor's send, pay and play now.
		providers.stop();
		stopped(outbox.stop(), casino.stop(), funds.stop());
	};
	const onLeft = () => {
		readiness.stopping();
		changes.close();
		bots.stop();
		stopped(hub.close());
	};
	return new HandOver({ ...parts, mark: markOf(tokenKey, document), onTaken, onLeft });
}

interface HandOverParts extends Omit<HandOverOptions, 'mark' | 'onTaken' | 'onLeft'> {
	document: string;
	readiness: Readiness;
	hub: Pick<ReturnType<typeof openHub>, 'close'>;
	changes: ConsoleChanges;
	bots: Pick<Bots, 'stop'>;
	outbox: Outbox;
	casino: Casino;
	funds: Funds;
	providers: Providers;
}

/** Told of each account that is barred from then on. */
type BarListeners = ((playerId: PlayerId) => void)[];

/** The casino follows the commits. */
async function openRounds(parts: Omit<CasinoOptions, 'dayOf'>, listeners: CommittedListener[]): Promise<Casino> {
	const casino = await openCasino({ ...parts, dayOf });
	listeners.push(casino.onCommitted);
	return casino;
}

/** The interface of bots follows the commits. */
async function openBotsInterface(
	{ barListeners, ...options }: BotsOptions & { barListeners: BarListeners },
	listeners: CommittedListener[],
	started: AsyncDisposableStack,
): Promise<Bots> {
	const bots = await openBots(options);
	listeners.push(bots.onCommitted);
	barListeners.push(bots.onBarred);
	started.defer(() => bots.stop());
	return bots;
}

/** Outside providers ask for a stake as a player's page does: the same reasons keep it out. */
function openGameProviders(
	parts: Omit<ProvidersOptions, 'admission' | 'ledger'>,
	judges: { players: Players; funds: Funds; brands: Brands },
	started: AsyncDisposableStack,
): Providers {
	const admission: ProvidersOptions['admission'] = ({ walletId: playerId, ...seat }, stake, inRound) =>
		gameStakeAdmission(judges, { playerId, ...seat, door: 'PROVIDER_STAKE' }, stake, inRound);
	const providers = openProviders({ ...parts, admission, ledger: judges.funds.ledger });
	started.defer(() => providers.stop());
	return providers;
}

/** The operators' side: what their acts use. */
function openConsole<Parts extends Omit<OperatorOptions, 'subjectTurns'>>(
	{ consoleHost, production }: Config,
	parts: Parts,
	listeners: CommittedListener[],
) {
	listeners.push(parts.changes.onCommitted);
	parts.staff.sessions.onEnded = parts.changes.endAbsent;
	return { ...parts, subjectTurns: new Turns(), consoleHost, production };
}

/** Players with their funds and rounds, and the staff, which are read beside each other. */
async function openPersons(
	{
		isRehearsal,
		...parts
	}: Omit<CasinoOptions, 'dayOf'> &
		Omit<Parameters<typeof openPlayersAndFunds>[0], 'barListeners'> &
		Parameters<typeof openStaff>[0] & { isRehearsal: boolean },
	listeners: CommittedListener[],
	started: AsyncDisposableStack,
) {
	// Changes of the process before are waited for, and then read.
	const changed = isRehearsal ? Promise.resolve() : parts.journal.open();
	const barListeners: BarListeners = [];
	const [casino, playersAndFunds, staff] = await Promise.all([
		openRounds(parts, listeners),
		changed.then(() => openPlayersAndFunds({ ...parts, barListeners }, listeners, started)),
		changed.then(() => openStaff(parts)),
	]);
	barListeners.push(casino.onBarred);
	return { casino, staff, barListeners, ...playersAndFunds };
}

/** Players bring their money with them: one who registers is welcomed to funds before the answer. */
async function openPlayersAndFunds(
	{
		barListeners,
		...parts
	}: Omit<PlayersOptions, 'onMade' | 'onProven' | 'admitBot' | 'onRegistered'> &
		Omit<FundsOptions, 'players' | 'onDocument' | 'onBarred'> & { changes: ConsoleChanges; barListeners: BarListeners },
	listeners: CommittedListener[],
	started: AsyncDisposableStack,
): Promise<{ players: Players; funds: Funds }> {
	const onRegistered = async (registered: Registered): Promise<void> => {
		try {
			await funds.welcome(registered);
		} catch (error) {
			// The registration stands; the coins are given when the player asks for some.
			parts.log.error({ err: error, playerId: registered.playerId }, 'a new player could not be welcomed');
		}
	};
	const players = await openPlayers({
		...parts,
		onMade: (playerId, mobile) => funds.onMade(playerId, mobile),
		onProven: (playerId, mobile) => funds.onProven(playerId, mobile),
		admitBot: (playerId) => funds.protection.admit(playerId, 'BOT_LOGIN'),
		onRegistered,
	});
	const toPlayer = documentNews(parts.bus);
	const onDocument: FundsOptions['onDocument'] = (playerId, document) => {
		toPlayer(playerId, document);
		parts.changes.queuesChanged();
	};
	const onBarred = (playerId: PlayerId) => {
		for (const listener of barListeners) listener(playerId);
	};
	const funds: Funds = await openFunds({ ...parts, players, onDocument, onBarred });
	listeners.push(funds.onCommitted);
	started.defer(() => funds.stop());
	return { players, funds };
}

interface TradingParts {
	config: Config;
	database: Database;
	bus: Bus;
	/** The same bus; null without gateways. */
	nats: NatsBus | null;
	fixtures: Fixtures;
	log: Logger;
	metrics: ExchangeMetrics | null;
	traces: Traces | null;
	onStopped: (error: Error) => void;
	recovered?: Recovered | undefined;
}

/** The exchange, and the parts that follow its commits. */
async function openTrading(
	{ config, database, bus, nats, fixtures, log, metrics, traces, ...taken }: TradingParts,
	started: AsyncDisposableStack,
) {
	const publisher = createPublisher({ bus, fixtures, exchange: () => exchange, clock: Date.now });
	started.defer(() => publisher.stop());
	const { db } = database;
	const priceHistory = new PriceHistory({ db, bus, fixtures, log, clock: Date.now, speed: config.feeds.speed });
	started.defer(() => priceHistory.stop());
	const listeners: CommittedListener[] = [publisher.onCommitted, (committed) => priceHistory.onCommitted(committed)];
	const onCommitted = toAll(listeners);
	const remembered = () => fixtures.all().flatMap(({ id }) => fixtures.markets(id).map((market) => market.id));
	await priceHistory.open(remembered());
	const traded = (marketId: MarketId) => priceHistory.tradedIn(marketId);
	const batches = { onWritten: metrics?.onWritten, onTraced: traces?.onTraced };
	let projection: ProjectionSource | null = null;
	const onRecalled = (marketId: MarketId) => projection?.onRecalled(marketId);
	const follows = { onCommitted, ...batches, remembered, traded, onRecalled };
	const exchange = await openExchange({ ...config, ...database, ...taken, log, ...follows });
	started.defer(() => exchange.drain());
	if (nats) projection = new ProjectionSource({ bus: nats, fixtures, exchange });
	started.defer(() => projection?.close());
	started.defer(startHeartbeat(bus));
	const readiness = new Readiness({ databaseUrl: database.databaseUrl, isOpen: () => exchange.isOpen() });
	started.defer(() => readiness.end());
	const autoCashOut = new AutoCashOut({ exchange, log });
	listeners.push(
		() => readiness.committed(),
		(committed) => autoCashOut.onCommitted(committed),
		(committed) => projection?.onCommitted(committed),
	);
	if (metrics) listeners.push(metrics.onCommitted);
	return { exchange, publisher, priceHistory, readiness, listeners };
}

function lapseSuspendedBets(
	parts: Pick<SuspendedBetsOptions, 'brands' | 'bus' | 'log'>,
	exchange: Exchange,
	players: Players,
	started: AsyncDisposableStack,
): void {
	const suspendedBets = watchSuspendedBets({
		...parts,
		walletsWithUnmatchedBets: () => exchange.walletsWithUnmatchedBets(),
		brandOf: (walletId) => players.brandOf(walletId),
		lapse: async (walletId) => (await exchange.submit({ kind: 'lapse-all', walletId })).cancelled,
	});
	started.defer(() => suspendedBets.stop());
}

/** The list of listeners may grow. */
function toAll(listeners: readonly CommittedListener[]): CommittedListener {
	return (committed) => {
		for (const listener of listeners) listener(committed);
	};
}
