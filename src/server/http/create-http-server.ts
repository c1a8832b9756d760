/** The HTTP side: Fastify, put together from the contract, the site and the operators' routes. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Accounts } from '#server/accounts/accounts.ts';
import type { Outbox } from '#server/accounts/outbox.ts';
import type { SportPermissions } from '#server/accounts/sport-permissions.ts';
import type { Brands } from '#server/brands/brands.ts';
import { allHandlers } from '#server/calls/all-handlers.ts';
import type { Parts } from '#server/calls/handler.ts';
import { manifestRoute } from '#server/http/brand-manifest.ts';
import { callRoutes } from '#server/http/call-routes.ts';
import { developmentPages } from '#server/http/development-pages.ts';
import { domainSettings } from '#server/http/domain-settings.ts';
import { encodedLike } from '#server/http/encoding-mode.ts';
import { type Answer, answerOf, refused } from '#server/http/envelope.ts';
import { openApiDocument } from '#server/http/open-api.ts';
import { isNavigation, requestBrand } from '#server/http/request-brand.ts';
import { type ServePage, siteFiles } from '#server/http/site-files.ts';
import { parseBytes } from '#server/http/strict-json.ts';
import { answerUnreadable } from '#server/http/unreadable-request.ts';
import { operatorRoutes } from '#server/operator/operator-routes.ts';

export interface HttpOptions extends Parts {
	brands: Brands;
	accounts: Accounts;
	outbox: Outbox;
	production: boolean;
	sports: SportPermissions;
	/** What operators show; derived from the server's secret. */
	operatorKey: string;
	negotiation: () => object;
	rateLimitFactor: number;
	trustedProxies: string[];
	log: Logger;
}

const LARGEST_BODY_BYTES = 64 * 1024;

const SECURITY_HEADERS = {
	'Content-Security-Policy':
		"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; " +
		"base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'same-origin',
};

/** The server, ready to listen. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
	const server = Fastify({
		bodyLimit: LARGEST_BODY_BYTES,
		trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
		// A host is up to 253 characters long.
		routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300 },
		// A path that cannot be decoded leads nowhere; no hook has run for it.
		frameworkErrors: (_, request, reply) => send(request, reply.headers(SECURITY_HEADERS), answerOf('NOT_FOUND')),
		// A line for every request would halve what the server can do.
		logger: false,
		clientErrorHandler: answerUnreadable,
		exposeHeadRoutes: true,
	});
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
		try {
			done(null, parseBytes(body as Buffer));
		} catch (error) {
			done(error as Error);
		}
	});
	server.addHook('onRequest', (_, reply, done) => {
		reply.headers(SECURITY_HEADERS);
		done();
	});
	requestBrand(server, options.brands);
	let servePage: ServePage | null = null;
	server.setErrorHandler((error, request, reply) => answerError(error, request, reply, options.log));
	server.setNotFoundHandler((request, reply) => {
		if (servePage && isNavigation(request.method, request.headers.accept, request.url))
			return servePage(request, reply);
		return send(request, reply, answerOf('NOT_FOUND'));
	});

	callRoutes(server, { ...options, handlers: allHandlers(options) });
	const document = JSON.stringify(openApiDocument());
	server.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(document));
	server.get('/healthz', () => ({ status: 'ok' }));
	server.post('/hub/negotiate', () => options.negotiation());
	domainSettings(server, options.brands);
	manifestRoute(server);
	if (!options.production) developmentPages(server, options.outbox);
	await server.register((scope) => operatorRoutes(scope, options), { prefix: '/operator/api' });
	servePage = await siteFiles(server);
	return server;
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
	return reply
		.code(answer.status)
		.headers(answer.headers)
		.send(encodedLike(request, reply, answer.body));
}

/** Fastify's own refusals in our words. */
const FRAMEWORK_CODES = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
	FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_JSON',
	FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_JSON',
} as const;

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
	const known = refused(error);
	if (known) return send(request, reply, known);
	const code = (error as { code?: keyof typeof FRAMEWORK_CODES }).code;
	if (code && FRAMEWORK_CODES[code]) return send(request, reply, answerOf(FRAMEWORK_CODES[code]));
	log.error({ err: error, path: request.url.split('?')[0] }, 'a request failed');
	return send(request, reply, answerOf('INTERNAL'));
}
