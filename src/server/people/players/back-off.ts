/**
 * A growing delay between attempts to guess a secret. The first attempts are free; after each further one the wait of
 * the key doubles, up to a limit. Counted attempts expire one by one, so nothing stays locked.
 */
import { entriesByKey } from '#server/people/players/rate-limit.ts';

export interface BackOffPolicy {
	/** Attempts without a wait. */
	free: number;
	/** The wait after the last free attempt; it doubles with each further one. */
	firstWaitMs: number;
	/** The longest wait; after this time one counted attempt is forgotten. */
	longestWaitMs: number;
}

interface Entry {
	/** Attempts counted and not forgotten, as of `atMs`; the fraction is being forgotten. */
	count: number;
	atMs: number;
	/** No further attempt before this time. */
	openAtMs: number;
}

export class AttemptBackOff {
	readonly #policy: BackOffPolicy;
	readonly #clock: () => number;
	/** Higher counts would not lengthen the wait. */
	readonly #mostCounted: number;
	readonly #entries = entriesByKey<string, Entry>();

	constructor(policy: BackOffPolicy, clock: () => number) {
		this.#policy = policy;
		this.#clock = clock;
		this.#mostCounted = policy.free + Math.ceil(Math.log2(policy.longestWaitMs / policy.firstWaitMs));
	}

	/** How long a key must wait before its next attempt; 0 when it may try now. Counts nothing. */
	waitMs(key: string): number {
		return Math.max(0, (this.#entries.get(key)?.openAtMs ?? 0) - this.#clock());
	}

	/**
	 * Counts an attempt before its outcome is known, so that simultaneous attempts are all counted. `uncount` follows if
	 * it was not a guess.
	 */
	count(key: string): void {
		const now = this.#clock();
		const count = Math.min(this.#countOf(key, now) + 1, this.#mostCounted);
		this.#entries.set(key, { count, atMs: now, openAtMs: now + this.#waitAfter(count) });
	}

	/** Takes one counted attempt back, because the right password was given. */
	uncount(key: string): void {
		const now = this.#clock();
		const count = this.#countOf(key, now) - 1;
		if (count > 0) this.#entries.set(key, { count, atMs: now, openAtMs: now + this.#waitAfter(count) });
		else this.#entries.delete(key);
	}

	/** Forgets all attempts of a key. */
	forgive(key: string): void {
		this.#entries.delete(key);
	}

	#countOf(key: string, now: number): number {
		const entry = this.#entries.get(key);
		if (!entry) return 0;
		return Math.max(0, entry.count - Math.max(0, now - entry.atMs) / this.#policy.longestWaitMs);
	}

	#waitAfter(count: number): number {
		const { free, firstWaitMs, longestWaitMs } = this.#policy;
		const beyond = Math.ceil(count) - free;
		return beyond < 0 ? 0 : Math.min(firstWaitMs * 2 ** beyond, longestWaitMs);
	}
}
