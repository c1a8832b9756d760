/** Pauses between repeated attempts: each about twice as long as the one before, up to a limit, and spread at random. */

export interface BackOffLimits {
	firstMs: number;
	longestMs: number;
}

export class BackOff {
	readonly #limits: BackOffLimits;
	readonly #random: () => number;
	#failures = 0;

	/**
	 * @param random a number from 0 to 1; spreads the attempts of many clients over time
	 */
	constructor(limits: BackOffLimits = { firstMs: 250, longestMs: 10_000 }, random: () => number = Math.random) {
		this.#limits = limits;
		this.#random = random;
	}

	/** Consecutive failures. */
	get failures(): number {
		return this.#failures;
	}

	/** Counts a failure. @returns the wait before the next attempt, milliseconds: half to all of the full wait */
	failed(): number {
		const { firstMs, longestMs } = this.#limits;
		const fullMs = Math.min(firstMs * 2 ** Math.min(this.#failures, 30), longestMs);
		this.#failures++;
		return (fullMs * (1 + this.#random())) / 2;
	}

	/** An attempt succeeded: the next failure is a first one. */
	succeeded(): void {
		this.#failures = 0;
	}
}

/**
 * Whether the attempt with that number is logged: the 1st, 2nd, 4th, 8th and so on, so that a long fault writes few
 * lines.
 */
export const isLogged = (attempt: number): boolean => (attempt & (attempt - 1)) === 0;
