/**
 * Puts commands in order: each is applied to the engine at once and joins the open batch, which the batch writer makes
 * durable before its callers are answered. While a batch takes unusually long, commands wait unapplied, so that they can
 * still be refused definitely when their deadline passes.
 */
import type { Command } from '#engine/command.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { Outcome } from '#engine/outcome.ts';
import type {
	BetReferences,
	ExchangeFigures,
	OrderedWallet,
	Receipt,
	Request,
	RequestKey,
	SubmitTerms,
} from '#server/exchange/exchange.ts';
import { BatchWriter, type Closed } from '#server/exchange/ledger/batch-writer.ts';
import { HEARTBEAT_MS } from '#server/exchange/ledger/committer.ts';
import { CancelWalks, isWalk, type WalkRequest } from '#server/exchange/order/cancel-walks.ts';
import { before, Deadlines } from '#server/exchange/order/deadline.ts';
import { DelayedBets } from '#server/exchange/order/delayed-bets.ts';
import { ExpiryWatch } from '#server/exchange/order/expiry-watch.ts';
import { LeaseWatch } from '#server/exchange/order/lease-watch.ts';
import { MarketMemory } from '#server/exchange/order/market-memory.ts';
import { beginsWalk, concernsAllBets, MarketWalks, type TakenStep } from '#server/exchange/order/market-walks.ts';
import { OnceOnly } from '#server/exchange/order/once-only.ts';
import { nothingDone, receiptOf } from '#server/exchange/order/receipt.ts';
import { bodyHashOf, isTooOld } from '#server/exchange/order/request-memory.ts';
import type { SequencerOptions } from '#server/exchange/order/sequencer-options.ts';
import { TriggerLooks } from '#server/exchange/order/trigger-looks.ts';
import type { Workflow, WorkflowRef } from '#server/exchange/order/workflow.ts';
import type { PlannedTransfer } from '#server/exchange/order/workflows.ts';
import type { RootMaker } from '#server/platform/public-log/receipt-root.ts';
import { Counts } from '#values/counts.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import { HOME_POOLS } from '#values/pools.ts';

/** Limit on commands that are not durable yet or wait to be applied. Those beyond it are rejected with OVERLOADED. */
const LONGEST_QUEUE = 20_000;
/** Limit on unanswered requests of one player. */
const MOST_OF_ONE_PLAYER = 250;
/** A command is applied only with at least this much left to its deadline, so that its batch has time to be written. */
export const LEAST_LEFT_MS = 1_000;
/** How long a command without a deadline, from a feed or an operator, waits to be applied. */
const APPLY_TIMEOUT_MS = 30_000;
/** A step of a settlement that was refused, because too much waits, is taken again after a batch or this long. */
const STEP_AGAIN_MS = 100;

/**
 * Commands that only keep bets out. They wait for no batch and no queue, so bets that wait cannot come before them; they
 * have no deadline by which they would have to be refused definitely.
 */
const SUSPENSIONS: ReadonlySet<Request['kind']> = new Set(['suspend-market', 'suspend-runner']);

interface Submission extends SubmitTerms {
	request: Request;
	key: RequestKey | undefined;
	/** Infinity without a deadline. */
	untilMs: number;
	/** Stake that the steps of a walk before this one cancelled, minor units. */
	cancelledBefore?: number;
	/** Called when the command was applied, with how long it took in the engine, milliseconds. */
	onApplied?: (tookMs: number) => void;
}

export class Sequencer {
	readonly #options: SequencerOptions;
	readonly #writer: BatchWriter;
	readonly #markets: MarketMemory;
	readonly #leaseWatch: LeaseWatch;
	readonly #delayed: DelayedBets;
	readonly #expiries: ExpiryWatch;
	readonly #heartbeat: NodeJS.Timeout | undefined;
	/** Requests in progress, by player. */
	readonly #inProgress = new Counts<WalletId>();
	readonly #triggerLooks: TriggerLooks;
	readonly #cancelWalks: CancelWalks;
	readonly #marketWalks: MarketWalks;
	/** Of commands that were applied. */
	readonly #deadlines = new Deadlines('OUTCOME_UNKNOWN');
	#closed: Closed | null = null;
	/** Settles when commands wait no longer for a hand-over; null while they do not. */
	#held: PromiseWithResolvers<void> | null = null;

