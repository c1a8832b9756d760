/**
 * Which versions of a book are so old that no client that hears of the market still shows them as live. A bet that
 * names such a version was placed on prices that stood still.
 */
import { LIVE_AGE_MS } from '#contract/hub-messages.ts';

/**
 * A version counts as old when it was replaced so long ago: a client shows it for LIVE_AGE_MS after its last message,
 * and that message and the bet travel.
 */
const OLD_MS = 2 * LIVE_AGE_MS;

interface Versions {
	latest: number;
	latestAtMs: number;
	/** Current at `sinceMs`. */
	marked: number;
	sinceMs: number;
	/** Current OLD_MS before `sinceMs`, or earlier. */
	before: number;
}

export class BookAges {
	readonly #clock: () => number;
	readonly #books = new Map<string, Versions>();

	/** @param clock monotonic milliseconds */
	constructor(clock: () => number = () => performance.now()) {
		this.#clock = clock;
	}

	/** @param version published now */
	published(book: string, version: number): void {
		const nowMs = this.#clock();
		const versions = this.#books.get(book);
		if (!versions || nowMs - versions.sinceMs >= OLD_MS) {
			const before = versions ? oldestLive(versions, nowMs) : 0;
			this.#books.set(book, { latest: version, latestAtMs: nowMs, marked: version, sinceMs: nowMs, before });
			return;
		}
		versions.latest = version;
		versions.latestAtMs = nowMs;
	}

	/** Whether the version was replaced OLD_MS ago: never true earlier, and always true after three times that. */
	isOld(book: string, version: number): boolean {
		const versions = this.#books.get(book);
		return versions !== undefined && version < oldestLive(versions, this.#clock());
	}

	forget(book: string): void {
		this.#books.delete(book);
	}
}

/** A version that was current OLD_MS ago, or earlier. */
function oldestLive({ latest, latestAtMs, marked, sinceMs, before }: Versions, nowMs: number): number {
	if (nowMs - latestAtMs >= OLD_MS) return latest;
	return nowMs - sinceMs >= OLD_MS ? marked : before;
}
