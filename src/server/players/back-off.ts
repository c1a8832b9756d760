/**
 * A growing delay between tries of what may be guessed. The first tries are free; after each further one the key has to
 * wait twice as long as before, up to a limit. What was counted is forgotten one by one as time passes, so nothing stays
 * locked.
 */

export interface BackOffPolicy {
	/** Tries that cost no wait. */
	free: number;
	/** The wait after the last free try; it doubles with each further one. */
	firstWaitMs: number;
	/** No wait is longer; after this long one counted try is forgotten. */
	longestWaitMs: number;
}

interface Entry {
	/** Tries counted and not forgotten, as of `atMs`; a fraction is on its way to be forgotten. */
	count: number;
	atMs: number;
	/** No further try before. */
	openAtMs: number;
}

const MOST_KEYS = 100_000;

export class BackOff {
	readonly #policy: BackOffPolicy;
	readonly #clock: () => number;
	/** Counts no higher: what is beyond would only be forgotten later. */
	readonly #mostCounted: number;
	/** In the order of their latest tries, so that the one idle for longest goes when there are too many. */
	readonly #entries = new Map<string, Entry>();

	constructor(policy: BackOffPolicy, clock: () => number) {
		this.#policy = policy;
		this.#clock = clock;
		this.#mostCounted = policy.free + Math.ceil(Math.log2(policy.longestWaitMs / policy.firstWaitMs));
	}

	/** How long a key has to wait before its next try; 0 when it may try now. Counts nothing. */
	waitMs(key: string): number {
		return Math.max(0, (this.#entries.get(key)?.openAtMs ?? 0) - this.#clock());
	}

	/**
	 * Counts a try. It is counted before its outcome is known, so that tries made at the same moment are all counted;
	 * `uncount` follows when it was no guess.
	 */
	count(key: string): void {
		const now = this.#clock();
		const count = Math.min(this.#countOf(key, now) + 1, this.#mostCounted);
		this.#entries.delete(key);
		const [idlest] = this.#entries.keys();
		if (idlest !== undefined && this.#entries.size >= MOST_KEYS) this.#entries.delete(idlest);
		this.#entries.set(key, { count, atMs: now, openAtMs: now + this.#waitAfter(count) });
	}

	/** One counted try was none: the right password was given. */
	uncount(key: string): void {
		const now = this.#clock();
		const count = this.#countOf(key, now) - 1;
		if (count > 0) this.#entries.set(key, { count, atMs: now, openAtMs: now + this.#waitAfter(count) });
		else this.#entries.delete(key);
	}

	/** Forgets all of a key's tries. */
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
