/**
 * Puts commands in order: each is applied to the engine at once and joins the open batch; while one batch is written
 * the next collects. Answers, views and news wait for the disk. While a batch takes unusually long, commands wait
 * unapplied, so that they can still be refused for certain when their deadline passes.
 */
import type { Logger } from 'pino';
import type { Command } from '#engine/command.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import { Batch, type BetRow } from '#server/exchange/batch.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import { type Committer, Deposed } from '#server/exchange/committer.ts';
import { retryFaults } from '#server/exchange/database-fault.ts';
import { before } from '#server/exchange/deadline.ts';
import { DelayedBets } from '#server/exchange/delayed-bets.ts';
import type { DurableViews } from '#server/exchange/durable-views.ts';
import type { Receipt, Request, RequestKey, SubmitTerms } from '#server/exchange/exchange.ts';
import type { FeedLeases } from '#server/exchange/feed-leases.ts';
import { OnceOnly } from '#server/exchange/once-only.ts';
import { OpenBetCounts } from '#server/exchange/open-bet-counts.ts';
import { bodyHashOf, isTooOld, type RequestMemory } from '#server/exchange/request-memory.ts';
import type { StoredMarket } from '#server/exchange/stored-markets.ts';
import type { PlannedTransfer, Workflows } from '#server/exchange/workflows.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Commands applied and not yet durable, or waiting to be applied; beyond that, callers are asked to come back. */
const LONGEST_QUEUE = 20_000;
/** How often the leases of the feeds are looked at; a bet on a market whose lease has run out is refused at once. */
const LEASE_CHECK_MS = 250;
/** Requests of one player that are not answered yet. */
const MOST_OF_ONE_PLAYER = 250;
/** While the batch on its way is older than this, nothing more is applied. */
const STALLED_AFTER_MS = 1_000;
/** A command is applied only with at least this much left to its deadline, so that its batch has time to be written. */
const LEAST_LEFT_MS = 1_000;
/** How long a batch may take to be written, unless a caller's deadline is earlier. */
const BATCH_TIMEOUT_MS = 10_000;
/** How long a command without a deadline, from a feed or an operator, waits to be applied. */
const APPLY_TIMEOUT_MS = 30_000;

interface Waiting {
	receipt: Receipt;
	untilMs: number;
	resolve(receipt: Receipt): void;
	reject(error: Error): void;
}

interface Submission extends SubmitTerms {
	request: Request;
	key: RequestKey | undefined;
	/** Infinity without a deadline. */
	untilMs: number;
}

export interface SequencerOptions {
	engine: Engine;
	views: DurableViews;
	bets: Map<number, BetRow>;
	committer: Committer;
	requests: RequestMemory;
	leases: FeedLeases;
	onceOnly: OnceOnly;
	workflows: Workflows;
	/** Reads a market from the tables; null when they have none by that id. */
	storedMarket: (marketId: number) => Promise<StoredMarket | null>;
	log: Logger;
	clock: () => number;
	onCommitted: CommittedListener;
	/** Told once when the sequencer cannot go on: a batch was not written in time, or rows and engine disagree. */
	onFailed: (error: Error) => void;
}

export class Sequencer {
	readonly #options: SequencerOptions;
	readonly #delayed: DelayedBets;
	readonly #openBets = new OpenBetCounts();
	#open: Batch;
	/** Callers of the open batch. */
	#waiting: Waiting[] = [];
	/** The batch on its way to the disk: its number, its callers, and when it was sent. */
	#sent: { batchSeq: number; waiting: readonly Waiting[]; atMs: number } | null = null;
	/** Wake the commands that wait to be applied, in their order. */
	readonly #held = new Set<() => void>();
	#queued = 0;
	/** Requests under way, by player. */
	readonly #asking = new Map<number, number>();
	#toForget: readonly number[] = [];
	/** Markets that are being read from the tables; resolves to whether they are there. */
	readonly #recalls = new Map<number, Promise<boolean>>();
	#writing: Promise<void> | null = null;
	#closed: 'DRAINING' | 'STARTING' | null = null;
	#failed = false;
	readonly #leaseCheck: NodeJS.Timeout;

