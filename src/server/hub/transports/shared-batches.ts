/**
 * Joins the messages that a transport is given before its turn to write into one batch. Transports that are given the
 * same messages share the batch: a thousand browsers on one page cost one copy and a thousand writes.
 */
import type { Encoded } from '#server/hub/protocols/protocol.ts';

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
		// Most transports are given the same message next.
		if (this.#latest && this.#latest.#last === encoded) return this.#latest;
		const longer = this.#longer.get(encoded) ?? new Batch(this.#frameOf, this, encoded);
		this.#longer.set(encoded, longer);
		this.#latest = longer;
		return longer;
	}

	/** The frames of all messages, made once. */
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

/** How long one turn writes; calls that came meanwhile are served before the next. */
const TURN_MS = 8;
/** The clock is read once for so many transports. */
const FLUSHED_PER_LOOK = 50;

/**
 * The open transports of one kind. Thousands of sockets are written to over several turns of the event loop, so that
 * players' calls do not wait for news.
 */
export class SharedBatches {
	readonly #frameOf: (encoded: Encoded) => Buffer;
	/** In the order in which they were given their first message. */
	#transports: BatchingTransport[] = [];
	#empty: Batch;

	constructor(frameOf: (encoded: Encoded) => Buffer) {
		this.#frameOf = frameOf;
		this.#empty = new Batch(frameOf);
	}

	/** The start of a transport's batch, which is flushed at the end of this turn or of one of the next. */
	begin(transport: BatchingTransport): Batch {
		if (this.#transports.length === 0) setImmediate(() => this.#flush());
		this.#transports.push(transport);
		return this.#empty;
	}

	#flush(): void {
		const transports = this.#transports;
		// What a flush adds comes after those that wait.
		this.#transports = [];
		const untilMs = performance.now() + TURN_MS;
		let flushed = 0;
		while (flushed < transports.length) {
			transports[flushed++]?.flush();
			if (flushed % FLUSHED_PER_LOOK === 0 && performance.now() >= untilMs) break;
		}
		const hasNewTurn = this.#transports.length > 0;
		this.#transports = [...transports.slice(flushed), ...this.#transports];
		if (!hasNewTurn && this.#transports.length > 0) setImmediate(() => this.#flush());
		// Batches that wait hold what they share themselves.
		this.#empty = new Batch(this.#frameOf);
	}
}
