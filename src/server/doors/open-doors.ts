/** Opens the doors: the hub of players' browsers, the interface of bots, and HTTP, which has the routes of all of them. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import type { Parts } from '#server/calls/handler.ts';
import { type Bots, openBots } from '#server/doors/bots-api/open-bots.ts';
import type { StreamConfig } from '#server/doors/bots-api/stream-server.ts';
import { consoleRoutes } from '#server/doors/console/console-routes.ts';
import { developmentPages } from '#server/doors/http/development-pages.ts';
import { named } from '#server/doors/http/named-plugin.ts';
import { type PlainServerOptions, plainServer, type RequestWatch } from '#server/doors/http/plain-server.ts';
import { type PlayersSideOptions, playersSide } from '#server/doors/http/players-side.ts';
import { publicLogFiles } from '#server/doors/http/public-log-files.ts';
import { type HubBackend, oneBus } from '#server/doors/hub/hub.ts';
import { createHubBackend } from '#server/doors/hub/hub-backend.ts';
import { type Hub, type HubOptions, openHub } from '#server/doors/hub/open-hub.ts';
import type { Traces } from '#server/doors/traces/traces.ts';
import type { Trading } from '#server/exchange/open-trading.ts';
import type { Casino } from '#server/money/casino/open-casino.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { Funds } from '#server/money/funds/open-funds.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { operatorRoutes } from '#server/operators/operator-routes.ts';
import type { Players } from '#server/people/players/players.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Listeners } from '#server/platform/bus/listeners.ts';
import type { LogFiles } from '#server/platform/public-log/log-files.ts';
import type { ReceiptWriter } from '#server/platform/public-log/receipt-writer.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import type { World } from '#server/world/open-world.ts';
import type { PlayerId } from '#values/ids.ts';

/** What the doors are configured with. */
interface DoorsConfig
	extends Pick<HubOptions, 'trustedProxies' | 'hubLimits' | 'rateLimitFactor' | 'nodeId'>,
		Pick<PlainServerOptions, 'clientTimeoutMs'>,
		Pick<PlayersSideOptions, 'production' | 'callDeadlineMs' | 'consoleHost'> {}

/** The accounts behind the doors. */
interface DoorsAccounts {
	players: Players;
	sports: SportPermissions;
	casino: Pick<Casino, 'tableImages'>;
	funds: Pick<Funds, 'webhookRoutes'>;
	smsRoutes: (scope: FastifyInstance) => Promise<void>;
	/** Reports barred accounts. */
	barred: Pick<Listeners<PlayerId>, 'follow'>;
}

/** Shared by players' browsers here and over gateways. */
export interface PlayersCalls {
	/** The dependencies of the handlers, which the interface of bots calls as well. */
	parts: Parts;
	answer: AnswerCall;
	receipts: ReceiptWriter;
	/** OpenAPI's, as text. */
	document: string;
	findDefinition: FindDefinition;
	/** Of fixtures' streams. */
	streams: () => readonly string[];
	/** Origins of providers, whose games pages show in frames. */
	framed: () => readonly string[];
}

interface HubDoorOptions {
	config: DoorsConfig;
	bus: Bus;
	log: Logger;
	world: World;
	trading: Trading;
	accounts: DoorsAccounts;
}

/** @returns the hub, and its backend, which gateways' hubs ask as well */
export function openHubDoor(options: HubDoorOptions): { hub: Hub; backend: HubBackend } {
	const { config, bus, log, world, trading, accounts } = options;
	const backend = createHubBackend({
		exchange: trading.exchange,
		fixtures: world.fixtures,
		logins: accounts.players,
		sports: accounts.sports,
		brands: world.brands,
		bookImage: trading.publisher.image,
		tableImages: accounts.casino.tableImages,
		notices: trading.publisher.notices,
	});
	const hub = openHub({
		buses: oneBus(bus),
		backend,
		log,
		trustedProxies: config.trustedProxies,
		hubLimits: config.hubLimits,
		rateLimitFactor: config.rateLimitFactor,
		nodeId: config.nodeId,
	});
	return { hub, backend };
}

