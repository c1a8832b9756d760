/**
 * The time of day of spans, from the monotonic clock. Spans of one trace use one measurement: each with its own, as the
 * library does it, a span could begin a millisecond before the span that it is part of.
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
