/**
 * A planned hand-over to a standby. This file lets calls through, holds them while the lease changes hands, and passes them
 * to the process that has the lease then.
 */
import { CALLS } from '#contract/registry.ts';
import type { AnswerCall, CallAnswer, CheckedCall } from '#server/calls/checked-call.ts';
import { before } from '#server/exchange/deadline.ts';

export class CallGate {
	/** Answers in this process, or in the successor. */
	#answerer: AnswerCall;
	/** Calls that may change something and are not answered yet. */
	#changing = 0;
	/** Settles when calls are held no longer; null while they are not. */
	#held: PromiseWithResolvers<void> | null = null;
	/** Settles when no call may change anything. */
	#idle: PromiseWithResolvers<void> | null = null;

	constructor(answerer: AnswerCall) {
		this.#answerer = answerer;
	}

	/** @throws Refused what the call is refused with; DEADLINE_PASSED when it was held for too long */
	readonly answer: AnswerCall = async (call) => {
		while (this.#held) await before(this.#held.promise, call.untilMs, 'DEADLINE_PASSED');
		return CALLS[call.name].changesState ? await this.#change(call) : await this.#answerer(call);
	};

	/** Holds calls from now on. Resolves when those that were let through can change nothing more. */
	async hold(): Promise<void> {
		this.#held ??= Promise.withResolvers();
		if (this.#changing === 0) return;
		this.#idle ??= Promise.withResolvers();
		await this.#idle.promise;
	}

	/** Lets the calls that were held go on. @param answerer where, if no longer here */
	open(answerer = this.#answerer): void {
		this.#answerer = answerer;
		const held = this.#held;
		this.#held = null;
		held?.resolve();
	}

	async #change(call: CheckedCall): Promise<CallAnswer> {
		this.#changing += 1;
		try {
			return await this.#answerer(call);
		} finally {
			this.#changing -= 1;
			if (this.#changing === 0) {
				this.#idle?.resolve();
				this.#idle = null;
			}
		}
	}
}
