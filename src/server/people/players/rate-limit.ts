/** How often one address, account or number may do what costs the operator: make a demo player, register, get a code. */
import { Refused } from '#values/error-catalogue.ts';

const MINUTE_MS = 60_000;
const MOST_KEYS = 100_000;

interface RateLimitOptions {
	windowMs?: number;
	/** Milliseconds; monotonic unless a test says otherwise, so that setting the clock back lengthens no wait. */
	clock?: () => number;
}

/** The counted act, and its key. */
export type Taking = readonly [limit: RateLimit, key: string];

/** The refusal of an early request; its seconds become the Retry-After header. */
export const throttled = (waitMs: number, message?: string): Refused =>
	new Refused('THROTTLED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }, message);

export class RateLimit {
	readonly #perWindow: number;
	readonly #windowMs: number;
	readonly #clock: () => number;
	/** In the order in which their windows began, so that the oldest is dropped when there are too many. */
	readonly #counts = new Map<string, { count: number; endsAtMs: number }>();

	constructor(perWindow: number, { windowMs = MINUTE_MS, clock = () => performance.now() }: RateLimitOptions = {}) {
		this.#perWindow = perWindow;
		this.#windowMs = windowMs;
		this.#clock = clock;
	}

	/** Counts one. @throws Refused THROTTLED */
	take(key: string): void {
		RateLimit.takeAll([[this, key]]);
	}

	/** Counts one for each, or none when one of them is used up. @throws Refused THROTTLED */
	static takeAll(takings: readonly Taking[]): void {
		const waitMs = Math.max(...takings.map(([limit, key]) => limit.#waitMs(key)));
		if (waitMs > 0) throw throttled(waitMs);
		for (const [limit, key] of takings) limit.#count(key);
	}

	/** Milliseconds until the key's window ends, when nothing is left in it; otherwise 0. */
	#waitMs(key: string): number {
		const now = this.#clock();
		const entry = this.#counts.get(key);
		const { count, endsAtMs } = entry && entry.endsAtMs > now ? entry : { count: 0, endsAtMs: now + this.#windowMs };
		return count + 1 > this.#perWindow ? endsAtMs - now : 0;
	}

	#count(key: string): void {
		const now = this.#clock();
		let entry = this.#counts.get(key);
		if (!entry || entry.endsAtMs <= now) {
			this.#counts.delete(key);
			const [oldest] = this.#counts.keys();
			if (oldest !== undefined && this.#counts.size >= MOST_KEYS) this.#counts.delete(oldest);
			entry = { count: 0, endsAtMs: now + this.#windowMs };
			this.#counts.set(key, entry);
		}
		entry.count++;
	}
}
