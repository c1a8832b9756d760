/** An HTTP server with our ways of reading bodies, heading answers and telling errors, and no routes yet. */
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { STRICT_POLICY } from '#server/http/content-policy.ts';
import { encodedLike } from '#server/http/encoding-mode.ts';
import { type Answer, answerOf, refused } from '#server/http/envelope.ts';
import { parseBytes } from '#server/http/strict-json.ts';
import { answerUnreadable } from '#server/http/unreadable-request.ts';
import { Refused } from '#values/error-catalogue.ts';

const LARGEST_BODY_BYTES = 64 * 1024;

/** How often Node looks for clients that are over their time. */
const LOOK_EVERY_MS = 1_000;

const SECURITY_HEADERS = {
	'Content-Security-Policy': STRICT_POLICY,
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'same-origin',
	// Answers carry tokens and players' data. What may be kept says so itself: files, pages, the domain setting.
	'Cache-Control': 'no-store',
};

export interface PlainServerOptions {
	trustedProxies: string[];
	log: Logger;
	/** A client has this long for its head, for its whole request, and for taking what it is sent; then it is cut off. */
	clientTimeoutMs: number;
	/** Whether the process can do its work now; answers within seconds and does not throw. */
	isReady: () => Promise<boolean>;
}

/**
 * @returns a server that cuts off slow clients. A request that waits for us, such as a long poll, may wait longer; a
 * client that sends or takes too slowly may not.
 */
export function plainServer(options: PlainServerOptions): FastifyInstance {
	const timeoutMs = options.clientTimeoutMs;
	const server = Fastify({
		bodyLimit: LARGEST_BODY_BYTES,
		requestTimeout: timeoutMs,
		keepAliveTimeout: timeoutMs,
		connectionTimeout: timeoutMs,
		http: { headersTimeout: timeoutMs, connectionsCheckingInterval: LOOK_EVERY_MS },
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
	readBodies(server);
	server.addHook('onRequest', (_, reply, done) => {
		reply.headers(SECURITY_HEADERS);
		reply.raw.on('timeout', cutOffWhenStuck);
		done();
	});
	server.setErrorHandler((error, request, reply) => answerError(error, request, reply, options.log));
	healthRoutes(server, options.isReady);
	return server;
}

/** JSON is read; an empty body is no body, whatever type its header names; every other body is refused. */
function readBodies(server: FastifyInstance): void {
	server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
		try {
			done(null, body.length === 0 ? undefined : parseBytes(body as Buffer));
		} catch (error) {
			done(error as Error);
		}
	});
	server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) =>
		done(body.length === 0 ? null : new Refused('UNSUPPORTED_MEDIA_TYPE')),
	);
}

/**
 * `/live` answers as long as the process does; restart it when it does not. `/ready` says whether requests should be
 * sent here. `/healthz` is `/ready`: what watches a single address wants to know when no bet can be taken.
 */
function healthRoutes(server: FastifyInstance, isReady: () => Promise<boolean>): void {
	server.get('/live', () => ({ status: 'ok' }));
	for (const path of ['/ready', '/healthz']) {
		server.get(path, async (_, reply) => {
			const ready = await isReady();
			return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
		});
	}
}

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
	return reply
		.code(answer.status)
		.headers(answer.headers)
		.send(encodedLike(request, reply, answer.body));
}

/** Nothing moved on the line of a request for a while: either it waits for us, or its client does not take the answer. */
function cutOffWhenStuck(socket: Socket): void {
	if (socket.writableLength > 0) socket.destroy();
}

/** Fastify's own refusals in our words. */
const FRAMEWORK_CODES = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_JSON',
} as const;

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
	const known = refused(error);
	if (known) return send(request, reply, known);
	const code = (error as { code?: keyof typeof FRAMEWORK_CODES }).code;
	if (code && FRAMEWORK_CODES[code]) return send(request, reply, answerOf(FRAMEWORK_CODES[code]));
	const path = request.url.split('?')[0];
	// A body that breaks off is the client's affair: no handler ran, and any stranger can do it as often as he likes.
	if (!request.raw.complete) {
		log.debug({ path }, 'a client broke off its request');
		return send(request, reply, answerOf('MALFORMED_JSON'));
	}
	log.error({ err: error, path }, 'a request failed');
	return send(request, reply, answerOf('INTERNAL'));
}

/** Where a listening server is reached from this machine. */
export function urlOf(server: FastifyInstance): string {
	const address = server.server.address();
	if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
	return `http://localhost:${address.port}`;
}

/** Ends the server and every connection to it. */
export async function closeHttp(server: FastifyInstance): Promise<void> {
	server.server.closeAllConnections();
	await server.close();
}
