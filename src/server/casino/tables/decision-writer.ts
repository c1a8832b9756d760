/**
 * Writes down what players decide while a round is played. One row is under way at a time; what is decided meanwhile
 * shares the next one.
 */
import type { WorkflowData } from '#server/exchange/workflow.ts';

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

	constructor(write: WriteDecisions) {
		this.#write = write;
	}

	/** Resolves when the decision is durable; rejects when it cannot be known to be. */
	add(decision: PlayerDecision): Promise<void> {
		this.#collected.push(decision);
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
}
