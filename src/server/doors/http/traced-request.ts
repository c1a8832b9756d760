/** The span of a traced request: from its arrival to its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallName } from '#contract/registry.ts';
import { refused } from '#server/doors/http/envelope.ts';
import { requestIdOf } from '#server/doors/http/request-id.ts';
import type { CallSpan, Traces } from '#server/doors/traces/traces.ts';
import { ERRORS, type ErrorCode } from '#values/error-catalogue.ts';

type AnswerRequest = (request: FastifyRequest, reply: FastifyReply, trace?: string) => Promise<FastifyReply>;

/** @param answer called with the span of the request, if it is traced */
export function tracedRequests(traces: Traces | null, call: CallName, answer: AnswerRequest): AnswerRequest {
	if (!traces) return answer;
	return (request, reply) => {
		if (!traces.picks()) return answer(request, reply);
		const { traceparent } = request.headers;
		const span = traces.received({
			call,
			method: request.method,
			route: request.routeOptions.url ?? '',
			// A duplicate header counts as none.
			traceparent: typeof traceparent === 'string' ? traceparent : undefined,
			beganAtMs: performance.now() - reply.elapsedTime,
		});
		return within(span, request, () => answer(request, reply, span.trace));
	};
}

async function within(
	span: CallSpan,
	request: FastifyRequest,
	answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
	span.set('backlay.request_id', requestIdOf(request));
	if (request.brand) span.set('server.address', request.brand.host);
	try {
		const reply = await answer();
		end(span, null);
		return reply;
	} catch (error) {
		end(span, refused(error)?.body.error?.code ?? 'INTERNAL');
		throw error;
	}
}

function end(span: CallSpan, refusal: ErrorCode | null): void {
	span.set('http.response.status_code', refusal === null ? 200 : ERRORS[refusal].status);
	span.end(refusal);
}
