/** The HTTP side: Fastify, assembled from the contract, the site and the operators' routes. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Brands } from '#server/brands/brands.ts';
import { allHandlers } from '#server/calls/all-handlers.ts';
import type { Parts } from '#server/calls/handler.ts';
import type { Providers } from '#server/casino/providers/open-providers.ts';
import { manifestRoute } from '#server/http/brand-manifest.ts';
import { callRoutes } from '#server/http/call-routes.ts';
import { developmentPages } from '#server/http/development-pages.ts';
import { domainSettings } from '#server/http/domain-settings.ts';
import { answerOf } from '#server/http/envelope.ts';
import { gameDefinitions } from '#server/http/game-definitions.ts';
import { openApiDocument } from '#server/http/open-api.ts';
import { plainServer, send } from '#server/http/plain-server.ts';
import { isNavigation, requestBrand } from '#server/http/request-brand.ts';
import { type ServePage, siteFiles } from '#server/http/site-files.ts';
import type { Markets } from '#server/markets/markets.ts';
import type { OperatorOptions } from '#server/operator/act.ts';
import { operatorRoutes } from '#server/operator/operator-routes.ts';
import type { Outbox } from '#server/players/outbox.ts';
import type { Players } from '#server/players/players.ts';
import type { SportPermissions } from '#server/players/sport-permissions.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';

export interface HttpOptions extends Parts {
	providers: Providers;
	brands: Brands;
	players: Players;
	outbox: Outbox;
	journal: OperatorOptions['journal'];
	production: boolean;
	sports: SportPermissions;
	/** The key of the operators' routes, derived from the server's secret. */
	operatorKey: string;
	markets: Markets;
	staff: OperatorOptions['staff'];
	changes: OperatorOptions['changes'];
	consoleHost: string | null;
	/** Registers the operators' console. */
	consoleRoutes: (scope: FastifyInstance) => Promise<void>;
	/** Registers the interface of bots. */
	botsRoutes: (scope: FastifyInstance) => Promise<void>;
	/** Registers the hub's plain HTTP. */
	hubRoutes: (scope: FastifyInstance) => Promise<void>;
	rateLimitFactor: number;
	callDeadlineMs: number;
	trustedProxies: string[];
	clientTimeoutMs: number;
	isReady: () => Promise<boolean>;
	onRefused: ((code: ErrorCode) => void) | undefined;
	log: Logger;
}

/** The server, ready to listen. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
	const server = plainServer(options);
	requestBrand(server, options.brands, options.consoleHost);
	let servePage: ServePage | null = null;
	server.setNotFoundHandler((request, reply) => {
		if (servePage && isNavigation(request)) return servePage(request, reply);
		return send(request, reply, answerOf('NOT_FOUND'));
	});

	callRoutes(server, { ...options, handlers: allHandlers(options) });
	const document = JSON.stringify(openApiDocument());
	server.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(document));
	await server.register(options.hubRoutes);
	await server.register(options.botsRoutes);
	await server.register(options.funds.webhookRoutes);
	await server.register(options.providers.walletRoutes);
	gameDefinitions(server, options.providers.games);
	domainSettings(server, options.brands);
	manifestRoute(server);
	if (!options.production) developmentPages(server, options.outbox);
	await server.register((scope) => operatorRoutes(scope, options), { prefix: '/operator/api' });
	await server.register(options.consoleRoutes);
	servePage = await siteFiles(server, options.fixtures, options.providers.origins);
	return server;
}
