/** The events of the simulation, the earliest first; those of one moment in the order in which they were added. */
import type { Host } from './host.ts';

export interface QueuedEvent {
	atMs: number;
	readonly order: number;
	readonly host: Host;
	readonly run: () => void;
	isCancelled: boolean;
}

const isBefore = (one: QueuedEvent, other: QueuedEvent): boolean =>
	one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/** A binary heap. */
export class EventQueue {
	readonly #heap: QueuedEvent[] = [];
	#added = 0;

	add(atMs: number, host: Host, run: () => void): QueuedEvent {
		const event = { atMs, order: this.#added++, host, run, isCancelled: false };
		this.#push(event);
		return event;
	}

	isDue(untilMs: number): boolean {
		const [first] = this.#heap;
		return first !== undefined && first.atMs <= untilMs;
	}

	/** Takes the next event that may run; those of a host that is stopped wait for it. */
	next(untilMs: number): QueuedEvent | null {
		while (this.isDue(untilMs)) {
			const event = this.#pop();
			if (event.isCancelled || event.host.hasEnded) continue;
			if (event.host.goesOnAtMs <= event.atMs) return event;
			event.atMs = event.host.goesOnAtMs;
			this.#push(event);
		}
		return null;
	}

	#push(event: QueuedEvent): void {
		const heap = this.#heap;
		let at = heap.length;
		heap.push(event);
		while (at > 0) {
			const parent = (at - 1) >> 1;
			const above = heap[parent] as QueuedEvent;
			if (!isBefore(event, above)) break;
			heap[at] = above;
			at = parent;
		}
		heap[at] = event;
	}

	#pop(): QueuedEvent {
		const heap = this.#heap;
		const first = heap[0] as QueuedEvent;
		const last = heap.pop() as QueuedEvent;
		if (heap.length === 0) return first;
		let at = 0;
		for (;;) {
			let child = 2 * at + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isBefore(heap[child + 1] as QueuedEvent, heap[child] as QueuedEvent)) child++;
			if (!isBefore(heap[child] as QueuedEvent, last)) break;
			heap[at] = heap[child] as QueuedEvent;
			at = child;
		}
		heap[at] = last;
		return first;
	}
}
