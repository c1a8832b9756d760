/** The lists of a shared round that everybody of a pool sees: published a few times a second, and made once for all. */
import { POOLS, type Pool } from '#values/pools.ts';

/** A changed list is published so often. */
const PUBLISH_MS = 400;
/** A list that changed so long ago goes out with other news, in one write to each screen. */
const JOINS_AFTER_MS = 250;
/** A list is made anew at most so often, however many players ask. */
const LEAST_AGE_MS = 100;

/** What a list holds besides its version. */
interface Content {
	round: string;
}

export interface PoolListsOptions<List extends Content> {
	/** The round that runs: a list of another one is not shown. */
	round: () => string;
	make: (pool: Pool) => List;
	publish: (pool: Pool, list: List & { version: number }) => void;
}

export class PoolLists<List extends Content> {
	readonly #options: PoolListsOptions<List>;
	readonly #changed = new Set<Pool>();
	readonly #made = new Map<Pool, { list: List; madeMs: number; isOld: boolean }>();
	#version = 0;
	#timer: NodeJS.Timeout | null = null;
	#changedAtMs = 0;

	constructor(options: PoolListsOptions<List>) {
		this.#options = options;
	}

	stop(): void {
		if (this.#timer) clearTimeout(this.#timer);
	}

	/** The list of a pool; a bet of the last tenth of a second may not be on it yet. */
	of(pool: Pool): List & { version: number } {
		const made = this.#made.get(pool);
		const nowMs = performance.now();
		const isShown = made?.list.round === this.#options.round() && (!made.isOld || nowMs - made.madeMs < LEAST_AGE_MS);
		if (isShown) return { ...made.list, version: this.#version };
		const list = this.#options.make(pool);
		this.#made.set(pool, { list, madeMs: nowMs, isOld: false });
		return { ...list, version: this.#version };
	}

	changed(pool: Pool): void {
		this.#changed.add(pool);
		const made = this.#made.get(pool);
		if (made) made.isOld = true;
		if (this.#timer) return;
		this.#changedAtMs = performance.now();
		this.#timer = setTimeout(() => this.#publish(), PUBLISH_MS).unref();
	}

	/** Other news went to the same screens just now. */
	join(): void {
		if (!this.#timer || performance.now() - this.#changedAtMs < JOINS_AFTER_MS) return;
		clearTimeout(this.#timer);
		this.#publish();
	}

	allChanged(): void {
		for (const pool of POOLS) this.changed(pool);
	}

	#publish(): void {
		this.#timer = null;
		this.#version++;
		for (const pool of this.#changed) {
			// What is published last stays on the screens, so it lacks nothing.
			if (this.#made.get(pool)?.isOld) this.#made.delete(pool);
			this.#options.publish(pool, this.of(pool));
		}
		this.#changed.clear();
	}
}
