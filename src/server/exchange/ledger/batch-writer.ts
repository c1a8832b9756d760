/**
 * Writes batch after batch. Commands join the open batch; while one batch is written the next collects, and follows it to
 * the database when it is worth a batch. Callers are answered and the views advance when their batch is durable.
 */
import type { Logger } from 'pino';
import type { Engine } from '#engine/engine.ts';
import type { Committed, CommittedListener } from '#server/exchange/committed.ts';
import type { Receipt, UndurableGain } from '#server/exchange/exchange.ts';
import { type Committer, Deposed, MOST_ON_THEIR_WAY } from '#server/exchange/ledger/committer.ts';
import { Batch, type WalkStep } from '#server/exchange/order/batch.ts';
import type { BatchRows, EventRow } from '#server/exchange/order/batch-rows.ts';
import { before } from '#server/exchange/order/deadline.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import type { DurableViews } from '#server/exchange/views/durable-views.ts';
import type { ReceiptRootRow, RootMaker } from '#server/platform/public-log/receipt-root.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, WalletId } from '#values/ids.ts';

/** The batch that is written is late when it takes longer than this, and so is the next one when the pause before it does. */
const STALLED_AFTER_MS = 1_000;
/** How long a batch may take to be written, unless a caller's deadline is earlier. */
const BATCH_TIMEOUT_MS = 10_000;

/** Why an exchange takes no commands: another server took over or it stops, or it recovers. */
export type Closed = 'DRAINING' | 'STARTING';

interface Caller {
	receipt: Receipt;
	/** Of a player's call. */
	requestId: string | undefined;
	/** The span of a player's call; missing unless the call is traced. */
	trace: string | undefined;
	untilMs: number;
	resolve(receipt: Receipt): void;
	reject(error: Error): void;
}

/** A batch that made traced calls durable. */
export interface TracedBatch {
	batchSeq: number;
	/** Of all commands in it, traced or not. */
	commandCount: number;
	/** When it was sealed, on the monotonic clock. */
	sealedAtMs: number;
	/** The spans of its traced calls; at least one. */
	traces: readonly string[];
}

/** What a durable batch tells those that measure. */
export interface WrittenFigures {
	/** How long it took, milliseconds: from its sealing or the end of the batch before, whichever was later. */
	tookMs: number;
	step: WalkStep | null;
}

interface BatchWriterOptions {
	engine: Engine;
	views: DurableViews;
	bets: LiveBets;
	/** Markets in which the crowd took quotes since their row was written, or whose row lacks more of what was traded. */
	unwrittenTrades: Set<MarketId>;
	/** Whether batches note what changed the engine. */
	keepsInputs: boolean;
	committer: Committer;
	log: Logger;
	onCommitted: CommittedListener;
	/** Called with the batch that is about to be sealed, and with those that are on their way. */
	onSealing: (batch: Batch, onTheirWay: readonly Batch[]) => void;
	/** Whether a batch may be sealed while another one is on its way. */
	mayFollow: () => boolean;
	/** What the batch tells the systems of brands, which is written with it. */
	eventsOf?: ((rows: BatchRows) => readonly EventRow[]) | undefined;
	/** Called when a batch is sealed: what is applied now joins the next one. */
	onSealed: () => void;
	/** Called when a batch is durable. */
	onWritten?: ((batch: WrittenFigures) => void) | undefined;
	/** Called when a batch with traced calls is durable. */
	onTraced?: ((batch: TracedBatch) => void) | undefined;
	/** Called when a batch is durable, before its callers are answered. */
	onDurable: (rows: BatchRows) => void;
	/** Called when its callers are answered; the next batch is sent when the promise resolves. */
	betweenBatches: (batchSeq: number) => Promise<void> | null;
	/** Called once when nothing more can be written: a batch was not written in time, or rows and engine disagree. */
	onFailed: (error: Error, closed: Closed) => void;
}

/** A batch on its way to the disk. */
interface Sent {
	batchSeq: number;
	callers: Caller[];
	/** When it was sealed. */
	atMs: number;
	/** When it became the first of those on their way. */
	firstAtMs: number;
	batch: Batch;
	/** Null until it is sealed. */
	rows: BatchRows | null;
	/** Settles with it. */
	decided: Promise<void>;
	outcome: 'DURABLE' | 'FAILED' | null;
}

