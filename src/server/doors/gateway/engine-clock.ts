/**
 * Translates deadlines to the monotonic clock of the process with the engine. Its messages say what its clock shows;
 * their time on the way makes a deadline there a little earlier, never later.
 */

/** The clocks of two machines drift by less: a thousandth is twenty times what crystals do. */
const LARGEST_DRIFT = 0.001;

export class EngineClock {
	readonly #clock: () => number;
	/** How far this process's clock is ahead; null until a message was heard. */
	#aheadMs: number | null = null;
	#measuredAtMs = 0;

	constructor(clock: () => number = () => performance.now()) {
		this.#clock = clock;
	}

	/** Another process, another clock. */
	reset(): void {
		this.#aheadMs = null;
	}

	/** @param nowMs what the other clock showed when the message was sent */
	heard(nowMs: number): void {
		const here = this.#clock();
		const aheadMs = here - nowMs;
		// The fastest message measured best; what was measured long ago counts less.
		const allowed = (this.#aheadMs ?? Number.POSITIVE_INFINITY) + (here - this.#measuredAtMs) * LARGEST_DRIFT;
		this.#aheadMs = Math.min(aheadMs, allowed);
		this.#measuredAtMs = here;
	}

	/** @param hereMs a time on this process's clock */
	there(hereMs: number): number {
		return hereMs - (this.#aheadMs ?? 0);
	}
}
