/** Calls that another process passes to a standby, which answers them as soon as it can, before any other request. */
import type { AnswerCall } from '#server/calls/checked-call.ts';
import { before } from '#server/exchange/order/deadline.ts';

export class EarlyCalls {
	readonly #opened = Promise.withResolvers<AnswerCall>();
	readonly #waiting = new Set<Promise<unknown>>();
	#answerer: AnswerCall | null = null;

	/** Waits for `open`. @throws Refused the refusal of the call; DEADLINE_PASSED if it waited too long */
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

	/** Resolves when the waiting calls are answered. */
	async open(answerer: AnswerCall): Promise<void> {
		this.#answerer = answerer;
		this.#opened.resolve(answerer);
		await Promise.allSettled(this.#waiting);
	}
}
