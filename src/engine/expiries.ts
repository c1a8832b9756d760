/**
 * When bets that are good till a time lapse. The one that lapses first is found in a binary heap; a bet that is forgotten
 * leaves its entry there until it comes up, or until more than half of the entries are left over.
 */
import { Heap } from '#engine/heap.ts';
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
	readonly #heap = new Heap<Entry>(comesBefore);

	/** Milliseconds since 1970; null for a bet that does not expire. */
	of(betId: BetId): number | null {
		return this.#times.get(betId) ?? null;
	}

	add(betId: BetId, atMs: number): void {
		this.#times.set(betId, atMs);
		this.#heap.push({ atMs, betId });
	}

	forget(betId: BetId): void {
		if (!this.#times.delete(betId)) return;
		if (this.#heap.size <= 2 * this.#times.size + MOST_LEFT_OVER) return;
		this.#heap.clear();
		for (const [id, atMs] of this.#times) this.#heap.push({ atMs, betId: id });
	}

	/** When the next bet lapses, which may have nothing unmatched any more; Infinity without one. */
	nextAtMs(): number {
		let next = this.#heap.first();
		for (; next && !this.#times.has(next.betId); next = this.#heap.first()) this.#heap.pop();
		return next?.atMs ?? Number.POSITIVE_INFINITY;
	}

	/** Takes the next bet that lapses by a time; null when there is none. Its time stays known. */
	takeDue(untilMs: number): BetId | null {
		return this.nextAtMs() <= untilMs ? (this.#heap.pop()?.betId ?? null) : null;
	}
}
