/**
 * Writes players' decisions during a round. One row is in flight at a time; decisions made meanwhile share the next
 * row.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';

/** The largest gap between decisions that belong to one burst. */
const QUIET_MS = 40;
/** The longest delay of payments by later decisions. */
const LONGEST_WAIT_MS = 400;

/** A bet that its player ended, and its payout. */
export interface PlayerDecision extends WorkflowData {
	/** Id of the bet. */
	bet: number;
	/** Minor units. */
	payout: number;
	outcome: WorkflowData;
}

/** Resolves when the row is durable. @param part the number of the row within its round, from 1 */
export type WriteDecisions = (part: number, decisions: readonly PlayerDecision[]) => Promise<void>;

export class DecisionWriter {
	readonly #write: WriteDecisions;
	#collected: PlayerDecision[] = [];
	/** The number of the row that takes the current decisions. */
	#next: Promise<void> | null = null;
	#underWay: Promise<unknown> = Promise.resolve();
	#parts = 0;
	#addedAtMs = Number.NEGATIVE_INFINITY;
	#quiet: Promise<void> | null = null;

	constructor(write: WriteDecisions) {
		this.#write = write;
	}

	/** Resolves when the decision is durable; rejects if its durability cannot be established. */
	add(decision: PlayerDecision): Promise<void> {
		this.#collected.push(decision);
		this.#addedAtMs = performance.now();
		this.#next ??= this.#writeNext();
		return this.#next;
	}

	async #writeNext(): Promise<void> {
		await this.#underWay;
		// Requests received in the same turn of the event loop share the row.
		await new Promise((resume) => setImmediate(resume));
		const decisions = this.#collected;
		this.#collected = [];
		this.#next = null;
		const writing = this.#write(++this.#parts, decisions);
		this.#underWay = writing.catch(() => undefined);
		await writing;
	}

	/**
	 * Resolves when no player has decided for a moment, or after a time limit. Work that is not urgent waits for it:
	 * thousands may decide within a tenth of a second, and each of them is waiting for an answer.
	 */
	quiet(): Promise<void> {
		this.#quiet ??= this.#untilQuiet().finally(() => {
			this.#quiet = null;
		});
		return this.#quiet;
	}

	async #untilQuiet(): Promise<void> {
		for (const untilMs = performance.now() + LONGEST_WAIT_MS; ; ) {
			const nowMs = performance.now();
			const leftMs = Math.min(this.#addedAtMs + QUIET_MS, untilMs) - nowMs;
			if (leftMs <= 0) return;
			await delay(Math.ceil(leftMs), undefined, { ref: false });
		}
	}
}