	constructor(options: SequencerOptions) {
		this.#options = options;
		for (const { walletId } of options.bets.values()) this.#openBets.add(walletId);
		this.#open = new Batch(options.bets, this.#openBets);
		this.#delayed = new DelayedBets(options.clock, (betId) => this.#admit(betId));
		for (const { betId, dueAtMs } of options.engine.pendingBets()) this.#delayed.schedule(betId, dueAtMs);
		for (const { marketId, feedLeaseMs } of options.views.markets()) options.leases.adopt(marketId, feedLeaseMs);
		this.#suspendSilent();
		this.#leaseCheck = setInterval(() => this.#suspendSilent(), LEASE_CHECK_MS).unref();
	}

	/** A bet whose delay is over; one that is gone by now needs nothing more. */
	async #admit(betId: number): Promise<boolean> {
		try {
			await this.submit({ kind: 'admit-bet', betId });
			return true;
		} catch (error) {
			const again = ['MARKET_SUSPENDED', 'OVERLOADED', 'DEADLINE_PASSED'];
			return !(error instanceof Refused && again.includes(error.code));
		}
	}

	/**
	 * Applies a command and resolves when it is durable. A command that is not applied by its deadline never is; of one
	 * whose batch is on its way then, the caller is told that its outcome is unknown. Without a deadline the outcome is
	 * waited for.
	 * @throws Refused
	 */
	async submit(request: Request, key?: RequestKey, terms: SubmitTerms = {}): Promise<Receipt> {
		const submission: Submission = { request, key, untilMs: Number.POSITIVE_INFINITY, ...terms };
		const once = OnceOnly.namesOf(request);
		if (once.length > 0)
			return await this.#options.onceOnly.inTurn(once, async () => await this.#decide(submission, true));
		if (!key) return await this.#decide(submission, false);
		const { walletId } = key;
		const asking = this.#asking.get(walletId) ?? 0;
		if (asking >= MOST_OF_ONE_PLAYER) throw new Refused('THROTTLED');
		this.#asking.set(walletId, asking + 1);
		try {
			return await this.#decide(submission, false);
		} finally {
			const others = (this.#asking.get(walletId) ?? 1) - 1;
			if (others > 0) this.#asking.set(walletId, others);
			else this.#asking.delete(walletId);
		}
	}

	/** The answer of an earlier command under this key, or null. @throws Refused REQUEST_ID_REUSED */
	async earlier(key: RequestKey, untilMs = Number.POSITIVE_INFINITY): Promise<Receipt | null> {
		const { requests } = this.#options;
		if (!requests.isSure(key)) await this.#lookUp(key, untilMs);
		const known = requests.find(key);
		return known && (await before(known, untilMs, 'OUTCOME_UNKNOWN'));
	}

	/**
	 * Waits until the command may be applied, which may be several times, and applies it. After every wait everything is
	 * looked at anew: the same request may have been accepted meanwhile, and the sequencer may have been closed.
	 * @param onceOnly the tables are asked whether it was done
	 */
	async #decide(submission: Submission, onceOnly: boolean): Promise<Receipt> {
		const { request, key, untilMs } = submission;
		const { requests, onceOnly: once, workflows } = this.#options;
		const applyUntilMs = Math.min(untilMs - LEAST_LEFT_MS, performance.now() + APPLY_TIMEOUT_MS);
		let isInTables = true;
		for (let unchecked = onceOnly; ; ) {
			const unsure = key !== undefined && !requests.isSure(key);
			if (key && unsure && !this.#closed) await this.#lookUp(key, applyUntilMs);
			const earlier = key ? requests.find(key) : null;
			if (earlier) return await before(earlier, untilMs, 'OUTCOME_UNKNOWN');
			if (this.#closed) throw new Refused(this.#closed);
			if (this.#queued + this.#held.size >= LONGEST_QUEUE) throw new Refused('OVERLOADED');
			const toRecall: number | null = isInTables ? this.#marketToRecall(request) : null;
			const toRead = workflows.missing(request);
			if (this.#isStalled()) await this.#hold(applyUntilMs);
			else if (toRead) await before(workflows.read(toRead), applyUntilMs, 'DEADLINE_PASSED');
			else if (toRecall !== null) {
				isInTables = await before(this.#recall(toRecall), applyUntilMs, 'DEADLINE_PASSED');
			} else if (unchecked) {
				await before(once.check(request), applyUntilMs, 'DEADLINE_PASSED');
				unchecked = false;
			} else if (performance.now() > applyUntilMs) throw new Refused('DEADLINE_PASSED');
			else break;
		}
		return await before(this.#accept(submission), untilMs, 'OUTCOME_UNKNOWN');
	}

	#lookUp(key: RequestKey, untilMs: number): Promise<void> {
		return before(this.#options.requests.lookUp(key), untilMs, 'DEADLINE_PASSED');
	}

	#isStalled(): boolean {
		return this.#sent !== null && performance.now() - this.#sent.atMs > STALLED_AFTER_MS;
	}

	/** Until the batch on its way is written, or given up. */
	async #hold(untilMs: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#held.add(resolve);
		try {
			await before(promise, untilMs, 'DEADLINE_PASSED');
		} finally {
			this.#held.delete(resolve);
		}
	}

	#wakeHeld(): void {
		for (const wake of this.#held) wake();
	}

	/** Applies a command now. The promise settles with its batch. @throws Refused at once */
	#accept({ request, key, untilMs, admit }: Submission): Promise<Receipt> {
		this.#holdSilent(request);
		admit?.(this.#openBetsBeside(request));
		const atMs = this.#options.clock();
		if (key && isTooOld(key.clientRequestId, atMs)) throw new Refused('REQUEST_TOO_OLD');
		const { command, changes } = this.#stamp(request, atMs);
		const outcome = this.#apply(command);
		if (!outcome.ok) throw new Refused(outcome.code, outcome.details);
		if (command.kind === 'open-market') this.#options.leases.begin(command.marketId, command.feedLeaseMs ?? 0);
		const receipt = this.#doneOf(command, outcome);
		if (changes) {
			this.#open.stepped(changes);
			receipt.workflows = this.#options.workflows.ordered(changes);
		}
		for (const { betId, dueAtMs } of [receipt, ...(receipt.hedges ?? [])]) {
			if (betId !== null && dueAtMs !== null) this.#delayed.schedule(betId, dueAtMs);
		}
		const answer = new Promise<Receipt>((resolve, reject) => {
			this.#waiting.push({ receipt, untilMs, resolve, reject });
		});
		// A repetition of a cancellation that found nothing may as well be judged anew.
		const changedNothing = command.kind === 'cancel-all' && receipt.cancelled === 0;
		if (key && !changedNothing) this.#remember(key, receipt, answer);
		this.#queued++;
		this.#writing ??= this.#write();
		return answer;
	}

	isOpen(): boolean {
		return this.#closed === null;
	}

	walletsWithUnmatchedBets(): Set<number> {
		const waiting = new Set<number>();
		for (const { walletId, remaining } of this.#options.bets.values()) if (remaining > 0) waiting.add(walletId);
		return waiting;
	}

	/** The bets a wallet has, without the one that a new one takes the place of. */
	#openBetsBeside(request: Request): number {
		const open = 'walletId' in request && request.walletId !== undefined ? this.#openBets.of(request.walletId) : 0;
		if (request.kind !== 'replace-bet') return open;
		const replaced = this.#options.bets.get(request.betId);
		return replaced?.walletId === request.walletId && replaced.matched === 0 ? open - 1 : open;
	}

	/** Brings back a forgotten market, if the tables have it. @throws Refused DEADLINE_PASSED when the database is away */
	async recall(marketId: number): Promise<void> {
		if (this.#holdsMarket(marketId)) return;
		await before(this.#recall(marketId), performance.now() + APPLY_TIMEOUT_MS, 'DEADLINE_PASSED');
	}

	/**
	 * The market to read from the tables before the command is applied. Players bet only on listed markets, which the
	 * engine holds, so their bets cause no look-up. They wait for one that is under way, so commands on a market keep their
	 * order.
	 */
	#marketToRecall(request: Request): number | null {
		const marketId = 'marketId' in request ? request.marketId : undefined;
		if (marketId === undefined || this.#holdsMarket(marketId)) return null;
		const mayBeForgotten = request.kind !== 'place-bet' && request.kind !== 'cancel-all';
		return mayBeForgotten || this.#recalls.has(marketId) ? marketId : null;
	}

	/** What the views hold the engine holds, and they answer without building a view. */
	#holdsMarket(marketId: number): boolean {
		const { engine, views } = this.#options;
		return views.market(marketId) !== null || engine.market(marketId) !== null;
	}

	#recall(marketId: number): Promise<boolean> {
		const recall = this.#recalls.get(marketId) ?? this.#restoreMarket(marketId);
		this.#recalls.set(marketId, recall);
		return recall;
	}

	async #restoreMarket(marketId: number): Promise<boolean> {
		const { engine, views, storedMarket } = this.#options;
		try {
			const stored = await retryFaults(() => storedMarket(marketId));
			if (stored && !engine.market(marketId)) {
				engine.restoreMarket(stored.market, stored.traded);
				views.setMarket(stored.market);
			}
			return stored !== null;
		} finally {
			this.#recalls.delete(marketId);
		}
	}

	/** Lets go of paid markets, between two batches: none of those under way may speak of them. */
	forget(marketIds: readonly number[]): void {
		this.#toForget = marketIds;
		if (!this.#writing) this.#forgetMarkets();
	}

	#forgetMarkets(): void {
		const { engine, views } = this.#options;
		for (const marketId of this.#toForget) {
			if (this.#open.concerns(marketId)) continue;
			engine.forgetMarket(marketId);
			if (!engine.market(marketId)) views.forgetMarket(marketId);
		}
		this.#toForget = [];
	}

	/** Takes nothing more, writes what was applied, resolves when that is durable. */
	async drain(): Promise<void> {
		this.#closed ??= 'DRAINING';
		this.#stopTimers();
		this.#wakeHeld();
		await this.#writing;
	}

	#stopTimers(): void {
		this.#delayed.stop();
		clearInterval(this.#leaseCheck);
	}

	/** Suspends the markets whose feeds have fallen silent. What is refused now is repeated at the next look. */
	#suspendSilent(): void {
		if (this.#closed || this.#isStalled()) return;
		const marketIds = this.#options.leases.runOut().filter((marketId) => this.#isTrading(marketId));
		if (marketIds.length === 0) return;
		this.#options.log.warn({ marketIds }, 'the feed of these markets shows no life; they are suspended');
		for (const marketId of marketIds) this.#suspend(marketId);
	}

	/** Not suspended; a market that is over needs no lease any more. */
	#isTrading(marketId: number): boolean {
		const status = this.#options.engine.market(marketId)?.status;
		if (status === 'OPEN' || status === 'BALL_RUNNING') return true;
		if (status !== 'SUSPENDED') this.#options.leases.end(marketId);
		return false;
	}

	/** In the same turn of the loop: nothing else is applied to the market before. */
	#suspend(marketId: number): void {
		const request: Request = { kind: 'suspend-market', marketId, lapseUnmatched: false, byFeed: true };
		try {
			this.#accept({ request, key: undefined, untilMs: Number.POSITIVE_INFINITY }).catch(() => undefined);
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
		}
	}

	/**
	 * Before anything else happens to a market whose lease has run out, the market is suspended, in the same turn. So no
	 * bet is matched between the end of the lease and the next look at the leases, and a bet in its delay lapses.
	 * @throws Refused MARKET_SUSPENDED when the market is to be resumed: nothing in it can be believed
	 */
	#holdSilent(request: Request): void {
		if (request.kind === 'suspend-market' || request.kind === 'open-market') return;
		const marketId = this.#marketOf(request);
		if (marketId === undefined || !this.#options.leases.hasRunOut(marketId)) return;
		if (request.kind === 'resume-market') throw new Refused('MARKET_SUSPENDED');
		if (this.#isTrading(marketId)) this.#suspend(marketId);
	}

	#marketOf(request: Request): number | undefined {
		if ('marketId' in request) return request.marketId;
		return 'betId' in request ? this.#options.bets.get(request.betId)?.marketId : undefined;
	}

	/** With a transfer come the steps that it makes. @throws Refused WRONG_STATE */
	#stamp(request: Request, atMs: number): { command: Command; changes?: PlannedTransfer['changes'] } {
		const { engine, workflows } = this.#options;
		const { lastBetId, lastCommand } = engine.counters();
		const betId = lastBetId + 1;
		switch (request.kind) {
			case 'place-bet':
			case 'cash-out':
			case 'reach-cash-out-target':
				return { command: { ...request, atMs, betId } };
			case 'replace-bet':
				return { command: { ...request, atMs, newBetId: betId } };
			case 'transfer':
				return workflows.plan(request, atMs, lastCommand + 1);
			default:
				return { command: { ...request, atMs } };
		}
	}

	/** @throws Refused when the engine broke, even by the suspension that came before this command */
	#apply(command: Command): Outcome {
		if (this.#closed) throw new Refused(this.#closed);
		this.#open.begin(command.atMs);
		try {
			return this.#options.engine.apply(command, this.#open);
		} catch (error) {
			this.#fail(error as Error);
			throw new Refused('INTERNAL');
		}
	}

	#doneOf(command: Command, outcome: Outcome & { ok: true }): Receipt {
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

	#remember(key: RequestKey, receipt: Receipt, answer: Promise<Receipt>): void {
		const bodyHash = bodyHashOf(key.body);
		this.#options.requests.remember(key.walletId, key.clientRequestId, bodyHash, answer);
		this.#open.requests.push({
			walletId: key.walletId,
			clientRequestId: key.clientRequestId,
			bodyHash,
			answer: receipt,
		});
	}

	/** Writes batch after batch until nothing waits. */
	async #write(): Promise<void> {
		// Commands submitted in the same turn of the loop share the first batch.
		await new Promise((resume) => setImmediate(resume));
		while (this.#waiting.length > 0 && !this.#failed) {
			try {
				await this.#commit();
			} catch (error) {
				this.#fail(error as Error);
			}
		}
		this.#writing = null;
	}

	async #commit(): Promise<void> {
		const { engine, views, committer, onCommitted, log, bets } = this.#options;
		this.#forgetMarkets();
		const batch = this.#open;
		const waiting = this.#waiting;
		this.#open = new Batch(bets, this.#openBets);
		this.#waiting = [];
		const atMs = performance.now();
		this.#sent = { batchSeq: committer.batchSeq + 1, waiting, atMs };
		const rows = batch.seal(engine);
		await committer.commit(rows, deadlineOf(waiting, atMs));
		// `settle` answers its callers after the ledger was read.
		if (this.#failed) return;
		const committed = views.apply(committer.batchSeq, rows);
		this.#options.workflows.written(rows.workflowSteps);
		this.#sent = null;
		this.#queued -= waiting.length;
		for (const { resolve, receipt } of waiting) resolve(receipt);
		this.#wakeHeld();
		try {
			onCommitted(committed);
		} catch (error) {
			log.error({ err: error }, 'the publisher failed; the batch stands');
		}
	}

	/**
	 * The engine is ahead of the tables and cannot go back: nothing more is taken. What was never sent is refused for
	 * certain; the callers of the batch on its way wait for `settle`.
	 */
	#fail(error: Error): void {
		if (this.#failed) return;
		this.#failed = true;
		this.#closed = error instanceof Deposed ? 'DRAINING' : 'STARTING';
		this.#stopTimers();
		for (const { reject } of this.#waiting) reject(new Refused(this.#closed));
		this.#waiting = [];
		this.#wakeHeld();
		this.#options.onFailed(error);
	}

	/**
	 * After a failure: how far the ledger is now that this sequencer can write no more. The callers of the batch that was
	 * on its way are answered or refused for certain.
	 * @param ledgerBatch the last batch in the ledger; null when that cannot be found out
	 */
	settle(ledgerBatch: number | null): void {
		const sent = this.#sent;
		this.#sent = null;
		for (const { resolve, reject, receipt } of sent?.waiting ?? []) {
			if (ledgerBatch === null) reject(new Refused('OUTCOME_UNKNOWN'));
			else if (ledgerBatch >= (sent?.batchSeq ?? 0)) resolve(receipt);
			else reject(new Refused(this.#closed ?? 'STARTING'));
		}
	}
}

/** Until when a batch may be written: no command becomes durable after its caller's deadline. */
const deadlineOf = (waiting: readonly Waiting[], nowMs: number): number =>
	waiting.reduce((earliest, { untilMs }) => Math.min(earliest, untilMs), nowMs + BATCH_TIMEOUT_MS);
