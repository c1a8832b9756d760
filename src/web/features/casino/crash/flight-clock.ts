/**
 * The drawn multiplier of Crash between two ticks. The start of the flight on this device's clock is the earliest that
 * any message allows: each of them was delayed by the network, and the least delayed one counts.
 */
import { GROWTH, MOST_CENTS } from '#games/crash/flight.ts';

/** After this silence of the connection no multiplier is shown: the flight may have ended. */
const SILENT_MS = 1_200;

export class FlightClock {
	#startMs = Number.POSITIVE_INFINITY;
	#heardMs = 0;
	#speed = 1;

	/** A new flight. */
	reset(speed: number): void {
		this.#startMs = Number.POSITIVE_INFINITY;
		this.#speed = speed;
	}

	/** A message with the elapsed time of the flight. */
	heard(elapsedMs: number, nowMs: number): void {
		this.#startMs = Math.min(this.#startMs, nowMs - elapsedMs / this.#speed);
		this.#heardMs = nowMs;
	}

	/** The curve stands still while the connection is silent. */
	elapsedMs(nowMs: number): number {
		const until = Math.min(nowMs, this.#heardMs + SILENT_MS);
		return Math.max(0, (until - this.#startMs) * this.#speed);
	}

	/** Hundredths, as the server counts them; null while the connection is silent. */
	cents(nowMs: number): number | null {
		if (nowMs - this.#heardMs > SILENT_MS) return null;
		return centsAfter(this.elapsedMs(nowMs));
	}
}

/** Hundredths after N milliseconds of flight, only for drawing: the server uses its table. */
const centsAfter = (elapsedMs: number): number =>
	Math.min(MOST_CENTS, Math.floor(100 * Math.exp(GROWTH * elapsedMs) + 1e-9));

/** 231 is "2.31x". */
export const multiplierText = (cents: number): string => `${(cents / 100).toFixed(2)}x`;

/** How high a crash looks among others. @param cents hundredths */
export const heightOf = (cents: number): 'high' | 'middle' | 'low' =>
	cents >= 1_000 ? 'high' : cents >= 200 ? 'middle' : 'low';
