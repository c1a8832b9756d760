/** Passes calls to the process that took over, over HTTP, in the messages that gateways use. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CALLS } from '#contract/registry.ts';
import { type AnswerCall, isRepeatable } from '#server/calls/checked-call.ts';
import {
	readAnswers,
	readCalls,
	refusalOf,
	type SentAnswer,
	writeAnswers,
	writeCalls,
} from '#server/doors/gateway/call-messages.ts';
import { behindOperatorKey } from '#server/operators/operator-key.ts';
import { askSuccessor } from '#server/process/hand-over/ask-successor.ts';
import { Refused } from '#values/error-catalogue.ts';

const PATH = '/operator/passed-call';
/** The largest is a document that a player uploads. */
const LARGEST_BYTES = 16 * 1024 * 1024;
const AGAIN_AFTER_MS = 25;

/** The one call of a message. */
const ONLY = 1;

interface PassedCallsOptions {
	answer: AnswerCall;
	/** Other processes of the exchange know it. */
	operatorKey: string;
	log: Logger;
}

/** Answers calls that another process passes. */
export function passedCallRoute(server: FastifyInstance, { answer, operatorKey, log }: PassedCallsOptions): void {
	server.post(PATH, { ...behindOperatorKey(operatorKey), bodyLimit: LARGEST_BYTES }, async (request, reply) => {
		const receivedMs = performance.now();
		const passed = readCalls((request.body as { calls?: string } | undefined)?.calls ?? '[]')[0];
		if (!passed) throw new Refused('MALFORMED_JSON');
		const { id: _, untilMs: leftMs, ...call } = passed;
		let sent: SentAnswer;
		try {
			sent = { id: ONLY, answer: await answer({ ...call, receivedMs, untilMs: receivedMs + leftMs }) };
		} catch (error) {
			if (!(error instanceof Refused)) log.error({ err: error, call: call.name }, 'a passed call failed');
			sent = { id: ONLY, refusal: refusalOf(error instanceof Refused ? error : new Refused('INTERNAL')) };
		}
		return reply.type('text/plain; charset=utf-8').send(writeAnswers(receivedMs, [sent]));
	});
}

/**
 * Answers calls in another process. A call that only reads or has a request id is retried until its deadline.
 * @param address of the process
 */
export function passCallsTo(address: string, operatorKey: string): AnswerCall {
	const passOnce = async (call: Parameters<AnswerCall>[0]): Promise<SentAnswer> => {
		const { receivedMs: _, ...sent } = call;
		const leftMs = call.untilMs - performance.now();
		const body = { calls: writeCalls([{ ...sent, id: ONLY, untilMs: leftMs }]) };
		const response = await askSuccessor({ address, path: PATH, operatorKey, body, untilMs: call.untilMs });
		if (!response.ok) throw new Error(`The successor answers ${response.status}.`);
		return readAnswers(await response.text()).answers[0] as SentAnswer;
	};
	return async (call) => {
		for (;;) {
			try {
				const sent = await passOnce(call);
				if ('answer' in sent) return sent.answer;
				const { code, details, message } = sent.refusal;
				throw new Refused(code, details, message);
			} catch (error) {
				if (error instanceof Refused) throw error;
				const isTooLate = performance.now() + AGAIN_AFTER_MS >= call.untilMs;
				if (isTooLate || !isRepeatable(CALLS[call.name])) throw new Refused('OUTCOME_UNKNOWN');
				await delay(AGAIN_AFTER_MS);
			}
		}
	};
}
