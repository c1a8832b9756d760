/**
 * The lists of a shared round that all viewers of a pool see: built once, and published to one cohort after another, a
 * few times a second to each.
 */
import { COHORTS } from '#server/platform/bus/table-topics.ts';
import type { Pool } from '#values/pools.ts';

/** The interval between lists for one cohort, while lists change. */
const PUBLISH_MS = 400;
/**
 * A cohort whose last list is at least this old gets the next one together with other news, in one write per screen.
 */
const JOINS_AFTER_MS = 250;
/** Otherwise it gets the list in its turn, which may be slightly early. */
const ALONE_AFTER_MS = 325;
/** The shortest interval between two builds of a list, for any number of requests. */
const LEAST_AGE_MS = 100;

/** The content of a list besides its version. */
interface Content {
	round: string;
}

type Versioned<List> = List & { version: number };

interface PoolListsOptions<List extends Content> {
	/** Those that are served here. */
	pools: readonly Pool[];
	/** The current round; lists of other rounds are not shown. */
	round: () => string;
	make: (pool: Pool) => List;
	publish: (pool: Pool, list: Versioned<List>, cohort: number) => void;
}

interface Cohort {
	/** The pools whose list has changed since the last publication. */
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
	/** Runs while a cohort has an outdated list. */
	#timer: NodeJS.Timeout | null = null;
	/** The next cohort. */
	#next = 0;

	constructor(options: PoolListsOptions<List>) {
		this.#options = options;
	}

	stop(): void {
		if (this.#timer) clearTimeout(this.#timer);
	}

	/** The list of a pool; it may lack bets of the last tenth of a second. */
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
		for (const pool of this.#options.pools) this.changed(pool);
	}

	/** The screens of the cohort have just received other news. */
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

	/** @param afterMs the smallest age of the cohort's last lists */
	#publish(number: number, afterMs: number): void {
		const cohort = this.#cohorts[number] as Cohort;
		const nowMs = performance.now();
		if (cohort.behind.size === 0 || nowMs - cohort.publishedMs < afterMs) return;
		cohort.publishedMs = nowMs;
		for (const pool of cohort.behind) {
			this.#options.publish(pool, this.of(pool), number);
			// If a list lacks the latest bet, another list follows, because the last one stays on the screens.
			if (!this.#made.get(pool)?.isOld) cohort.behind.delete(pool);
		}
	}
}
