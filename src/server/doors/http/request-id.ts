/** Names each request, so that the logs of all processes tell of it by one name: the client's own, or a new one. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const HEADER = 'x-request-id';
const VALID = /^[\w-]{8,64}$/;

declare module 'fastify' {
	interface FastifyRequest {
		/** Empty until it is asked for. */
		requestId: string;
	}
}

/** Names begin with one of the process, so that no two processes make the same. */
const PROCESS = randomBytes(6).toString('base64url');
let made = 0;

/** The request's name. A header that is no name counts for nothing. */
export function requestIdOf(request: FastifyRequest): string {
	if (request.requestId === '') {
		const given = request.headers[HEADER];
		made += 1;
		request.requestId = typeof given === 'string' && VALID.test(given) ? given : `${PROCESS}-${made.toString(36)}`;
	}
	return request.requestId;
}

export function requestIds(server: FastifyInstance): void {
	server.decorateRequest('requestId', '');
}
