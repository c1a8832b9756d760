/** The players' side, in the process with the engine and in gateways: the calls, the site and the hub. */
import type { FastifyInstance } from 'fastify';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import { manifestRoute } from '#server/doors/http/brand-manifest.ts';
import { brandPictures, type FindPicture } from '#server/doors/http/brand-pictures.ts';
import { type CallRouteOptions, callRoutes } from '#server/doors/http/call-routes.ts';
import { domainSettings } from '#server/doors/http/domain-settings.ts';
import { answerOf } from '#server/doors/http/envelope.ts';
import { gameDefinitions } from '#server/doors/http/game-definitions.ts';
import { named } from '#server/doors/http/named-plugin.ts';
import { JSON_TYPE, send } from '#server/doors/http/plain-server.ts';
import { isNavigation, requestBrand } from '#server/doors/http/request-brand.ts';
import { type PageAddresses, type ServePage, siteFiles } from '#server/doors/http/site-files.ts';
import type { Brands, FindPreview } from '#server/world/brands/brands.ts';

export interface PlayersSideOptions extends CallRouteOptions, PageAddresses {
	brands: Pick<Brands, 'byHost' | 'byName'>;
	findDefinition: FindDefinition;
	findPicture: FindPicture;
	findPreview: FindPreview;
	/** OpenAPI's, as text. */
	document: string;
	/** Registers the hub's plain HTTP. */
	hubRoutes: (scope: FastifyInstance) => Promise<void>;
	/** The operators' console, which is no brand; null where there is none. */
	consoleHost: string | null;
}

export async function playersSide(server: FastifyInstance, options: PlayersSideOptions): Promise<void> {
	requestBrand(server, options.brands, options.consoleHost);
	let servePage: ServePage | null = null;
	server.setNotFoundHandler((request, reply) => {
		if (servePage && isNavigation(request)) return servePage(request, reply);
		return send(request, reply, answerOf('NOT_FOUND'));
	});
	callRoutes(server, options);
	server.get('/openapi.json', (_, reply) => reply.type(JSON_TYPE).send(options.document));
	await server.register(named('hub', options.hubRoutes));
	gameDefinitions(server, options.findDefinition);
	domainSettings(server, options.brands);
	manifestRoute(server);
	brandPictures(server, options.findPicture);
	servePage = await siteFiles(server, options);
}
