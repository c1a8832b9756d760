/**
 * The lists of a shared round that everybody of a pool sees: made once for all, and published to one cohort after the
 * other, a few times a second to each.
 */
import { COHORTS } from '#server/platform/bus/table-topics.ts';
import { POOLS, type Pool } from '#values/pools.ts';

/** While lists change, each cohort gets them so often. */
const PUBLISH_MS = 400;
/** A cohort that got its list so long ago gets the next one with other news, in one write to each screen. */
const JOINS_AFTER_MS = 250;
/** Otherwise it gets it in its turn, which may come a little early. */
const ALONE_AFTER_MS = 325;
/** A list is made anew at most so often, however many players ask. */
const LEAST_AGE_MS = 100;

/** What a list holds besides its version. */
interface Content {
	round: string;
}

type Versioned<List> = List & { version: number };

interface PoolListsOptions<List extends Content> {
	/** The round that runs: a list of another one is not shown. */
	round: () => string;
	make: (pool: Pool) => List;
	publish: (pool: Pool, list: Versioned<List>, cohort: number) => void;
}

interface Cohort {
	/** The pools whose list has changed since. */
	behind: Set<Pool>;
	publishedMs: number;
}

export class PoolLists<List extends Content> {
	readonly #options: PoolListsOptions<List>;
	readonly #cohorts = Array.from(
		{ length: COHORTS },
		(): Cohort => ({ behind: new Set(), publishedMs: Number.NEGATIVE_INFINITY }),
	);
	readonly #made = new Map<Pool, { list: Versioned<List>; madeMs: number; isOld: boolean }>();
	#version = 0;
	/** Runs while a cohort is behind. */
	#timer: NodeJS.Timeout | null = null;
	/** Whose turn it is. */
	#next = 0;

	constructor(options: PoolListsOptions<List>) {
		this.#options = options;
	}

	stop(): void {
		if (this.#timer) clearTimeout(this.#timer);
	}

	/** The list of a pool; a bet of the last tenth of a second may not be on it yet. */
	of(pool: Pool): Versioned<List> {
		const made = this.#made.get(pool);
		const nowMs = performance.now();
		const isShown = made?.list.round === this.#options.round() && (!made.isOld || nowMs - made.madeMs < LEAST_AGE_MS);
		if (isShown) return made.list;
		const list = { ...this.#options.make(pool), version: ++this.#version };
		this.#made.set(pool, { list, madeMs: nowMs, isOld: false });
		return list;
	}

	changed(pool: Pool): void {
		for (const { behind } of this.#cohorts) behind.add(pool);
		const made = this.#made.get(pool);
		if (made) made.isOld = true;
		if (!this.#timer) this.#wait();
	}

	allChanged(): void {
		for (const pool of POOLS) this.changed(pool);
	}

	/** Other news went to the screens of the cohort just now. */
	join(cohort: number): void {
		this.#publish(cohort, JOINS_AFTER_MS);
	}

	#wait(): void {
		this.#timer = setTimeout(() => this.#turn(), PUBLISH_MS / COHORTS).unref();
	}

	#turn(): void {
		this.#timer = null;
		this.#publish(this.#next, ALONE_AFTER_MS);
		this.#next = (this.#next + 1) % COHORTS;
		if (this.#cohorts.some(({ behind }) => behind.size > 0)) this.#wait();
	}

	/** @param afterMs how long ago the cohort last got its lists at least */
	#publish(number: number, afterMs: number): void {
		const cohort = this.#cohorts[number] as Cohort;
		const nowMs = performance.now();
		if (cohort.behind.size === 0 || nowMs - cohort.publishedMs < afterMs) return;
		cohort.publishedMs = nowMs;
		for (const pool of cohort.behind) {
			this.#options.publish(pool, this.of(pool), number);
			// A list that lacks the latest bet is followed by another one: what comes last stays on the screens.
			if (!this.#made.get(pool)?.isOld) cohort.behind.delete(pool);
		}
	}
}
