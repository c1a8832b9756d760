/**
 * Lapses bets that are good till a time: before the first command that comes later, and by a timer if none comes. The timer
 * is a hint: the engine compares the times.
 */
import type { Engine } from '#engine/engine.ts';

/** A timer takes no delay of more than 24 days, and runs a little faster or slower than the exchange's clock. */
const LONGEST_MS = 3_600_000;
/** Between two attempts while the exchange takes no commands. */
const TRY_AGAIN_MS = 250;

interface ExpiryWatchOptions {
	engine: Engine;
	/** The exchange's clock. */
	clock: () => number;
	/** Submits the command; resolves to false when it has to be repeated. */
	expire: () => Promise<boolean>;
}

export class ExpiryWatch {
	readonly #options: ExpiryWatchOptions;
	#timer: NodeJS.Timeout | undefined;
	/** When the timer looks next, by the exchange's clock; Infinity while none is set. */
	#looksAtMs = Number.POSITIVE_INFINITY;
	#stopped = false;

	constructor(options: ExpiryWatchOptions) {
		this.#options = options;
	}

	/** Whether a bet's time is over. */
	isDue(atMs: number): boolean {
		return this.#options.engine.nextExpiryMs() <= atMs;
	}

	/** Sets the timer, where a bet lapses before it would look. */
	schedule(): void {
		const { engine, clock } = this.#options;
		const nextAtMs = engine.nextExpiryMs();
		if (nextAtMs >= this.#looksAtMs) return;
		const now = clock();
		this.#lookAt(Math.min(nextAtMs, now + LONGEST_MS), now);
	}

	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	#lookAt(atMs: number, now: number): void {
		if (this.#stopped) return;
		clearTimeout(this.#timer);
		this.#looksAtMs = atMs;
		this.#timer = setTimeout(() => void this.#look(), Math.max(0, atMs - now)).unref();
	}

	async #look(): Promise<void> {
		const { clock, expire } = this.#options;
		this.#looksAtMs = Number.POSITIVE_INFINITY;
		const isDone = !this.isDue(clock()) || (await expire());
		const now = clock();
		if (isDone) this.schedule();
		else this.#lookAt(now + TRY_AGAIN_MS, now);
	}
}
