/**
 * Joins a transport's messages of a turn into one batch. Transports with the same messages share the batch: a thousand
 * browsers on one page cost one copy and a thousand writes.
 */
import type { Encoded } from '#server/doors/hub/protocols/protocol.ts';

/** A sequence of messages; equal sequences that begin within a turn are the same object. */
export class Batch {
	readonly size: number;
	readonly #frameOf: (encoded: Encoded) => Buffer;
	readonly #before: Batch | null;
	readonly #last: Encoded | null;
	readonly #longer = new Map<Encoded, Batch>();
	#latest: Batch | null = null;
	#bytes: Buffer | null = null;

	constructor(frameOf: (encoded: Encoded) => Buffer, before: Batch | null = null, last: Encoded | null = null) {
		this.#frameOf = frameOf;
		this.#before = before;
		this.#last = last;
		this.size = (before?.size ?? 0) + (last?.bytes.length ?? 0);
	}

	/** This sequence with one message more. */
	with(encoded: Encoded): Batch {
		// Most transports get the same message next.
		if (this.#latest && this.#latest.#last === encoded) return this.#latest;
		const longer = this.#longer.get(encoded) ?? new Batch(this.#frameOf, this, encoded);
		this.#longer.set(encoded, longer);
		this.#latest = longer;
		return longer;
	}

	/** The frames of all messages, built once. */
	get bytes(): Buffer {
		if (!this.#bytes) {
			const frames = this.#frames();
			this.#bytes = frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames);
		}
		return this.#bytes;
	}

	#frames(): Buffer[] {
		const frames = this.#before ? this.#before.#frames() : [];
		if (this.#last) frames.push(this.#frameOf(this.#last));
		return frames;
	}
}

/** The transports with something to send. */
export interface BatchingTransport {
	/** Sends the batch. */
	flush(): void;
}

/** How long one turn writes; calls that arrived meanwhile are served before the next. */
const TURN_MS = 8;
/** News older than this is written without another pause: under a high rate of calls a pause is long. */
const OVERDUE_MS = 20;
/** The number of transports per reading of the clock. */
const FLUSHED_PER_LOOK = 50;

/** Transports whose first message was queued between two turns. */
interface Group {
	sinceMs: number;
	transports: BatchingTransport[];
}

/**
 * The open transports of one kind. Writes to thousands of sockets are spread over several turns of the event loop, so
 * that players' calls do not wait for news.
 */
export class SharedBatches {
	readonly #frameOf: (encoded: Encoded) => Buffer;
	/** Oldest first. */
	#groups: Group[] = [];
	/** Collects transports whose first message is queued now; one of `#groups`. */
	#open: Group | null = null;
	#isAwaited = false;
	#isFlushing = false;
	#empty: Batch;

	constructor(frameOf: (encoded: Encoded) => Buffer) {
		this.#frameOf = frameOf;
		this.#empty = new Batch(frameOf);
	}

	/** The start of a transport's batch, which is flushed at the end of this turn or of a later one. */
	begin(transport: BatchingTransport): Batch {
		if (this.#isOverdue()) this.#flush();
		this.#open ??= this.#newGroup();
		this.#open.transports.push(transport);
		return this.#empty;
	}

	/** A turn that serves a thousand calls is long, and news must not wait for its end. */
	#isOverdue(): boolean {
		const oldest = this.#groups[0];
		return oldest !== undefined && !this.#isFlushing && performance.now() - oldest.sinceMs >= OVERDUE_MS;
	}

	#newGroup(): Group {
		const group = { sinceMs: performance.now(), transports: [] };
		this.#groups.push(group);
		this.#flushLater();
		return group;
	}

	#flushLater(): void {
		if (this.#isAwaited) return;
		this.#isAwaited = true;
		setImmediate(() => {
			this.#isAwaited = false;
			this.#flush();
		});
	}

	#flush(): void {
		const groups = this.#groups;
		const nowMs = performance.now();
		// Additions during a flush are queued behind the others.
		this.#groups = [];
		this.#open = null;
		this.#isFlushing = true;
		for (let group = groups[0]; group; group = groups[0]) {
			const untilMs = nowMs - group.sinceMs >= OVERDUE_MS ? Number.POSITIVE_INFINITY : nowMs + TURN_MS;
			if (!flushUntil(group.transports, untilMs)) break;
			groups.shift();
		}
		this.#isFlushing = false;
		this.#groups = [...groups, ...this.#groups];
		if (this.#groups.length > 0) this.#flushLater();
		// Queued batches hold the shared ones themselves.
		this.#empty = new Batch(this.#frameOf);
	}
}

/** Flushes the transports until that time, and removes the flushed ones. @returns whether none is left */
function flushUntil(transports: BatchingTransport[], untilMs: number): boolean {
	let flushed = 0;
	while (flushed < transports.length) {
		transports[flushed++]?.flush();
		if (flushed % FLUSHED_PER_LOOK === 0 && performance.now() >= untilMs) break;
	}
	transports.splice(0, flushed);
	return transports.length === 0;
}
