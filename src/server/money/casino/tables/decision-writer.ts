/**
 * Writes down what players decide while a round is played. One row is under way at a time; what is decided meanwhile
 * shares the next one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';

/** Players who decide in the same instant come within so much of one another. */
const QUIET_MS = 40;
/** Payments of what was decided do not wait longer for others who decide. */
const LONGEST_WAIT_MS = 400;

/** A bet that its player ended, and what it is to be paid. */
export interface PlayerDecision extends WorkflowData {
	/** Id of the bet. */
	bet: number;
	/** Paise. */
	payout: number;
	outcome: WorkflowData;
}

/** Resolves when the row is durable. @param part the number of the row within its round, from 1 */
export type WriteDecisions = (part: number, decisions: readonly PlayerDecision[]) => Promise<void>;

export class DecisionWriter {
	readonly #write: WriteDecisions;
	#collected: PlayerDecision[] = [];
	/** Of the row that takes what is decided now. */
	#next: Promise<void> | null = null;
	#underWay: Promise<unknown> = Promise.resolve();
	#parts = 0;
	#addedAtMs = Number.NEGATIVE_INFINITY;
	#quiet: Promise<void> | null = null;

	constructor(write: WriteDecisions) {
		this.#write = write;
	}

	/** Resolves when the decision is durable; rejects when it cannot be known to be. */
	add(decision: PlayerDecision): Promise<void> {
		this.#collected.push(decision);
		this.#addedAtMs = performance.now();
		this.#next ??= this.#writeNext();
		return this.#next;
	}

	async #writeNext(): Promise<void> {
		await this.#underWay;
		// What was received in the same turn of the loop shares the row.
		await new Promise((resume) => setImmediate(resume));
		const decisions = this.#collected;
		this.#collected = [];
		this.#next = null;
		const writing = this.#write(++this.#parts, decisions);
		this.#underWay = writing.catch(() => undefined);
		await writing;
	}

	/**
	 * Resolves when nobody has decided for a moment, or after a while. What can wait waits for it: thousands may decide
	 * within a tenth of a second, and each waits for an answer.
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
