/**
 * Requests that are no calls of the contract, at a gate before their handlers: those of operators, bots, game providers and
 * the payment provider. Their bodies have been read by then, so a client that sends slowly holds up no hand-over.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gate } from '#server/process/hand-over/gate.ts';
import { type PassTo, type RawRequest, rawRequestOf } from '#server/process/hand-over/pass-requests.ts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The route changes nothing, though it is asked by POST. */
		onlyReads?: boolean;
		/** A request that is sent twice is done once. */
		isRepeatable?: boolean;
		/** It asks about this process, which answers it while another one leads, too. */
		isOwn?: boolean;
	}
}

/** What the server keeps of a request beside its body. */
const HEAD_BYTES = 16 * 1024;

interface GateRequestsOptions {
	gate: Gate;
	passTo: PassTo;
	/** How long a request may wait, and then its answer. */
	callDeadlineMs: number;
}

/** Puts the routes that the scope gets from now on behind the gate, but those that only GET: files, documents, streams. */
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

/** As the client says; a body whose length is not said may be as long as the route allows. */
const bodyBytesOf = ({ headers, routeOptions }: FastifyRequest): number =>
	headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : routeOptions.bodyLimit;

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
