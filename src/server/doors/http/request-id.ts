/** Names each request, so that the logs of all processes use one name for it: the client's own, or a new one. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const REQUEST_ID_HEADER = 'x-request-id';
const VALID = /^[\w-]{8,64}$/;

declare module 'fastify' {
	interface FastifyRequest {
		/** Empty until first used. */
		requestId: string;
	}
}

/** Names start with one of the process, so that two processes never generate the same. */
const PROCESS = randomBytes(6).toString('base64url');
let made = 0;

/** The request's name. An invalid header is ignored. */
export function requestIdOf(request: FastifyRequest): string {
	if (request.requestId === '') {
		const given = request.headers[REQUEST_ID_HEADER];
		made += 1;
		request.requestId = typeof given === 'string' && VALID.test(given) ? given : `${PROCESS}-${made.toString(36)}`;
	}
	return request.requestId;
}

export function requestIds(server: FastifyInstance): void {
	server.decorateRequest('requestId', '');
}
