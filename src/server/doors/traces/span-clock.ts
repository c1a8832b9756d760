/**
 * The time of day of spans, from the monotonic clock. Spans of one trace use one measurement: with separate ones, as in
 * the library, a span could begin a millisecond before its parent.
 */
const MEASURE_EVERY_MS = 60_000;

export class SpanClock {
	#aheadMs = 0;
	#measureAtMs = 0;

	/** @param monotonicMs of `performance.now()` @returns milliseconds since 1970, with a fraction */
	at(monotonicMs: number): number {
		const nowMs = performance.now();
		if (nowMs >= this.#measureAtMs) {
			this.#aheadMs = Date.now() - nowMs;
			this.#measureAtMs = nowMs + MEASURE_EVERY_MS;
		}
		return this.#aheadMs + monotonicMs;
	}

	now(): number {
		return this.at(performance.now());
	}
}