interface BotsDoorOptions {
	config: DoorsConfig;
	/** Null: no stream. */
	reach: { stream: StreamConfig | null };
	log: Logger;
	calls: PlayersCalls;
	accounts: DoorsAccounts;
	trading: Trading;
	markets: Pick<Markets, 'step'>;
}

/** The interface of bots follows commits. */
export async function openBotsDoor(
	{ config, reach, log, calls, accounts, trading, markets }: BotsDoorOptions,
	started: AsyncDisposableStack,
): Promise<Bots> {
	const caller = {
		players: accounts.players,
		sports: accounts.sports,
		rateLimitFactor: config.rateLimitFactor,
		callDeadlineMs: config.callDeadlineMs,
	};
	const bots = await openBots({ parts: calls.parts, markets, caller, stream: reach.stream, log });
	trading.commits.follow(bots.onCommitted);
	accounts.barred.follow(bots.onBarred);
	started.defer(() => bots.stop());
	return bots;
}

/** The routes' part of a hand-over. */
export interface PassingRoutes {
	/** Makes routes registered later in the scope wait while the exchange is handed over. */
	gateRequests: (scope: FastifyInstance) => void;
	/** Registers the routes by which another process of the exchange passes calls and requests. */
	passedRoutes: (server: FastifyInstance) => void;
}

interface HttpDoorOptions {
	config: DoorsConfig;
	log: Logger;
	world: World;
	accounts: DoorsAccounts;
	calls: PlayersCalls;
	providers: Pick<Providers, 'walletRoutes'>;
	operators: OperatorOptions;
	logFiles: LogFiles;
	doors: {
		hub: Pick<Hub, 'routes'>;
		bots: Pick<Bots, 'routes'>;
		passing: PassingRoutes;
	};
	telemetry: {
		/** Null where no collector is configured. */
		traces: Traces | null;
		/** Null without metrics. */
		metrics: { requests: RequestWatch } | null;
	};
	readiness: Pick<PlainServerOptions, 'isReady'>;
	/** What `/ready` says beside its status. */
	standing: () => object;
}

/** The server, ready to listen. */
export async function openHttp(options: HttpDoorOptions): Promise<FastifyInstance> {
	const { config, log, accounts, providers, operators, logFiles, doors, telemetry, readiness, standing } = options;
	const { trustedProxies, clientTimeoutMs, production, consoleHost } = config;
	const isReady = () => readiness.isReady();
	const watch = telemetry.metrics?.requests ?? null;
	const server = plainServer({ trustedProxies, log, clientTimeoutMs, isReady, standing, watch });
	await playersSide(server, playersSideOf(options));
	publicLogFiles(server, logFiles);
	doors.passing.passedRoutes(server);
	if (!production) developmentPages(server, operators.outbox, operators.mails);
	const gated = async (scope: FastifyInstance): Promise<void> => {
		doors.passing.gateRequests(scope);
		await scope.register(named('bots', doors.bots.routes));
		await scope.register(named('webhooks of payments', accounts.funds.webhookRoutes));
		await scope.register(named('receipts of messages', accounts.smsRoutes));
		await scope.register(named('wallet of game providers', providers.walletRoutes));
		const ofKey = (under: FastifyInstance) => operatorRoutes(under, operators);
		await scope.register(named('operators', ofKey), { prefix: '/operator/api' });
		const ofConsole = (under: FastifyInstance) => consoleRoutes(under, { operators, consoleHost, production });
		await scope.register(named('console', ofConsole));
	};
	await server.register(named('gated', gated));
	await server.ready();
	return server;
}

const playersSideOf = ({
	config,
	log,
	world,
	accounts,
	calls,
	operators,
	doors,
	telemetry,
}: HttpDoorOptions): PlayersSideOptions => ({
	answer: calls.answer,
	tokens: accounts.players,
	production: config.production,
	callDeadlineMs: config.callDeadlineMs,
	traces: telemetry.traces,
	log,
	brands: world.brands,
	findDefinition: calls.findDefinition,
	findPreview: async (host, secret) => operators.previews.find(host, secret),
	findPicture: ({ host }, name) => world.brands.picture(host, name),
	document: calls.document,
	hubRoutes: doors.hub.routes,
	consoleHost: config.consoleHost,
	streams: calls.streams,
	framed: calls.framed,
});
