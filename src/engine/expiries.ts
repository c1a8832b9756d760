/**
 * When bets that are good till a time lapse. The one that lapses first is found in a binary heap; a bet that is forgotten
 * leaves its entry there until it comes up, or until more than half of the entries are left over.
 */
import type { BetId } from '#values/ids.ts';

interface Entry {
	atMs: number;
	betId: BetId;
}

/** Entries that may be left over before the heap is rebuilt. */
const MOST_LEFT_OVER = 1_000;

/** Earlier time first, then the older bet. */
const comesBefore = (one: Entry, other: Entry): boolean =>
	one.atMs < other.atMs || (one.atMs === other.atMs && one.betId < other.betId);

export class Expiries {
	/** By bet id: as long as the engine knows the bet. */
	readonly #times = new Map<BetId, number>();
	#heap: Entry[] = [];

	/** Milliseconds since 1970; null for a bet that does not expire. */
	of(betId: BetId): number | null {
		return this.#times.get(betId) ?? null;
	}

	add(betId: BetId, atMs: number): void {
		this.#times.set(betId, atMs);
		this.#push({ atMs, betId });
	}

	forget(betId: BetId): void {
		if (!this.#times.delete(betId)) return;
		if (this.#heap.length <= 2 * this.#times.size + MOST_LEFT_OVER) return;
		this.#heap = [];
		for (const [id, atMs] of this.#times) this.#push({ atMs, betId: id });
	}

	/** When the next bet lapses, which may have nothing unmatched any more; Infinity without one. */
	nextAtMs(): number {
		while (this.#heap[0] && !this.#times.has(this.#heap[0].betId)) this.#pop();
		return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY;
	}

	/** Takes the next bet that lapses by a time; null when there is none. Its time stays known. */
	takeDue(untilMs: number): BetId | null {
		return this.nextAtMs() <= untilMs ? (this.#pop()?.betId ?? null) : null;
	}

	#push(entry: Entry): void {
		const heap = this.#heap;
		let at = heap.length;
		for (; at > 0; ) {
			const above = (at - 1) >> 1;
			if (!comesBefore(entry, heap[above] as Entry)) break;
			heap[at] = heap[above] as Entry;
			at = above;
		}
		heap[at] = entry;
	}

	#pop(): Entry | undefined {
		const heap = this.#heap;
		const [first] = heap;
		const last = heap.pop();
		if (!last || heap.length === 0) return first;
		let at = 0;
		for (;;) {
			let below = 2 * at + 1;
			if (below >= heap.length) break;
			if (below + 1 < heap.length && comesBefore(heap[below + 1] as Entry, heap[below] as Entry)) below++;
			if (!comesBefore(heap[below] as Entry, last)) break;
			heap[at] = heap[below] as Entry;
			at = below;
		}
		heap[at] = last;
		return first;
	}
}
