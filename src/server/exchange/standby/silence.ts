/**
 * How long the exchange was silent, as far as the standby can tell. Time counts only while the standby looks: a standby that
 * was stopped itself, or that could not reach the database, has seen nothing.
 */

/** One look counts for this share of the silence at most, so that it takes several to call the exchange dead. */
const MOST_OF_ONE_LOOK = 0.25;

export class Silence {
	readonly #mostMs: number;
	#silentMs = 0;
	#lastLookMs: number | null = null;

	/** @param enoughMs the silence after which the exchange is taken for dead */
	constructor(enoughMs: number) {
		this.#mostMs = enoughMs * MOST_OF_ONE_LOOK;
	}

	/** @param nowMs on a monotonic clock */
	sawNothing(nowMs: number): void {
		if (this.#lastLookMs !== null) this.#silentMs += Math.min(nowMs - this.#lastLookMs, this.#mostMs);
		this.#lastLookMs = nowMs;
	}

	/** A batch was seen, or nothing could be seen. */
	restart(): void {
		this.#silentMs = 0;
		this.#lastLookMs = null;
	}

	get ms(): number {
		return this.#silentMs;
	}
}
