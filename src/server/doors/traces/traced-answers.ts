/** A span around the answer to each traced call, in the process that answers it. */
import type { AnswerCall, CallAnswer, CheckedCall } from '#server/calls/checked-call.ts';
import type { CallSpan, Traces } from '#server/doors/traces/traces.ts';
import { Refused } from '#values/error-catalogue.ts';

export function tracedAnswers(answer: AnswerCall, traces: Traces | null): AnswerCall {
	if (!traces) return answer;
	return (call) => {
		const span = call.trace === undefined ? null : traces.answering(call);
		return span ? within(span, call, answer) : answer(call);
	};
}

async function within(span: CallSpan, call: CheckedCall, answer: AnswerCall): Promise<CallAnswer> {
	try {
		const answered = await answer({ ...call, trace: span.trace });
		span.end(null);
		return answered;
	} catch (error) {
		span.end(error instanceof Refused ? error.code : 'INTERNAL');
		throw error;
	}
}
