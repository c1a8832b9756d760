/** How often one address, account or number may do what costs us: make a demo player, try a password, get a code. */
import { Refused } from '#values/error-catalogue.ts';

const MINUTE_MS = 60_000;
const MOST_KEYS = 100_000;

export interface RateLimitOptions {
	windowMs?: number;
	clock?: () => number;
}

export class RateLimit {
	readonly #perWindow: number;
	readonly #windowMs: number;
	readonly #clock: () => number;
	/** In the order their windows began, so that the oldest goes when there are too many. */
	readonly #counts = new Map<string, { count: number; endsAtMs: number }>();

	constructor(perWindow: number, { windowMs = MINUTE_MS, clock = Date.now }: RateLimitOptions = {}) {
		this.#perWindow = perWindow;
		this.#windowMs = windowMs;
		this.#clock = clock;
	}

	/** Counts one. @throws Refused THROTTLED */
	take(key: string): void {
		const now = this.#clock();
		let entry = this.#counts.get(key);
		if (!entry || entry.endsAtMs <= now) {
			this.#counts.delete(key);
			const [oldest] = this.#counts.keys();
			if (oldest !== undefined && this.#counts.size >= MOST_KEYS) this.#counts.delete(oldest);
			entry = { count: 0, endsAtMs: now + this.#windowMs };
			this.#counts.set(key, entry);
		}
		if (++entry.count > this.#perWindow) throw new Refused('THROTTLED');
	}

	/** Forgets what was counted, for who has shown that he is no guesser. */
	forgive(key: string): void {
		this.#counts.delete(key);
	}
}
