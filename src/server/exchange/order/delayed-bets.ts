/**
 * Admits delayed bets to the book when their bet delay ends. The timers are hints: the engine checks the time again.
 */
import type { BetId } from '#values/ids.ts';

/** Between two attempts while the ball is running. */
const TRY_AGAIN_MS = 250;

export class DelayedBets {
	readonly #timers = new Map<number, NodeJS.Timeout>();
	readonly #clock: () => number;
	/** Submits the admission; resolves to false when the market cannot admit the bet yet. */
	readonly #admit: (betId: BetId) => Promise<boolean>;
	#stopped = false;

	constructor(clock: () => number, admit: (betId: BetId) => Promise<boolean>) {
		this.#clock = clock;
		this.#admit = admit;
	}

	/**
	 * Schedules the admission. An overdue bet, such as after a restart, is admitted at once.
	 * @param dueAtMs by the exchange's clock
	 */
	schedule(betId: BetId, dueAtMs: number): void {
		if (this.#stopped) return;
		const timer = setTimeout(() => void this.#try(betId, dueAtMs), Math.max(0, dueAtMs - this.#clock()));
		this.#timers.set(betId, timer);
	}

	stop(): void {
		this.#stopped = true;
		for (const timer of this.#timers.values()) clearTimeout(timer);
		this.#timers.clear();
	}

	async #try(betId: BetId, dueAtMs: number): Promise<void> {
		this.#timers.delete(betId);
		// Timers can be early, and run a little faster or slower than the exchange's clock.
		if (this.#clock() < dueAtMs) this.schedule(betId, dueAtMs);
		else if (!(await this.#admit(betId))) this.schedule(betId, this.#clock() + TRY_AGAIN_MS);
	}
}
