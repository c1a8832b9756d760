/**
 * The clock of the stream: the exchange's batches, whose numbers and stamps rise across processes. A subscription that
 * names a batch again gets what changed after it, from this process or from another one: after a kill, a takeover or a
 * hand-over.
 */
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';

/** How long a clock counts. A client with an older one gets an image. */
export const WINDOW_MS = 3_600_000;
/** How much earlier a batch may be stamped that is on its way when this process starts. */
const LONGEST_ON_ITS_WAY_MS = 120_000;

/** What a client's clock says. */
export interface Instant {
	/** Everything up to this batch was sent. */
	batch: number;
	/** The batch's stamp: later batches are not stamped earlier. */
	atMs: number;
	/** This process gave the clock, so what it remembers is all that happened since. */
	isOwn: boolean;
}

export class StreamClock {
	readonly #exchange: Pick<Exchange, 'now'>;
	/** The epoch in which this process began, which is no other's. */
	readonly #process: string;
	#batch: number;
	#atMs: number;

	constructor(exchange: Pick<Exchange, 'epoch' | 'figures' | 'now'>) {
		this.#exchange = exchange;
		this.#process = exchange.epoch().toString(36);
		this.#batch = exchange.figures().batch;
		this.#atMs = exchange.now() - LONGEST_ON_ITS_WAY_MS;
	}

	/** The latest batch. */
	get value(): number {
		return this.#batch;
	}

	/** @returns the number of the batch */
	advance({ batchSeq, atMs }: Pick<Committed, 'batchSeq' | 'atMs'>): number {
		this.#batch = batchSeq;
		this.#atMs = atMs;
		return batchSeq;
	}

	/** What a message says that leaves nothing out. */
	text(): string {
		return [this.#process, this.#batch.toString(36), this.#atMs.toString(36)].join('.');
	}

	/** Reads a clock that a client names; null for one from before the window, or that no process can have given. */
	read(text: string): Instant | null {
		const [process = '', batchText = '', atText = '', more] = text.split('.');
		const [batch, atMs] = [Number.parseInt(batchText, 36), Number.parseInt(atText, 36)];
		const now = this.#exchange.now();
		const isPast = batch >= 0 && batch <= this.#batch && atMs <= now && more === undefined && process !== '';
		return isPast && now - atMs < WINDOW_MS ? { batch, atMs, isOwn: process === this.#process } : null;
	}
}
