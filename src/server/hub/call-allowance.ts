/** Limits how often one connection may send messages. */
const WINDOW_MS = 10_000;
/** Calls answered in a window; more are refused. */
const CALLS_A_WINDOW = 100;
/** A client that sends this many more after being refused is disconnected. */
const MESSAGES_OF_A_FLOOD = 400;

export class CallAllowance {
	#windowFromMs = 0;
	#messages = 0;

	/** Counts a message of any kind. */
	take(nowMs: number): 'allowed' | 'throttled' | 'flood' {
		if (nowMs - this.#windowFromMs >= WINDOW_MS) {
			this.#windowFromMs = nowMs;
			this.#messages = 0;
		}
		this.#messages += 1;
		if (this.#messages > MESSAGES_OF_A_FLOOD) return 'flood';
		return this.#messages > CALLS_A_WINDOW ? 'throttled' : 'allowed';
	}
}
