/**
 * How long the exchange was silent, as far as the standby can tell. Time counts only while the standby looks: a standby that
 * was stopped itself, or that could not reach the database, has seen nothing.
 */

/** Looks further apart than this count as this much. */
const LONGEST_BETWEEN_LOOKS_MS = 50;

export class Silence {
	#silentMs = 0;
	#lastLookMs: number | null = null;

	/** @param nowMs on a monotonic clock */
	sawNothing(nowMs: number): void {
		if (this.#lastLookMs !== null) this.#silentMs += Math.min(nowMs - this.#lastLookMs, LONGEST_BETWEEN_LOOKS_MS);
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