export class BatchWriter {
	readonly #options: BatchWriterOptions;
	#open: Batch;
	/** Makers of the roots of receipts that the open batch writes. */
	#rootMakers: RootMaker[] = [];
	/** Callers of the open batch. */
	#callers: Caller[] = [];
	/** Those on their way, in their order. */
	readonly #sent: Sent[] = [];
	#durableSeq: number;
	/** Wakes the writing when the open batch may follow. */
	#follow: (() => void) | null = null;
	/** When the next batch began to wait for something else, such as a snapshot; null while none does. */
	#pausedAtMs: number | null = null;
	/** Wake the commands that wait for a batch, in their order. */
	readonly #waiting = new Set<() => void>();
	/** Settles when the open batch is on its way, or never will be. */
	#sealing = Promise.withResolvers<void>();
	#unanswered = 0;
	#writing: Promise<void> | null = null;
	#failed: Closed | null = null;

	constructor(options: BatchWriterOptions) {
		this.#options = options;
		this.#durableSeq = options.committer.batchSeq;
		this.#open = this.#newBatch();
	}

	#newBatch(): Batch {
		const { bets, unwrittenTrades, keepsInputs } = this.#options;
		return new Batch(bets, { unwrittenTrades, keepsInputs });
	}

	/** The batch that commands join now. */
	get open(): Batch {
		return this.#open;
	}

	/** The number of the last durable batch, which the views show. */
	get durableSeq(): number {
		return this.#durableSeq;
	}

	get isWriting(): boolean {
		return this.#writing !== null;
	}

	/** Commands that are applied and not durable, and commands that wait for a batch that is late. */
	get backlog(): number {
		return this.#unanswered + this.#waiting.size;
	}

	/** What the batches on their way and the open one made a wallet gain. */
	undurable(walletId: WalletId): UndurableGain[] {
		const onTheirWay = this.#sent.map(({ batchSeq, batch }) => ({ batchSeq, gained: batch.gainedBy(walletId) }));
		return [...onTheirWay, { batchSeq: null, gained: this.#open.gainedBy(walletId) }];
	}

	/** The batch that is written takes unusually long, or the pause before the next one does. */
	isStalled(): boolean {
		const sinceMs = this.#sent[0]?.firstAtMs ?? this.#pausedAtMs;
		return sinceMs !== null && performance.now() - sinceMs > STALLED_AFTER_MS;
	}

	/** Waits until the first batch on its way is written or given up. @throws Refused DEADLINE_PASSED */
	async waitForBatch(untilMs: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.add(resolve);
		try {
			await before(promise, untilMs, 'DEADLINE_PASSED');
		} finally {
			this.#waiting.delete(resolve);
		}
	}

	/** Wakes all commands that wait for a batch. */
	wakeWaiting(): void {
		for (const wake of this.#waiting) wake();
	}

	/**
	 * Adds the caller of a command that was applied to the open batch. The promise settles with the batch.
	 * @param untilMs the batch is not written later; Infinity without a deadline
	 * @param requestId names a player's call in the log
	 * @param trace the span of a player's call that is traced
	 */
	answerWhenDurable(receipt: Receipt, untilMs: number, requestId?: string, trace?: string): Promise<Receipt> {
		const answer = new Promise<Receipt>((resolve, reject) => {
			this.#callers.push({ receipt, requestId, trace, untilMs, resolve, reject });
		});
		this.#unanswered++;
		if (!this.#writing) this.#writing = this.#write();
		else if (this.#follow && this.#mayFollow()) this.#follow();
		return answer;
	}

	/**
	 * For an answer that depends on what is applied without adding to it, such as a refusal. No batch is written for it.
	 * @returns a promise that settles with the newest batch that has a command; null when everything is durable
	 */
	appliedSoFar(nothingDone: Receipt): Promise<Receipt> | null {
		const callers = this.#callers.length > 0 ? this.#callers : this.#sent.at(-1)?.callers;
		if (!callers) return null;
		this.#unanswered++;
		return new Promise((resolve, reject) => {
			const untilMs = Number.POSITIVE_INFINITY;
			callers.push({ receipt: nothingDone, requestId: undefined, trace: undefined, untilMs, resolve, reject });
		});
	}

	#madeRoots(): ReceiptRootRow[] {
		const makers = this.#rootMakers;
		// A maker may order the next root, which is of the next batch.
		this.#rootMakers = [];
		return makers.map((make) => make());
	}

	/** See `Exchange.writeReceiptRoot`. */
	async writeReceiptRoot(make: RootMaker, nothingDone: Receipt): Promise<void> {
		if (this.#failed) throw new Refused(this.#failed);
		this.#rootMakers.push(make);
		await this.#withOpen(nothingDone);
	}

	/** Resolves when the batch that commands join now is on its way, or when nothing is written any more. */
	async sealed(): Promise<void> {
		await this.#sealing.promise;
	}

	/** Resolves when everything that was applied is durable, or can no longer be. */
	async drain(): Promise<void> {
		await this.#writing;
	}

	/** Writes until nothing is on its way and the open batch has no callers. */
	async #write(): Promise<void> {
		// Commands submitted in the same turn of the loop share the first batch.
		await new Promise((resume) => setImmediate(resume));
		while (!this.#failed && (this.#sent.length > 0 || this.#callers.length > 0)) {
			try {
				await this.#advance();
			} catch (error) {
				this.fail(error as Error);
			}
		}
		// A drained exchange has nothing on its way.
		if (this.#failed) await Promise.allSettled(this.#sent.map(({ decided }) => decided));
		this.#writing = null;
	}

	/** Sends the open batch, or waits for one that is on its way. */
	async #advance(): Promise<void> {
		const [first] = this.#sent;
		if (first?.outcome === 'DURABLE') await this.#finish(first);
		else if (!first || this.#mayFollow()) this.#send();
		else await Promise.race([first.decided, this.#followable()]);
	}

	/**
	 * The open batch is not sent behind one that is on its way as soon as it has a caller: a batch has its own cost. It is
	 * worth that when it has as many as the one that is written, a step of a walk, which the next step waits for, or a root,
	 * which answers wait for.
	 */
	#mayFollow(): boolean {
		const [first] = this.#sent;
		if (!first || first.outcome || this.#sent.length >= MOST_ON_THEIR_WAY || this.#callers.length === 0) return false;
		const isAwaited = this.#open.step !== null || this.#rootMakers.length > 0;
		return (isAwaited || this.#callers.length >= first.callers.length) && this.#options.mayFollow();
	}

	/** Resolves when the open batch may follow, with the commands of the same turn of the loop. */
	#followable(): Promise<void> {
		return new Promise((resume) => {
			// A literal that is assigned to the property itself would be allocated old: see callback-queries.ts.
			const follow = (): void => {
				this.#follow = null;
				setImmediate(resume);
			};
			this.#follow = follow;
		});
	}

	#send(): void {
		const { engine, committer } = this.#options;
		const batch = this.#open;
		const callers = this.#callers;
		this.#options.onSealing(
			batch,
			this.#sent.map((sent) => sent.batch),
		);
		this.#open = this.#newBatch();
		this.#sealing.resolve();
		this.#sealing = Promise.withResolvers();
		this.#callers = [];
		const atMs = performance.now();
		const batchSeq = this.#durableSeq + this.#sent.length + 1;
		const decided = Promise.resolve();
		const sent: Sent = { batchSeq, callers, atMs, firstAtMs: atMs, batch, rows: null, decided, outcome: null };
		this.#sent.push(sent);
		const rows = batch.seal(engine);
		rows.events = this.#eventsOf(rows);
		rows.receiptRoots = this.#madeRoots();
		sent.rows = rows;
		// The stored answers are these receipts, so a repeated request is told the same batch.
		for (const { receipt } of callers) {
			receipt.batchSeq = sent.batchSeq;
			receipt.batchAtMs = rows.atMs;
		}
		this.#options.onSealed();
		sent.decided = this.#decide(sent, committer.commit(rows, deadlineOf(callers, atMs)));
		// The writing hears of a failure when it waits for this one.
		sent.decided.catch(() => undefined);
	}

	async #decide(sent: Sent, durable: Promise<void>): Promise<void> {
		try {
			await durable;
			sent.outcome = 'DURABLE';
		} catch (error) {
			sent.outcome = 'FAILED';
			throw error;
		}
	}

	/** Answers the callers of a durable batch. */
	async #finish(sent: Sent): Promise<void> {
		const { views, betweenBatches } = this.#options;
		const { callers, batch, firstAtMs } = sent;
		const rows = sent.rows as BatchRows;
		const committed = views.apply(sent.batchSeq, rows);
		this.#durableSeq = sent.batchSeq;
		this.#options.onDurable(rows);
		this.#sent.shift();
		const nowMs = performance.now();
		for (const next of this.#sent) next.firstAtMs = nowMs;
		this.#unanswered -= callers.length;
		for (const { resolve, receipt } of callers) resolve(receipt);
		this.#logDurable(callers, committed.batchSeq);
		this.#options.onWritten?.({ tookMs: nowMs - firstAtMs, step: batch.step });
		this.#traceDurable(sent);
		this.wakeWaiting();
		this.#publish(committed);
		const pause = betweenBatches(committed.batchSeq);
		if (pause) await this.#paused(pause);
		// While answers wait for receipts, those of this batch ask now: their root joins the next one. References wait for
		// none, and bets that come meanwhile would be in a batch of their own.
		if (rows.receiptRoots.some(({ onDemand }) => onDemand === null))
			await new Promise((resume) => setImmediate(resume));
	}

	async #paused(pause: Promise<void>): Promise<void> {
		this.#pausedAtMs = performance.now();
		await pause;
		this.#pausedAtMs = null;
		this.wakeWaiting();
	}

	/** Bets come before what is told of them. */
	#eventsOf(rows: BatchRows): readonly EventRow[] {
		const { eventsOf, log } = this.#options;
		try {
			return eventsOf?.(rows) ?? [];
		} catch (error) {
			log.error({ err: error }, 'the events of a batch could not be told; the batch stands');
			return [];
		}
	}

	#logDurable(callers: readonly Caller[], batchSeq: number): void {
		const { log } = this.#options;
		if (!log.isLevelEnabled('debug')) return;
		for (const { requestId } of callers) {
			if (requestId !== undefined) log.debug({ requestId, batchSeq }, 'a request is durable');
		}
	}

	#traceDurable({ callers, batchSeq, atMs }: Sent): void {
		const { onTraced, log } = this.#options;
		if (!onTraced) return;
		const traces: string[] = [];
		for (const { trace } of callers) if (trace !== undefined) traces.push(trace);
		if (traces.length === 0) return;
		try {
			onTraced({ batchSeq, commandCount: callers.length, sealedAtMs: atMs, traces });
		} catch (error) {
			log.error({ err: error }, 'a batch could not be traced; it stands');
		}
	}

	/** Writes a batch, even an empty one, unless one is on its way. */
	beat(nothingDone: Receipt): void {
		if (!this.#writing) this.writeNext(nothingDone);
	}

	/** Another batch follows, even an empty one. */
	writeNext(nothingDone: Receipt): void {
		if (this.#failed) return;
		this.#withOpen(nothingDone).catch(() => undefined);
	}

	/** Settles with the open batch, which is written even if it stays empty. */
	#withOpen(nothingDone: Receipt): Promise<Receipt> {
		this.#open.begin(nothingDone.atMs);
		return this.answerWhenDurable(nothingDone, Number.POSITIVE_INFINITY);
	}

	#publish(committed: Committed): void {
		const { onCommitted, log } = this.#options;
		try {
			onCommitted(committed);
		} catch (error) {
			log.error({ err: error }, 'the publisher failed; the batch stands');
		}
	}

	/**
	 * The engine is ahead of the tables and cannot go back, so nothing more is written. Callers of the open batch are
	 * refused definitely; callers of the batches on their way wait for `settle`.
	 */
	fail(error: Error): void {
		if (this.#failed) return;
		const closed = error instanceof Deposed ? 'DRAINING' : 'STARTING';
		this.#failed = closed;
		this.#sealing.resolve();
		for (const { reject } of this.#callers) reject(new Refused(closed));
		this.#callers = [];
		this.#options.onFailed(error, closed);
	}

	/**
	 * Answers the callers of the batches that were on their way when writing failed, or refuses them definitely.
	 * @param ledgerBatch the last batch in the ledger; null when it is unknown
	 */
	settle(ledgerBatch: number | null): void {
		for (const { callers, batchSeq, rows } of this.#sent.splice(0)) {
			for (const { resolve, reject, receipt } of callers) {
				if (ledgerBatch === null) reject(new Refused('OUTCOME_UNKNOWN'));
				else if (ledgerBatch >= batchSeq) resolve(receipt);
				else reject(new Refused(this.#failed ?? 'STARTING'));
			}
			// Those that follow the batches need these, too: losses, open rounds, workflows.
			if (rows && ledgerBatch !== null && ledgerBatch >= batchSeq)
				this.#publish(this.#options.views.apply(batchSeq, rows));
		}
	}
}

/** Until when a batch may be written: no command becomes durable after its caller's deadline. */
const deadlineOf = (callers: readonly Caller[], nowMs: number): number =>
	callers.reduce((earliest, { untilMs }) => Math.min(earliest, untilMs), nowMs + BATCH_TIMEOUT_MS);
