/** The HTTP side: Fastify, assembled from the contract, the site and the operators' routes. */
import type { FastifyInstance } from 'fastify';
import type { Parts } from '#server/calls/handler.ts';
import { developmentPages } from '#server/doors/http/development-pages.ts';
import { type PlainServerOptions, plainServer } from '#server/doors/http/plain-server.ts';
import { type PlayersSideOptions, playersSide } from '#server/doors/http/players-side.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { operatorRoutes } from '#server/operators/operator-routes.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import type { Players } from '#server/people/players/players.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { Markets } from '#server/world/markets/markets.ts';

export interface HttpOptions extends Parts, PlayersSideOptions, PlainServerOptions {
	providers: Providers;
	brands: Brands;
	players: Players;
	outbox: Outbox;
	journal: OperatorOptions['journal'];
	sports: SportPermissions;
	/** The key of the operators' routes, derived from the server's secret. */
	operatorKey: string;
	markets: Markets;
	staff: OperatorOptions['staff'];
	changes: OperatorOptions['changes'];
	subjectTurns: OperatorOptions['subjectTurns'];
	handOver: OperatorOptions['handOver'];
	/** Lets the routes that a scope gets afterwards wait while the exchange is handed over. */
	gateRequests: (scope: FastifyInstance) => void;
	/** Registers the operators' console. */
	consoleRoutes: (scope: FastifyInstance) => Promise<void>;
	/** Registers the routes by which another process of the exchange passes calls and requests. */
	passedRoutes: (server: FastifyInstance) => void;
	/** Registers the interface of bots. */
	botsRoutes: (scope: FastifyInstance) => Promise<void>;
}

/** The server, ready to listen. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
	const server = plainServer(options);
	await playersSide(server, options);
	options.passedRoutes(server);
	if (!options.production) developmentPages(server, options.outbox);
	await server.register(async (scope) => {
		options.gateRequests(scope);
		await scope.register(options.botsRoutes);
		await scope.register(options.funds.webhookRoutes);
		await scope.register(options.providers.walletRoutes);
		await scope.register((operators) => operatorRoutes(operators, options), { prefix: '/operator/api' });
		await scope.register(options.consoleRoutes);
	});
	return server;
}
