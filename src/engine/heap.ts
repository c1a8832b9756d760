/** A binary heap: the entry that comes before all others is found at once, and taken in logarithmic time. */
export class Heap<Entry> {
	readonly #comesBefore: (one: Entry, other: Entry) => boolean;
	#entries: Entry[] = [];

	constructor(comesBefore: (one: Entry, other: Entry) => boolean) {
		this.#comesBefore = comesBefore;
	}

	get size(): number {
		return this.#entries.length;
	}

	first(): Entry | undefined {
		return this.#entries[0];
	}

	clear(): void {
		this.#entries = [];
	}

	push(entry: Entry): void {
		const heap = this.#entries;
		let at = heap.length;
		for (; at > 0; ) {
			const above = (at - 1) >> 1;
			if (!this.#comesBefore(entry, heap[above] as Entry)) break;
			heap[at] = heap[above] as Entry;
			at = above;
		}
		heap[at] = entry;
	}

	pop(): Entry | undefined {
		const heap = this.#entries;
		const [first] = heap;
		const last = heap.pop();
		if (!last || heap.length === 0) return first;
		let at = 0;
		for (;;) {
			let below = 2 * at + 1;
			if (below >= heap.length) break;
			if (below + 1 < heap.length && this.#comesBefore(heap[below + 1] as Entry, heap[below] as Entry)) below++;
			if (!this.#comesBefore(heap[below] as Entry, last)) break;
			heap[at] = heap[below] as Entry;
			at = below;
		}
		heap[at] = last;
		return first;
	}
}