	constructor(options: SequencerOptions) {
		this.#options = options;
		const { followers, engine, bets, views } = options;
		this.#cancelWalks = new CancelWalks(engine, bets);
		this.#triggerLooks = new TriggerLooks(options);
		this.#markets = new MarketMemory({ ...options, onInput: (input) => this.#writer.open.took(input) });
		this.#writer = new BatchWriter({
			...options,
			keepsInputs: Boolean(followers),
			onSealing: (batch, onTheirWay) => {
				this.#triggerLooks.look(batch);
				this.#markets.release([batch, ...onTheirWay]);
				followers?.sealing(batch, engine, bets);
			},
			// A standby joins between two batches; and what waits behind a slow one is old when it is confirmed.
			mayFollow: () => !followers || (!followers.isAsked && options.committer.isFresh()),
			onSealed: () => this.#fireTriggers(),
			betweenBatches: (batchSeq) => {
				if (followers?.isWithdrawing) this.#writer.writeNext(nothingDone(this.#options.clock()));
				return followers?.written(batchSeq, () => views.settledMarkets()) ?? null;
			},
			onDurable: ({ workflowSteps }) => options.workflows.written(workflowSteps),
			onWritten: (batch) => {
				this.#marketWalks.written(batch);
				options.onWritten?.(batch.tookMs);
			},
			onFailed: (error, closed) => this.#close(error, closed),
		});
		this.#delayed = new DelayedBets(options.clock, (betId) => this.#admit(betId));
		for (const { betId, dueAtMs } of options.engine.pendingBets()) this.#delayed.schedule(betId, dueAtMs);
		this.#expiries = new ExpiryWatch({ ...options, expire: () => this.#submitDue({ kind: 'expire-bets' }) });
		this.#expiries.schedule();
		for (const { marketId, feedLeaseMs } of options.views.markets()) options.leases.adopt(marketId, feedLeaseMs);
		this.#marketWalks = new MarketWalks({
			engine,
			betsAStep: options.betsAStep,
			nothingDone: () => nothingDone(this.#options.clock()),
			onUneven: options.onUneven,
			take: (step, bets) => this.#takeStep(step, bets),
			settledWallets: options.settledWallets,
			waiting: () => this.#writer.backlog,
			pause: () => this.#writer.waitForBatch(performance.now() + STEP_AGAIN_MS).catch(() => undefined),
		});
		for (const { marketId, status, changing } of options.views.markets())
			if (status === 'SETTLING' || changing) this.#marketWalks.begin(marketId);
		this.#leaseWatch = new LeaseWatch({
			...options,
			suspend: (marketId) => this.#suspend(marketId),
			isPaused: () => this.#closed !== null || this.#held !== null || this.#writer.isStalled(),
		});
		this.#leaseWatch.start();
		// Those that were due when the exchange ended.
		setImmediate(() => this.#fireTriggers());
		if (!followers) return;
		options.pulse?.beat();
		this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS / 4).unref();
	}

	/** Standbys take silence for death. A batch is a sign of life, and shows that what is in memory is current. */
	#beat(): void {
		if (this.#closed) return;
		if (!this.#writer.isStalled()) this.#options.pulse?.beat();
		if (this.#held || !this.#options.committer.isSilent()) return;
		this.#writer.beat(nothingDone(this.#options.clock()));
	}

	/** Admits a bet whose delay has ended. */
	#admit(betId: BetId): Promise<boolean> {
		return this.#submitDue({ kind: 'admit-bet', betId });
	}

	/** Places the bets of triggers that are due, first in the open batch. What is due when the exchange is held or ends stays due. */
	#fireTriggers(): void {
		if (this.#closed || this.#held || !this.#options.engine.hasTriggersToFire()) return;
		this.#leaseWatch.beforeTriggers();
		this.#applyOwn({ kind: 'fire-triggers' });
	}

	/** A command that is due by the clock. Resolves to false when it must be repeated. */
	async #submitDue(request: Request): Promise<boolean> {
		try {
			await this.submit(request);
			return true;
		} catch (error) {
			const again = ['MARKET_SUSPENDED', 'OVERLOADED', 'DEADLINE_PASSED'];
			return !(error instanceof Refused && again.includes(error.code));
		}
	}

	/**
	 * Applies a command and resolves when it is durable. A command that is not applied by its deadline never will be.
	 * When the deadline passes while the batch is on its way, the command is rejected with OUTCOME_UNKNOWN. Without a
	 * deadline it waits for the outcome.
	 * @throws Refused
	 */
	async submit(request: Request, key?: RequestKey, terms: SubmitTerms = {}): Promise<Receipt> {
		const { pools = HOME_POOLS } = this.#options;
		// A bet names a wallet, and no wallet of another pool is here.
		if ('pool' in request && !pools.includes(request.pool)) throw new Refused('OTHER_POOL');
		const submission: Submission = { request, key, untilMs: Number.POSITIVE_INFINITY, ...terms };
		if (concernsAllBets(request)) {
			if (SUSPENSIONS.has(request.kind) && this.#marketWalks.change(request)) await this.#suspendFirst(submission);
			return await this.#marketWalks.act(request, submission.untilMs, (now) =>
				this.#decideOnce({ ...submission, request: now }),
			);
		}
		const decide = () =>
			isWalk(request) && this.#cancelWalks.isLong(request)
				? this.#cancelInSteps(submission, request)
				: this.#decideOnce(submission);
		if (!key) return await decide();
		const { walletId } = key;
		if (this.#inProgress.of(walletId) >= MOST_OF_ONE_PLAYER) throw new Refused('THROTTLED');
		this.#inProgress.add(walletId);
		try {
			return await decide();
		} finally {
			this.#inProgress.remove(walletId);
		}
	}

	/** See `Exchange.submitTogether`. */
	async submitTogether(requests: readonly Request[]): Promise<PromiseSettledResult<Receipt>[]> {
		const untilMs = performance.now() + APPLY_TIMEOUT_MS;
		for (let held = this.#holdsUp(requests, untilMs); held; held = this.#holdsUp(requests, untilMs))
			await before(held, untilMs, 'DEADLINE_PASSED');
		if (this.#writer.backlog + requests.length > LONGEST_QUEUE) throw new Refused('OVERLOADED');
		// Nothing holds them up, so each is applied, or refused, within its call.
		return await Promise.allSettled(requests.map((request) => this.submit(request)));
	}

	/** What one of the commands waits for; null when all can be applied now, or are refused now because this has closed. */
	#holdsUp(requests: readonly Request[], untilMs: number): Promise<unknown> | null {
		if (this.#closed) return null;
		if (this.#held) return this.#held.promise;
		if (this.#writer.isStalled()) return this.#writer.waitForBatch(untilMs);
		for (const request of requests) {
			const change = this.#marketWalks.change(request);
			if (change) return change;
		}
		return null;
	}

	/** See `Exchange.quotesStand`. */
	quotesStand(marketId: MarketId, doStand: boolean): void {
		this.#triggerLooks.quotesStand(marketId, doStand);
	}

	/** What may be done once takes its turn, and is looked up in the tables. */
	#decideOnce(submission: Submission): Promise<Receipt> {
		const once = OnceOnly.namesOf(submission.request);
		if (once.length === 0) return this.#decide(submission, false);
		return this.#options.onceOnly.inTurn(once, async () => await this.#decide(submission, true));
	}

	/** Bets are kept out at once, though what is unmatched can lapse only when the market's bets are changed. */
	async #suspendFirst(submission: Submission): Promise<void> {
		const { request } = submission;
		if (request.kind !== 'suspend-market') return;
		await this.#decide({ ...submission, request: { ...request, lapseUnmatched: false } }, false);
	}

	/** Resolves when the step's batch is on its way. */
	async #takeStep(request: Request, bets: number): Promise<TakenStep> {
		const { promise: sent, resolve } = Promise.withResolvers<void>();
		const onApplied = (tookMs: number) => {
			this.#writer.open.step = { bets, tookMs };
			void this.#writer.sealed().then(resolve);
		};
		const step = { request, key: undefined, untilMs: Number.POSITIVE_INFINITY, onApplied };
		const durable = this.#decide(step, false);
		await Promise.race([sent, durable]);
		// The walk hears of a failure by its next step, or at its end.
		durable.catch(() => undefined);
		return { durable };
	}

	/** See `Exchange.settled`. */
	async settled(marketId: MarketId): Promise<void> {
		await this.#marketWalks.ended(marketId);
	}

	/** A walk's request is remembered with its last step. */
	async #cancelInSteps(submission: Submission, request: WalkRequest): Promise<Receipt> {
		const { key, untilMs } = submission;
		const isDecided = async () =>
			this.#closed !== null ||
			(key !== undefined &&
				((await this.earlier(key, untilMs)) !== null || isTooOld(key.clientRequestId, this.#options.clock())));
		return await this.#cancelWalks.take(request, untilMs, isDecided, (step) =>
			this.#decide({ ...submission, ...step, key: step.isLast ? key : undefined }, false),
		);
	}

	/** The answer of an earlier command under this key, or null. @throws Refused REQUEST_ID_REUSED */
	async earlier(key: RequestKey, untilMs = Number.POSITIVE_INFINITY): Promise<Receipt | null> {
		const { requests } = this.#options;
		if (!requests.isSure(key)) await before(requests.lookUp(key), untilMs, 'DEADLINE_PASSED');
		const known = requests.find(key);
		return known && (await before(known, untilMs, 'OUTCOME_UNKNOWN'));
	}

	/**
	 * Waits until the command may be applied, and applies it. Every wait is followed by all checks again: the same request may
	 * have been accepted meanwhile, and the sequencer may have been closed.
	 * @param onceOnly the tables are asked whether the command was done before
	 */
	async #decide(submission: Submission, onceOnly: boolean): Promise<Receipt> {
		const { request, key, untilMs } = submission;
		const { requests, onceOnly: once, workflows } = this.#options;
		const applyUntilMs = Math.min(untilMs - LEAST_LEFT_MS, performance.now() + APPLY_TIMEOUT_MS);
		const isSuspension = SUSPENSIONS.has(request.kind);
		let isInTables = true;
		for (let unchecked = onceOnly; ; ) {
			const unsure = key !== undefined && !requests.isSure(key);
			if (key && unsure && !this.#closed) await before(requests.lookUp(key), applyUntilMs, 'DEADLINE_PASSED');
			const earlier = key ? requests.find(key) : null;
			if (earlier) return await before(earlier, untilMs, 'OUTCOME_UNKNOWN');
			if (this.#closed) throw new Refused(this.#closed);
			if (!isSuspension && this.#writer.backlog >= LONGEST_QUEUE) throw new Refused('OVERLOADED');
			const toRecall: number | null = isInTables ? this.#markets.missingFor(request) : null;
			const toRead = workflows.missing(request);
			const change = this.#marketWalks.change(request);
			if (this.#held) await before(this.#held.promise, applyUntilMs, 'DEADLINE_PASSED');
			else if (!isSuspension && this.#writer.isStalled()) await this.#writer.waitForBatch(applyUntilMs);
			else if (change) await before(change, applyUntilMs, 'DEADLINE_PASSED');
			else if (toRead) await before(workflows.read(toRead), applyUntilMs, 'DEADLINE_PASSED');
			else if (toRecall !== null) {
				isInTables = await before(this.#markets.recall(toRecall), applyUntilMs, 'DEADLINE_PASSED');
			} else if (unchecked) {
				await before(once.check(request), applyUntilMs, 'DEADLINE_PASSED');
				unchecked = false;
			} else if (performance.now() > applyUntilMs) throw new Refused('DEADLINE_PASSED');
			else break;
		}
		return await this.#accepted(submission);
	}

	/**
	 * Applies a command, and resolves when it is durable. A refusal depends on what is applied as well, such as a match that
	 * a cancellation comes too late for: it is given when that is durable, so that no crash takes its reason back.
	 * @throws Refused also STARTING or DRAINING, when what a refusal depends on is lost
	 */
	#accepted(submission: Submission): Promise<Receipt> {
		const { untilMs } = submission;
		try {
			return this.#deadlines.before(this.#accept(submission), untilMs);
		} catch (error) {
			return this.#refused(error, untilMs);
		}
	}

	async #refused(refusal: unknown, untilMs: number): Promise<never> {
		const applied = this.#writer.appliedSoFar(nothingDone(this.#options.clock()));
		const durable = applied?.catch(() => {
			throw new Refused(this.#closed ?? 'STARTING');
		});
		if (durable) await before(durable, untilMs, 'DEADLINE_PASSED');
		throw refusal;
	}

	/**
	 * Applies a command now. The promise settles with its batch.
	 * @param stampMs of a command that comes right before another one
	 * @throws Refused at once
	 */
	#accept(submission: Submission, stampMs?: number): Promise<Receipt> {
		const { request, key, untilMs, admit, references, requestId, trace, cancelledBefore = 0, onApplied } = submission;
		this.#leaseWatch.beforeCommand(request.kind, this.#marketOf(request));
		const atMs = stampMs ?? this.#options.clock();
		// Each command lapses some hundred.
		while (request.kind !== 'expire-bets' && this.#closed === null && this.#expiries.isDue(atMs))
			this.#applyOwn({ kind: 'expire-bets' }, atMs);
		admit?.(this.#openBetsBeside(request), (walletId) => this.#ordered(walletId));
		if (key && isTooOld(key.clientRequestId, atMs)) throw new Refused('REQUEST_TOO_OLD');
		const { command, changes } = this.#stamp(request, atMs);
		const fromMs = onApplied ? performance.now() : 0;
		const outcome = this.#apply(command);
		if (!outcome.ok) throw new Refused(outcome.code, outcome.details);
		onApplied?.(performance.now() - fromMs);
		this.#expiries.schedule();
		if (command.kind === 'open-market') this.#options.leases.begin(command.marketId, command.feedLeaseMs ?? 0);
		const receipt = receiptOf(command, outcome, this.#options.engine);
		receipt.cancelled += cancelledBefore;
		if (references && receipt.betId !== null) this.#name(receipt.betId, references);
		if (changes) {
			this.#writer.open.stepped(changes);
			receipt.workflows = this.#options.workflows.ordered(changes);
		}
		this.#delay(receipt);
		if (receipt.hedges) for (const hedge of receipt.hedges) this.#delay(hedge);
		if (outcome.triggered) for (const bet of outcome.triggered) this.#delay(bet);
		const answer = this.#writer.answerWhenDurable(receipt, untilMs, requestId, trace);
		if (beginsWalk(command)) this.#marketWalks.begin(command.marketId, answer);
		// A repeated cancellation that found nothing to cancel is applied again.
		const changedNothing = command.kind === 'cancel-all' && receipt.cancelled === 0;
		if (key && !changedNothing) this.#remember(key, receipt, answer);
		return answer;
	}

	/** Schedules a bet for the end of its delay, if it has one. */
	#delay({ betId, dueAtMs }: Pick<Receipt, 'betId' | 'dueAtMs'>): void {
		if (betId !== null && dueAtMs !== null) this.#delayed.schedule(betId, dueAtMs);
	}

	/** See `Exchange.isFresh`. */
	isFresh(): boolean {
		const { committer, followers } = this.#options;
		return !followers || (!this.#closed && committer.isFresh());
	}

	/** See `Exchange.fresh`. */
	fresh(untilMs: number): Promise<void> | null {
		return this.isFresh() ? null : this.#refreshed(untilMs);
	}

	async #refreshed(untilMs: number): Promise<void> {
		while (!this.#closed && !this.#options.committer.isFresh()) await this.#writer.waitForBatch(untilMs);
		if (this.#closed) throw new Refused(this.#closed);
	}

	isOpen(): boolean {
		return this.#closed === null;
	}

	/** See `Exchange.durableBatch`. */
	durableBatch(): number {
		return this.#writer.durableSeq;
	}

	figures(): Omit<ExchangeFigures, 'feedLeases'> {
		const { committer, views, bets } = this.#options;
		const { batchSeq: batch, writtenSeq: writtenBatch } = committer;
		const inMemory = { markets: views.marketCount, bets: bets.size };
		const unevenMarkets = this.#marketWalks.unevenMarkets();
		return { backlog: this.#writer.backlog, batch, writtenBatch, ...inMemory, unevenMarkets };
	}

	/** A durable workflow in memory; null when the tables have to be asked. */
	workflow<Kind extends TransferKind>(named: WorkflowRef<Kind>): Workflow<Kind> | null {
		return this.#closed === null ? this.#options.workflows.durable(named) : null;
	}

	walletsWithUnmatchedBets(isMeant: (walletId: WalletId) => boolean): Set<WalletId> {
		const { bets, views, engine } = this.#options;
		const waiting = bets.walletsWithRests(isMeant, (marketId) => views.market(marketId)?.status !== 'SETTLING');
		for (const walletId of engine.walletsWithTriggers()) if (isMeant(walletId)) waiting.add(walletId);
		return waiting;
	}

	#ordered(walletId: WalletId): OrderedWallet {
		const { workflows, engine } = this.#options;
		return {
			exposure: (engine.wallet(walletId)?.exposure ?? 0) + engine.lacked(walletId),
			undurable: this.#writer.undurable(walletId),
			openGames: workflows.openGames(walletId),
			exposureWith: (marketId, bets) => engine.exposureWith(walletId, marketId, bets),
		};
	}

	/** The number of the wallet's bets, without a bet that is updated, or that the new one replaces. */
	#openBetsBeside(request: Request): number {
		const open =
			'walletId' in request && request.walletId !== undefined ? this.#options.bets.countOf(request.walletId) : 0;
		if (request.kind !== 'replace-bet' && request.kind !== 'update-bet') return open;
		const replaced = this.#options.bets.get(request.betId);
		const endsWhole = request.kind === 'update-bet' || replaced?.matched === 0;
		return replaced?.walletId === request.walletId && endsWhole ? open - 1 : open;
	}

	/**
	 * Brings a market back into memory, if the tables have it.
	 * @throws Refused DEADLINE_PASSED when the database is away
	 */
	async recall(marketId: MarketId): Promise<void> {
		if (this.#markets.holds(marketId)) return;
		await before(this.#markets.recall(marketId), performance.now() + APPLY_TIMEOUT_MS, 'DEADLINE_PASSED');
	}

	/** See `Exchange.writeReceiptRoot`. */
	async writeReceiptRoot(make: RootMaker): Promise<void> {
		while (this.#held) await this.#held.promise;
		if (this.#closed) throw new Refused(this.#closed);
		await this.#writer.writeReceiptRoot(make, nothingDone(this.#options.clock()));
	}

	/** Removes settled markets from memory, when no batch that concerns them is on its way. */
	forget(marketIds: readonly MarketId[]): void {
		this.#markets.forget(marketIds);
		if (!this.#writer.isWriting) this.#markets.release([this.#writer.open]);
	}

	/** Lets commands wait, and resolves when everything that was applied is durable. */
	async hold(): Promise<void> {
		this.#held ??= Promise.withResolvers();
		await this.#writer.drain();
	}

	/** The commands that wait go on. */
	resume(): void {
		const held = this.#held;
		this.#held = null;
		held?.resolve();
		this.#fireTriggers();
	}

	/** Takes no more commands, and resolves when everything that was applied is durable. */
	async drain(): Promise<void> {
		this.#closed ??= 'DRAINING';
		this.resume();
		this.#stopTimers();
		this.#writer.wakeWaiting();
		await this.#writer.drain();
	}

	#stopTimers(): void {
		clearInterval(this.#heartbeat);
		this.#delayed.stop();
		this.#expiries.stop();
		this.#leaseWatch.stop();
	}

	/** Suspends in this turn of the event loop. */
	#suspend(marketId: MarketId): void {
		this.#applyOwn({ kind: 'suspend-market', marketId, lapseUnmatched: false, byFeed: true });
	}

	/** Applies a command of the exchange's own, before the next one. */
	#applyOwn(request: Request, atMs?: number): void {
		try {
			this.#accept({ request, key: undefined, untilMs: Number.POSITIVE_INFINITY }, atMs).catch(() => undefined);
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
		}
	}

	#marketOf(request: Request): number | undefined {
		if ('marketId' in request) return request.marketId;
		return 'betId' in request ? this.#options.bets.marketOf(request.betId) : undefined;
	}

	/** Adds time and ids. A transfer also gets the steps that it makes. @throws Refused WRONG_STATE */
	#stamp(request: Request, atMs: number): { command: Command; changes?: PlannedTransfer['changes'] } {
		const { engine, workflows } = this.#options;
		const { lastBetId, lastCommand } = engine.counters();
		const betId = lastBetId + 1;
		switch (request.kind) {
			case 'place-bet':
			case 'take-quotes':
			case 'cash-out':
			case 'reach-cash-out-target':
			case 'fire-triggers':
				return { command: { ...request, atMs, betId } };
			case 'place-trigger':
				return { command: { ...request, atMs, triggerId: betId } };
			case 'replace-bet':
				return { command: { ...request, atMs, newBetId: betId } };
			case 'transfer':
				return workflows.plan(request, atMs, lastCommand + 1);
			default:
				return { command: { ...request, atMs } };
		}
	}

	/** @throws Refused when the engine broke, or broke while suspending the market before this command */
	#apply(command: Command): Outcome {
		if (this.#closed) throw new Refused(this.#closed);
		const { open } = this.#writer;
		open.begin(command.atMs);
		try {
			const outcome = this.#options.engine.apply(command, open);
			if (outcome.ok) open.took(command);
			return outcome;
		} catch (error) {
			this.#writer.fail(error as Error);
			throw new Refused('INTERNAL');
		}
	}

	#name(betId: BetId, references: BetReferences): void {
		const { open } = this.#writer;
		open.named(betId, references);
		open.took({ kind: 'name-bet', betId, ...references });
	}

	#remember(key: RequestKey, receipt: Receipt, answer: Promise<Receipt>): void {
		const { walletId, clientRequestId } = key;
		const bodyHash = bodyHashOf(key.body);
		this.#options.requests.remember(walletId, clientRequestId, bodyHash, answer);
		this.#writer.open.requests.push({ walletId, clientRequestId, bodyHash, answer: receipt });
	}

	#close(error: Error, closed: Closed): void {
		this.#closed = closed;
		// A standby that follows may be sooner than a recovery.
		this.#options.pulse?.mute();
		this.resume();
		this.#stopTimers();
		this.#writer.wakeWaiting();
		this.#options.onFailed(error);
	}

	/**
	 * Called after a failure, when this sequencer can write no more. The callers of the batches that were on their way are
	 * answered, or refused definitely.
	 * @param ledgerBatch the last batch in the ledger; null when it is unknown
	 */
	settle(ledgerBatch: number | null): void {
		this.#writer.settle(ledgerBatch);
	}
}
