/**
 * Limits the message rate of a connection. Calls about channels are not counted: a connection may hold a limited number
 * of channels, and may change them as often as its player changes pages. Their images load the process with the engine,
 * and have a limit of their own.
 */
const WINDOW_MS = 10_000;
/** Calls answered in a window; more are refused. Those about channels are not among them. */
const CALLS_A_WINDOW = 100;
/** A client that sends this many messages of any kind is disconnected. */
const MESSAGES_OF_A_FLOOD = 400;
/** Images sent in a window; further channels are refused. Enough for ten pages with the largest number of channels. */
const IMAGES_A_WINDOW = 1000;

export class CallAllowance {
	readonly #factor: number;
	#windowFromMs = 0;
	#messages = 0;
	#calls = 0;
	#images = 0;

	/** @param factor multiplies every limit (`RATE_LIMIT_FACTOR`) */
	constructor(factor: number) {
		this.#factor = factor;
	}

	/** Counts a message of any kind. @returns whether the client sends too many */
	isFlood(nowMs: number): boolean {
		if (nowMs - this.#windowFromMs >= WINDOW_MS) {
			this.#windowFromMs = nowMs;
			[this.#messages, this.#calls, this.#images] = [0, 0, 0];
		}
		this.#messages += 1;
		return this.#messages > MESSAGES_OF_A_FLOOD * this.#factor;
	}

	/** Counts a call that is not about channels, in the window of the message. @returns whether it may be answered */
	takeCall(): boolean {
		this.#calls += 1;
		return this.#calls <= CALLS_A_WINDOW * this.#factor;
	}

	/** Counts the image of a channel. @returns whether it may be sent */
	takeImage(): boolean {
		this.#images += 1;
		return this.#images <= IMAGES_A_WINDOW * this.#factor;
	}
}
