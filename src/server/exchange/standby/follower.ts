/**
 * The standby: a second engine that applies the commands of the exchange and takes over when it falls silent. This file
 * applies one batch after another and compares: what the commands do here must be what they did there.
 */
import type { Outcome } from '#engine/outcome.ts';
import { applyInput } from '#server/exchange/order/apply-input.ts';
import { Batch } from '#server/exchange/order/batch.ts';
import type { PostingRow } from '#server/exchange/order/batch-rows.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import { withdrawals } from '#server/exchange/order/withdraw-quotes.ts';
import { type Restored, showBooks, type TakenLease } from '#server/exchange/recovery/recovery.ts';

/** A batch as its command rows have it. */
export interface FollowedBatch {
	epoch: number;
	batch: number;
	/** The batch that was written before. */
	previous: number;
	digest: string;
	/** Stamp of its last command. */
	atMs: number;
	inputs: readonly EngineInput[];
}

/** How far a standby has come. */
export interface Position {
	epoch: number;
	batch: number;
}

/** What the standby made of a batch whose digest differs. */
export interface Evidence {
	batch: number;
	inputs: readonly EngineInput[];
	postings: readonly PostingRow[];
	/** For each input, how many postings it and those before it made. */
	postingCounts: readonly number[];
}

/** The exchange and the standby come to different states by the same commands: one of them is wrong. */
export class Difference extends Error {
	/** With it the process ends, so that a supervisor does not start it again: its machine may be faulty. */
	static readonly EXIT_CODE = 3;
	/** Null when the message names the command. */
	readonly evidence: Evidence | null;

	constructor(message: string, evidence: Evidence | null = null) {
		super(message);
		this.evidence = evidence;
	}
}

export class Follower {
	readonly #restored: Restored;
	#position: Position;
	#atMs = 0;

	/** @param position the batch that the restored engine stands for */
	constructor(restored: Restored, position: Position) {
		this.#restored = restored;
		this.#position = position;
		showBooks(restored, position.batch);
	}

	get position(): Position {
		return this.#position;
	}

	/** False for the batch of an exchange that was rebuilt, or after a gap: the standby has to join again. */
	continues({ epoch, previous }: FollowedBatch): boolean {
		return epoch === this.#position.epoch && previous === this.#position.batch;
	}

	/** @throws Difference naming the batch and the command */
	apply({ epoch, batch: batchSeq, digest, atMs, inputs }: FollowedBatch): void {
		const { engine, views, bets, unwrittenTrades } = this.#restored;
		const batch = new Batch(bets, { unwrittenTrades });
		const postingCounts: number[] = [];
		for (const [at, input] of inputs.entries()) {
			const refusal = refusalOf(() => applyInput(engine, input, batch));
			if (refusal !== null) {
				throw new Difference(
					`${nameOf(batchSeq, inputs, at)}: the exchange accepted it, the standby does not: ${refusal}`,
				);
			}
			postingCounts.push(batch.postingCount);
		}
		const rows = batch.seal(engine);
		if (rows.digest !== digest) {
			throw new Difference(
				`Batch ${batchSeq}: after its ${inputs.length} commands the exchange has the digest ${digest}, the standby ${rows.digest}.`,
				{ batch: batchSeq, inputs, postings: rows.postings, postingCounts },
			);
		}
		for (const input of inputs) {
			if (input.kind === 'recall-market') views.setMarket(input.stored.market);
			else if (input.kind === 'forget-market') views.forgetMarket(input.marketId);
		}
		views.apply(batchSeq, rows);
		this.#position = { epoch, batch: batchSeq };
		this.#atMs = atMs;
	}

	/** Looks at everything that the engine has, which takes some milliseconds for ten thousand bets: a takeover has no time for it. */
	check(): void {
		this.#restored.engine.checkInvariants();
	}

	/**
	 * Withdraws the unmatched quotes, whose makers were in the other process.
	 * @param lease as it was taken; its digest is the last batch's
	 * @throws Difference
	 */
	takeOver({ batch: batchSeq, digest }: Pick<TakenLease, 'batch' | 'digest'>): Restored {
		const { engine, views, bets } = this.#restored;
		if (engine.hash() !== digest)
			throw new Difference(`The lease has the digest ${digest}, the standby ${engine.hash()}.`);
		const batch = new Batch(bets);
		for (const command of withdrawals(bets, this.#atMs)) applyInput(engine, command, batch);
		views.apply(batchSeq, batch.seal(engine));
		return this.#restored;
	}
}

/** Such as "Batch 7, command 2 of 9, place-bet". */
export const nameOf = (batch: number, inputs: readonly EngineInput[], at: number): string =>
	`Batch ${batch}, command ${at + 1} of ${inputs.length}, ${inputs[at]?.kind}`;

/** Why the engine did not do what it was told; null when it did. */
function refusalOf(apply: () => Outcome | null): string | null {
	try {
		const outcome = apply();
		return outcome?.ok === false ? outcome.code : null;
	} catch (error) {
		return String(error);
	}
}
