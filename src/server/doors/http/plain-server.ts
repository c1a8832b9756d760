/** An HTTP server with the project's body parsing, headers and error answers, and no routes yet. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { STRICT_POLICY } from '#server/doors/http/content-policy.ts';
import { encodedLike } from '#server/doors/http/encoding-mode.ts';
import { type Answer, answerOf, refused } from '#server/doors/http/envelope.ts';
import { requestIdOf, requestIds } from '#server/doors/http/request-id.ts';
import { parseBytes } from '#server/doors/http/strict-json.ts';
import { answerUnreadable } from '#server/doors/http/unreadable-request.ts';
import { releaseVersion } from '#server/platform/machine/release-version.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

const LARGEST_BODY_BYTES = 64 * 1024;

const READY_PATHS = ['/ready', '/healthz'];

const ROOT = join(import.meta.dirname, '../../../..');
/** Of the source at the first question, which a load balancer asks as the process starts. */
let version: Promise<string> | null = null;

/** How often Node checks for clients that exceed their time. */
const LOOK_EVERY_MS = 1_000;

/** In lower case, as Fastify holds them: for any other name it makes a new text for each answer, and looks that up. */
const SECURITY_HEADERS = {
	'content-security-policy': STRICT_POLICY,
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'same-origin',
	// Answers carry tokens and players' data. Files, pages and the domain setting set their own cache header.
	'cache-control': 'no-store',
};

export interface PlainServerOptions {
	trustedProxies: string[];
	log: Logger;
	/** The time limits of a client for sending its head, for sending its request, and for reading its answer. */
	clientTimeoutMs: number;
	/** Whether the process can do its work now. Answers within seconds and does not throw. */
	isReady: () => Promise<boolean>;
	/** What a monitor reads beside the status. Does not throw. */
	standing?: (() => object | Promise<object>) | undefined;
	/** Null without metrics. */
	watch?: RequestWatch | null;
}

/** Counts what a server answers. */
export interface RequestWatch {
	onRefused(code: ErrorCode): void;
	/** @param route the path as its route declares it; empty for a path without one */
	onAnswered(route: string, status: number, tookMs: number): void;
}

/**
 * @returns a server that cuts off slow clients. A request waiting for the server, such as a long poll, may take longer.
 */
export function plainServer(options: PlainServerOptions): FastifyInstance {
	const timeoutMs = options.clientTimeoutMs;
	const server = Fastify({
		bodyLimit: LARGEST_BODY_BYTES,
		requestTimeout: timeoutMs,
		keepAliveTimeout: timeoutMs,
		// Node gives a socket a second period when the answer's last write reached the system's buffers in part.
		connectionTimeout: timeoutMs / 2,
		http: { headersTimeout: timeoutMs, connectionsCheckingInterval: LOOK_EVERY_MS },
		trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
		// A host is up to 253 characters long.
		routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300 },
		// No hook has run for a path that cannot be decoded.
		frameworkErrors: (_, request, reply) => send(request, reply.headers(SECURITY_HEADERS), answerOf('NOT_FOUND')),
		// One log line per request would halve the throughput.
		logger: false,
		clientErrorHandler: answerUnreadable,
		exposeHeadRoutes: true,
	});
	requestIds(server);
	server.removeAllContentTypeParsers();
	readBodies(server);
	server.addHook('onRequest', (_, reply, done) => {
		reply.headers(SECURITY_HEADERS);
		reply.raw.on('timeout', cutOffWhenStuck);
		done();
	});
	const { watch } = options;
	if (watch)
		server.addHook('onResponse', (request, reply, done) => {
			watch.onAnswered(request.routeOptions.url ?? '', reply.statusCode, reply.elapsedTime);
			done();
		});
	server.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));
	healthRoutes(server, options);
	return server;
}

/** Accepts JSON. An empty body is no body, whatever its type; all other bodies are refused. */
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
 * `/live` answers while the process runs; restart the process when it does not. `/ready` says whether to send requests
 * here. `/healthz` is `/ready`, for monitors that watch a single address.
 */
function healthRoutes(
	server: FastifyInstance,
	{ isReady, standing }: Pick<PlainServerOptions, 'isReady' | 'standing'>,
): void {
	server.get('/live', () => ({ status: 'ok' }));
	for (const path of READY_PATHS) {
		server.get(path, async (_, reply) => {
			const ready = await isReady();
			const status = ready ? 'ok' : 'unavailable';
			version ??= releaseVersion(ROOT);
			return reply.code(ready ? 200 : 503).send({ status, version: await version, ...(await standing?.()) });
		});
	}
}

/** Whether the request is a monitor's. */
export const isHealthCheck = ({ routeOptions }: FastifyRequest): boolean =>
	['/live', ...READY_PATHS].includes(routeOptions.url ?? '');

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
	return reply
		.code(answer.status)
		.headers(answer.headers)
		.type(JSON_TYPE)
		.send(encodedLike(request, reply, JSON.stringify(answer.body)));
}

/**
 * A request's socket was idle for a while: either the request waits for the server, or its client does not read the
 * answer.
 */
function cutOffWhenStuck(socket: Socket): void {
	if (socket.writableLength > 0) socket.destroy();
}

/** Fastify's own refusals in the envelope. */
const FRAMEWORK_CODES = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_JSON',
} as const;

function answerError(
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	{ log, watch }: Pick<PlainServerOptions, 'log' | 'watch'>,
): FastifyReply {
	const known = refused(error);
	if (known) {
		if (known.body.error) watch?.onRefused(known.body.error.code);
		return send(request, reply, known);
	}
	const code = (error as { code?: keyof typeof FRAMEWORK_CODES }).code;
	if (code && FRAMEWORK_CODES[code]) return send(request, reply, answerOf(FRAMEWORK_CODES[code]));
	const path = request.url.split('?')[0];
	// An incomplete body is the client's fault. No handler ran, and any client can cause it at any rate.
	if (request.raw.complete === false) {
		log.debug({ path }, 'a client aborted its request');
		return send(request, reply, answerOf('MALFORMED_JSON'));
	}
	log.error({ err: error, path, requestId: requestIdOf(request) }, 'a request failed');
	return send(request, reply, answerOf('INTERNAL'));
}

/** The URL of a listening server on this machine. */
export function urlOf(server: FastifyInstance): string {
	const address = server.server.address();
	if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
	return `http://localhost:${address.port}`;
}

/** From now on the first server's port and connections belong to the second. The first is closed after the second. */
export function passRequests(from: FastifyInstance, to: FastifyInstance): void {
	from.server.removeAllListeners('request').on('request', to.routing);
}

/** Closes the server and all its connections. */
export async function closeHttp(server: FastifyInstance): Promise<void> {
	server.server.closeAllConnections();
	await server.close();
}
