/**
 * The exchange's time. It starts at the wall clock or at the ledger's last stamp, whichever is later, and then
 * advances with the monotonic clock. Setting the wall clock therefore changes neither the order of stamps nor the
 * length of a delay. The exchange's time drifts slowly towards the wall clock.
 */

/** How much faster or slower the exchange's time may run while it drifts: 25 ms in a delay of 5 s. */
const SLEW = 0.005;

export interface ClockSource {
	/** Milliseconds since 1970; may jump. */
	wallMs(): number;
	/** Milliseconds since any moment; never jumps. */
	monotonicMs(): number;
}

export const SYSTEM_CLOCK: ClockSource = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

export class ExchangeClock {
	readonly #source: ClockSource;
	#nowMs: number;
	#readAtMs: number;

	/**
	 * @param lastStampMs the ledger's last stamp; the clock is never behind it
	 */
	constructor(lastStampMs: number, source: ClockSource = SYSTEM_CLOCK) {
		this.#source = source;
		this.#nowMs = Math.max(lastStampMs, source.wallMs());
		this.#readAtMs = source.monotonicMs();
	}

	/** Milliseconds since 1970, a whole number that never decreases. */
	now(): number {
		const readAtMs = this.#source.monotonicMs();
		const passed = readAtMs - this.#readAtMs;
		const ahead = this.#source.wallMs() - (this.#nowMs + passed);
		const most = passed * SLEW;
		this.#nowMs += passed + Math.min(most, Math.max(-most, ahead));
		this.#readAtMs = readAtMs;
		return Math.floor(this.#nowMs);
	}

	/** Another process stamped the ledger meanwhile, so time continues from its last stamp. */
	notBefore(stampMs: number): void {
		this.#nowMs = Math.max(this.#nowMs, stampMs);
	}
}
