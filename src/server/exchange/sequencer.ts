/**
 * Puts commands in order: each is applied to the engine at once and joins the open batch; while one batch is written
 * the next collects. Answers, views and news wait for the disk.
 */
import type { Logger } from 'pino';
import type { Command } from '#engine/command.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import { Batch, type BetRow } from '#server/exchange/batch.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import { type Committer, Deposed } from '#server/exchange/committer.ts';
import { DelayedBets } from '#server/exchange/delayed-bets.ts';
import type { DurableViews } from '#server/exchange/durable-views.ts';
import type { Done, Request, RequestKey } from '#server/exchange/exchange.ts';
import { bodyHashOf, type RequestMemory } from '#server/exchange/request-memory.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Commands applied and not yet durable; beyond that, callers are asked to come back. */
const LONGEST_QUEUE = 20_000;

interface Waiting {
	done: Done;
	key: RequestKey | undefined;
	resolve(done: Done): void;
	reject(error: Error): void;
}

export interface SequencerOptions {
	engine: Engine;
	views: DurableViews;
	bets: Map<number, BetRow>;
	committer: Committer;
	requests: RequestMemory;
	log: Logger;
	clock: () => number;
	onCommitted: CommittedListener;
	/** Told when the sequencer cannot go on: deposed, or rows and engine disagree. */
	onFailed: (error: Error) => void;
}

export class Sequencer {
	readonly #options: SequencerOptions;
	readonly #delayed: DelayedBets;
	#open: Batch;
	#waiting: Waiting[] = [];
	#queued = 0;
	#writing: Promise<void> | null = null;
	#closed: 'DRAINING' | 'OVERLOADED' | null = null;

	constructor(options: SequencerOptions) {
		this.#options = options;
		this.#open = new Batch(options.bets);
		this.#delayed = new DelayedBets(options.clock, (betId) => this.#admit(betId));
		for (const { betId, dueAtMs } of options.engine.pendingBets()) this.#delayed.schedule(betId, dueAtMs);
	}

	/** A bet whose delay is over; one that is gone by now needs nothing more. */
	async #admit(betId: number): Promise<boolean> {
		try {
			await this.submit({ kind: 'admit-bet', betId });
			return true;
		} catch (error) {
			return !(error instanceof Refused && error.code === 'MARKET_SUSPENDED');
		}
	}

	/** Applies a command and resolves when it is durable. @throws Refused */
	async submit(request: Request, key?: RequestKey): Promise<Done> {
		if (key) {
			const earlier = this.#options.requests.find(key);
			if (earlier) return await earlier;
		}
		if (this.#closed) throw new Refused(this.#closed);
		if (this.#queued >= LONGEST_QUEUE) throw new Refused('OVERLOADED');
		const command = this.#stamp(request);
		const outcome = this.#apply(command);
		if (!outcome.ok) throw new Refused(outcome.code, outcome.details);
		const done = this.#doneOf(command, outcome);
		for (const { betId, dueAtMs } of [done, ...(done.hedges ?? [])]) {
			if (betId !== null && dueAtMs !== null) this.#delayed.schedule(betId, dueAtMs);
		}
		const answer = new Promise<Done>((resolve, reject) => {
			this.#waiting.push({ done, key, resolve, reject });
		});
		if (key) this.#remember(key, done, answer);
		this.#queued++;
		this.#writing ??= this.#write();
		return await answer;
	}

	/** Takes nothing more, writes what was applied, resolves when that is durable. */
	async drain(): Promise<void> {
		this.#closed ??= 'DRAINING';
		this.#delayed.stop();
		await this.#writing;
	}

	#stamp(request: Request): Command {
		const atMs = this.#options.clock();
		const betId = this.#options.engine.counters().lastBetId + 1;
		switch (request.kind) {
			case 'place-bet':
			case 'cash-out':
			case 'reach-cash-out-target':
				return { ...request, atMs, betId };
			case 'replace-bet':
				return { ...request, atMs, newBetId: betId };
			default:
				return { ...request, atMs };
		}
	}

	#apply(command: Command): Outcome {
		this.#open.begin(command.atMs);
		try {
			return this.#options.engine.apply(command, this.#open);
		} catch (error) {
			this.#fail(error as Error);
			throw new Refused('INTERNAL');
		}
	}

	#doneOf(command: Command, outcome: Outcome & { ok: true }): Done {
		const walletId = 'walletId' in command ? command.walletId : undefined;
		const wallet = walletId === undefined ? null : this.#options.engine.wallet(walletId);
		return {
			betId: outcome.betId ?? null,
			stake: outcome.stake ?? 0,
			matched: outcome.matched ?? 0,
			matchedValue: outcome.matchedValue ?? 0,
			remaining: outcome.remaining ?? 0,
			cancelled: outcome.cancelled ?? 0,
			dueAtMs: outcome.dueAtMs ?? null,
			atMs: command.atMs,
			balance: wallet?.cash ?? 0,
			exposure: wallet?.exposure ?? 0,
			...(outcome.hedges ? { hedges: outcome.hedges } : {}),
		};
	}

	#remember(key: RequestKey, done: Done, answer: Promise<Done>): void {
		const bodyHash = bodyHashOf(key.body);
		this.#options.requests.remember(key.walletId, key.clientRequestId, bodyHash, answer);
		this.#open.requests.push({
			walletId: key.walletId,
			clientRequestId: key.clientRequestId,
			bodyHash,
			answer: done,
		});
	}

	/** Writes batch after batch until nothing waits. */
	async #write(): Promise<void> {
		// Whoever else is about to submit in this turn of the loop shares the first batch.
		await new Promise((resume) => setImmediate(resume));
		while (this.#waiting.length > 0) {
			const waiting = this.#waiting;
			this.#waiting = [];
			try {
				await this.#commit(waiting);
			} catch (error) {
				this.#waiting = [...waiting, ...this.#waiting];
				this.#fail(error as Error);
			}
		}
		this.#writing = null;
	}

	async #commit(waiting: readonly Waiting[]): Promise<void> {
		const { engine, views, committer, onCommitted, log } = this.#options;
		const batch = this.#open;
		this.#open = new Batch(this.#options.bets);
		const rows = batch.seal(engine);
		await committer.commit(rows);
		const committed = views.apply(committer.batchSeq, rows);
		this.#queued -= waiting.length;
		for (const { resolve, done } of waiting) resolve(done);
		try {
			onCommitted(committed);
		} catch (error) {
			log.error({ err: error }, 'the publisher failed; the batch stands');
		}
	}

	/** The engine is ahead of the tables and cannot go back: nothing more is taken, nobody is told of success. */
	#fail(error: Error): void {
		this.#closed = 'OVERLOADED';
		this.#delayed.stop();
		for (const { reject, key } of this.#waiting) {
			if (key) this.#options.requests.forget(key.walletId, key.clientRequestId);
			reject(new Refused(error instanceof Deposed ? 'DRAINING' : 'OVERLOADED'));
		}
		this.#queued = 0;
		this.#waiting = [];
		this.#options.onFailed(error);
	}
}
