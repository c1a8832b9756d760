/**
 * Requests outside the contract of calls, at a gate before their handlers: those of operators, bots, game providers and
 * the payment provider. Their bodies have already been read, so a slow client does not delay a hand-over.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gate } from '#server/process/hand-over/gate.ts';
import { type PassTo, type RawRequest, rawRequestOf } from '#server/process/hand-over/pass-requests.ts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The route changes nothing, although it is a POST. */
		onlyReads?: boolean;
		/** A repeated request has no further effect. */
		isRepeatable?: boolean;
		/** It is about this process, which answers it even while another one leads. */
		isOwn?: boolean;
	}
}

/** The server's data about a request, besides its body. */
const HEAD_BYTES = 16 * 1024;

interface GateRequestsOptions {
	gate: Gate;
	passTo: PassTo;
	/** The time limits of a request for waiting, and then for its answer. */
	callDeadlineMs: number;
}

/**
 * Puts routes registered in the scope from now on behind the gate, except for those with only GET: files, documents,
 * streams.
 */
export function gateRequests(scope: FastifyInstance, { gate, passTo, callDeadlineMs }: GateRequestsOptions): void {
	scope.addHook('onRoute', (route) => {
		const { handler, method } = route;
		const { onlyReads = false, isRepeatable = onlyReads, isOwn = false } = route.config ?? {};
		if (isOwn || method === 'GET' || method === 'HEAD') return;
		route.handler = async function (request, reply) {
			const untilMs = performance.now() + callDeadlineMs;
			return await gate.do<unknown>({
				changes: !onlyReads,
				untilMs,
				bytes: HEAD_BYTES + bodyBytesOf(request),
				here: async () => await handler.call(this, request, reply),
				there: (address) => passed(rawRequestOf(request), reply, { address, untilMs, isRepeatable }, passTo),
			});
		};
	});
}

/** As declared by the client; a body of undeclared length may be as long as the route allows. */
function bodyBytesOf(request: FastifyRequest): number {
	const { headers } = request;
	if (headers['transfer-encoding'] === undefined) return Number(headers['content-length'] ?? 0);
	// Read here alone: Fastify builds the options at each reading.
	return request.routeOptions.bodyLimit;
}

async function passed(
	request: RawRequest,
	reply: FastifyReply,
	to: { address: string; untilMs: number; isRepeatable: boolean },
	passTo: PassTo,
): Promise<Buffer> {
	const { status, headers, body } = await passTo(request, to);
	reply.code(status).headers(headers);
	return Buffer.from(body, 'base64');
}
