/** How often one address may do what costs us: make a demo player, try a password. */
import { Refused } from '#values/error-catalogue.ts';

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 100_000;

export class RateLimit {
	readonly #perWindow: number;
	readonly #clock: () => number;
	readonly #counts = new Map<string, { count: number; endsAtMs: number }>();

	constructor(perMinute: number, clock: () => number = Date.now) {
		this.#perWindow = perMinute;
		this.#clock = clock;
	}

	/** Counts one. @throws Refused THROTTLED */
	take(address: string): void {
		const now = this.#clock();
		let entry = this.#counts.get(address);
		if (!entry || entry.endsAtMs <= now) {
			if (this.#counts.size >= MOST_ADDRESSES) this.#counts.clear();
			entry = { count: 0, endsAtMs: now + WINDOW_MS };
			this.#counts.set(address, entry);
		}
		if (++entry.count > this.#perWindow) throw new Refused('THROTTLED');
	}
}
