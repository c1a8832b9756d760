/**
 * Rate limits by key: a number of acts per window of time, or a steady rate. The keys are addresses, accounts, numbers
 * and players. The clock is monotonic, so that setting the clock forward opens no limit.
 */
import type { LRUCache } from 'lru-cache';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { Refused } from '#values/error-catalogue.ts';

const MINUTE_MS = 60_000;
const MOST_KEYS = 100_000;

/** The state by key; the least recently used keys are evicted if there are too many. */
export const entriesByKey = <Key extends string | number, Entry extends object>(): LRUCache<Key, Entry> =>
	recentlyUsed(MOST_KEYS);

interface RateLimitOptions {
	windowMs?: number;
	/** Milliseconds; monotonic by default, so that setting the clock back lengthens no wait. */
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
	readonly #counts = entriesByKey<string, { count: number; endsAtMs: number }>();

	constructor(perWindow: number, { windowMs = MINUTE_MS, clock = () => performance.now() }: RateLimitOptions = {}) {
		this.#perWindow = perWindow;
		this.#windowMs = windowMs;
		this.#clock = clock;
	}

	/** Counts one. @throws Refused THROTTLED */
	take(key: string): void {
		RateLimit.takeAll([[this, key]]);
	}

	/** Counts one for each, or none if one of them is used up. @throws Refused THROTTLED */
	static takeAll(takings: readonly Taking[]): void {
		const waitMs = Math.max(...takings.map(([limit, key]) => limit.#waitMs(key)));
		if (waitMs > 0) throw throttled(waitMs);
		for (const [limit, key] of takings) limit.#count(key);
	}

	/** Milliseconds until the key's window ends, if it is used up; otherwise 0. */
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
			entry = { count: 0, endsAtMs: now + this.#windowMs };
			this.#counts.set(key, entry);
		}
		entry.count++;
	}
}

/** Bursts of at most one second's worth, which refills within a second. */
export class SteadyLimit<Key extends string | number> {
	readonly #clock: () => number;
	/** The remaining allowance of a key; a key with a full allowance is not stored. */
	readonly #allowances = entriesByKey<Key, { left: number; atMs: number }>();

	/** @param clock monotonic milliseconds */
	constructor(clock = () => performance.now()) {
		this.#clock = clock;
	}

	/** Takes one. @returns false, without taking, when none is left */
	take(key: Key, perSecond: number): boolean {
		const now = this.#clock();
		const allowance = this.#allowances.get(key);
		const refilled = allowance ? allowance.left + ((now - allowance.atMs) * perSecond) / 1000 : perSecond;
		const left = Math.min(perSecond, refilled) - 1;
		if (left < 0) return false;
		if (!allowance) this.#allowances.set(key, { left, atMs: now });
		else {
			allowance.left = left;
			allowance.atMs = now;
		}
		return true;
	}
}
