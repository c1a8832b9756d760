/**
 * The exchange's time. It begins at the wall clock or at the ledger's last stamp, whichever is later, and from then on
 * advances with the monotonic clock. A wall clock that is set forwards or backwards therefore changes neither the order
 * of stamps nor the length of a delay. The exchange's time follows the wall clock slowly, as one follows a drifting clock.
 */

/** The share by which the exchange's time may run fast or slow while it follows the wall clock: 25 ms of a delay of 5 s. */
const SLEW = 0.005;

export interface ClockSource {
	/** Milliseconds since 1970; may jump. */
	wallMs(): number;
	/** Milliseconds since any moment; never jumps. */
	monotonicMs(): number;
}

const SYSTEM: ClockSource = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

export class ExchangeClock {
	readonly #source: ClockSource;
	#nowMs: number;
	#readAtMs: number;

	/** @param lastStampMs of the ledger; the clock never shows less */
	constructor(lastStampMs: number, source: ClockSource = SYSTEM) {
		this.#source = source;
		this.#nowMs = Math.max(lastStampMs, source.wallMs());
		this.#readAtMs = source.monotonicMs();
	}

	/** Milliseconds since 1970, whole, never less than before. */
	now(): number {
		const readAtMs = this.#source.monotonicMs();
		const passed = readAtMs - this.#readAtMs;
		const ahead = this.#source.wallMs() - (this.#nowMs + passed);
		const most = passed * SLEW;
		this.#nowMs += passed + Math.min(most, Math.max(-most, ahead));
		this.#readAtMs = readAtMs;
		return Math.floor(this.#nowMs);
	}

	/** Another process stamped the ledger meanwhile: time continues from its last stamp. */
	notBefore(stampMs: number): void {
		this.#nowMs = Math.max(this.#nowMs, stampMs);
	}
}
