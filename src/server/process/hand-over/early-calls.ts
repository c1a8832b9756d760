/** Calls that another process passes to a standby, which answers them as soon as it can: before it serves anybody else. */
import type { AnswerCall } from '#server/calls/checked-call.ts';
import { before } from '#server/exchange/order/deadline.ts';

export class EarlyCalls {
	readonly #opened = Promise.withResolvers<AnswerCall>();
	readonly #waiting = new Set<Promise<unknown>>();
	#answerer: AnswerCall | null = null;

	/** Waits for `open`. @throws Refused what the call is refused with; DEADLINE_PASSED when it waited for too long */
	readonly answer: AnswerCall = async (call) => {
		if (this.#answerer) return await this.#answerer(call);
		const answered = before(this.#opened.promise, call.untilMs, 'DEADLINE_PASSED').then((answer) => answer(call));
		this.#waiting.add(answered);
		try {
			return await answered;
		} finally {
			this.#waiting.delete(answered);
		}
	};

	/** Resolves when the calls that waited are answered. */
	async open(answerer: AnswerCall): Promise<void> {
		this.#answerer = answerer;
		this.#opened.resolve(answerer);
		await Promise.allSettled(this.#waiting);
	}
}
