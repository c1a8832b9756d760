/** Compresses answers for clients that take it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compressed = promisify(gzip);
/** A shorter answer fits into one packet as it is. */
const LEAST_LENGTH = 1_400;
/** Names gzip, and does not weigh it with nothing. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i;

export function gzipAnswers(scope: FastifyInstance): void {
	scope.addHook('onSend', async (request, reply, payload) => {
		if (typeof payload !== 'string' || payload.length < LEAST_LENGTH) return payload;
		reply.header('vary', 'accept-encoding');
		const accepted = request.headers['accept-encoding'];
		if (typeof accepted !== 'string' || !TAKES_GZIP.test(accepted)) return payload;
		reply.header('content-encoding', 'gzip');
		return await compressed(payload);
	});
}
