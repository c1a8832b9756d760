/**
 * Translates deadlines to the monotonic clock of the process with the engine. Its messages carry its clock; their time
 * in transit makes a deadline there slightly earlier, never later.
 */

/** The clocks of two machines drift by less: a thousandth is twenty times what crystals do. */
const LARGEST_DRIFT = 0.001;

export class EngineClock {
	readonly #clock: () => number;
	/** The offset of this process's clock; null before the first message. */
	#aheadMs: number | null = null;
	#measuredAtMs = 0;

	constructor(clock: () => number = () => performance.now()) {
		this.#clock = clock;
	}

	/** Another process, another clock. */
	reset(): void {
		this.#aheadMs = null;
	}

	/** @param nowMs the other clock at the time of sending */
	heard(nowMs: number): void {
		const here = this.#clock();
		const aheadMs = here - nowMs;
		// The fastest message gives the best measurement; old measurements count less.
		const allowed = (this.#aheadMs ?? Number.POSITIVE_INFINITY) + (here - this.#measuredAtMs) * LARGEST_DRIFT;
		this.#aheadMs = Math.min(aheadMs, allowed);
		this.#measuredAtMs = here;
	}

	/** @param hereMs a time on this process's clock */
	there(hereMs: number): number {
		return hereMs - (this.#aheadMs ?? 0);
	}
}
