/**
 * Opens the exchange: recovers the engine from the tables and starts taking commands. When a batch cannot be written
 * or the engine breaks, the exchange is recovered again, with growing pauses until it succeeds. It stays closed when
 * another server took the lease or the ledger cannot be trusted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { TransferKind, TriggerView } from '#engine/effect.ts';
import type { Engine, MarketView } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type {
	BetRecord,
	Book,
	CashOutTarget,
	Exchange,
	ExchangeFigures,
	ProfitLoss,
	Receipt,
	Request,
	RequestKey,
	SubmitTerms,
	Successor,
	WalletRecord,
} from '#server/exchange/exchange.ts';
import type { TracedBatch } from '#server/exchange/ledger/batch-writer.ts';
import { Committer, Deposed } from '#server/exchange/ledger/committer.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { settledWallets } from '#server/exchange/ledger/paid-settlement.ts';
import { RequestTable } from '#server/exchange/ledger/request-table.ts';
import type { BatchRows, EventRow } from '#server/exchange/order/batch-rows.ts';
import { type ClockSource, ExchangeClock } from '#server/exchange/order/exchange-clock.ts';
import { FeedLeases } from '#server/exchange/order/feed-leases.ts';
import { AT_ONCE } from '#server/exchange/order/market-walks.ts';
import { OnceOnly } from '#server/exchange/order/once-only.ts';
import { RequestMemory } from '#server/exchange/order/request-memory.ts';
import { Sequencer } from '#server/exchange/order/sequencer.ts';
import type { Workflow, WorkflowRef } from '#server/exchange/order/workflow.ts';
import { Workflows } from '#server/exchange/order/workflows.ts';
import {
	type Recovered,
	reclaimLease,
	recover,
	releaseLease,
	succeeding,
	successorOf,
} from '#server/exchange/recovery/recovery.ts';
import { type StoredMarket, storedMarkets } from '#server/exchange/recovery/stored-markets.ts';
import { thoseReadable, workflowsByKey } from '#server/exchange/recovery/stored-workflows.ts';
import { Followers } from '#server/exchange/standby/followers.ts';
import type { Pulse } from '#server/exchange/standby/pulse.ts';
import type { DurableViews } from '#server/exchange/views/durable-views.ts';
import { BackOff, type BackOffLimits, isLogged } from '#server/platform/pacing/back-off.ts';
import { isDatabaseFault, retryFaults } from '#server/platform/postgres/database-fault.ts';
import type { RootMaker } from '#server/platform/public-log/receipt-root.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { HOME_POOLS, type Pool } from '#values/pools.ts';

/** Pauses between two recoveries without a commit between them. */
const BACK_OFF: BackOffLimits = { firstMs: 100, longestMs: 5_000 };
const PRUNE_EVERY_MS = 3_600_000;
/** How long a standby may take to take a released lease. */
const TAKE_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 5;
/** How long a stop waits for a recovery that is under way. */
const RECOVERED_WITHIN_MS = 1_000;

export interface ExchangeOptions {
	/** Connections for look-ups of earlier requests. */
	db: pg.Pool;
	/** Connections for commits and recovery alone, so that nothing else delays them; those of `db` by default. */
	ledger?: pg.Pool;
	log: Logger;
	/** The key that seals the ledger. */
	ledgerKey: string;
	clock?: ClockSource;
	/** The pools that it serves; all by default. */
	pools?: readonly Pool[];
	/** Between two recoveries. */
	backOff?: BackOffLimits;
	onCommitted: CommittedListener;
	/** What a batch tells the systems of brands, which is written with it. */
	eventsOf?: ((rows: BatchRows) => readonly EventRow[]) | undefined;
	/** Called when a batch is durable, with how long it took, milliseconds: from its sealing or the end of the batch before, whichever was later. */
	onWritten?: ((tookMs: number) => void) | undefined;
	/** Called when a batch with traced calls is durable. */
	onTraced?: ((batch: TracedBatch) => void) | undefined;
	/** Markets to load at a start although they have ended. */
	remembered?: () => readonly number[];
	/** What a market's books traded as far as the history of prices knows, which is later than its row in the ledger. */
	traded?: (marketId: MarketId) => StoredMarket['traded'];
	/** Called when the tables brought a market back into memory. */
	onRecalled?: ((marketId: MarketId) => void) | undefined;
	/** Writes the commands of each batch for standbys, and a batch as a heartbeat when nothing happens. */
	commandRows?: boolean;
	/** Where it shows that it comes forward, for the thread that gives signs of life. */
	pulse?: Pulse | undefined;
	/** About how many bets a step of a walk through a market takes; a market with no more is settled, or changed, by one command. */
	betsAStep?: number;
	/** What a standby that took the lease has in memory; read from the tables by default. */
	recovered?: Recovered | undefined;
	/** Called when this process must stop: another server took over, or the ledger cannot be trusted. */
	onStopped?: (error: Error) => void;
}

interface Running {
	sequencer: Sequencer;
	committer: Committer;
	views: DurableViews;
	engine: Engine;
	epoch: number;
}

export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
	const sealer = new LedgerSealer(options.ledgerKey);
	const remembered = options.remembered?.() ?? [];
	const { traded = () => [], commandRows: beats = false, ledger = options.db } = options;
	const recovered = options.recovered ?? (await recover(ledger, sealer, { remembered, traded, beats }));
	const clock = new ExchangeClock(recovered.lastStampMs, options.clock);
	return new RecoveringExchange(options, sealer, clock, recovered);
}

class RecoveringExchange implements Exchange {
	readonly pools: readonly Pool[];
	readonly mostBetsAtOnce: number;
	readonly #options: ExchangeOptions;
	readonly #sealer: LedgerSealer;
	readonly #clock: ExchangeClock;
	/** Leases outlive a recovery, so a rebuilt exchange knows which feeds are alive. */
	readonly #leases: FeedLeases;
	readonly #table: RequestTable;
	readonly #backOff: BackOff;
	/** Null where no standby is configured. */
	readonly #followers: Followers | null;
	readonly #pruning: NodeJS.Timeout;
	readonly #rebuilt = new Set<() => void>();
	#running: Running;
	#drained = false;
	/** Settles when no recovery is under way. */
	#recovering: Promise<void> = Promise.resolve();

	constructor(options: ExchangeOptions, sealer: LedgerSealer, clock: ExchangeClock, recovered: Recovered) {
		this.#options = options;
		this.pools = options.pools ?? HOME_POOLS;
		this.mostBetsAtOnce = options.betsAStep ?? AT_ONCE;
		this.#sealer = sealer;
		this.#clock = clock;
		this.#leases = new FeedLeases(options.clock?.monotonicMs);
		this.#table = new RequestTable(options.db);
		this.#backOff = new BackOff(options.backOff ?? BACK_OFF);
		this.#followers = options.commandRows
			? new Followers({
					db: options.db,
					log: options.log,
					clock: () => clock.now(),
					onWithdrawn: () => this.#quoteInTurns(),
				})
			: null;
		this.#running = this.#run(recovered);
		this.#pruning = setInterval(() => void this.#prune(), PRUNE_EVERY_MS).unref();
		void this.#prune();
	}

	#run(recovered: Recovered): Running {
		const { db, ledger = db, log, onCommitted, commandRows = false, pulse } = this.#options;
		const { eventsOf, onWritten, onTraced, onRecalled, betsAStep } = this.#options;
		const followers = this.#followers;
		this.#clock.notBefore(recovered.lastStampMs);
		const committer = new Committer({ db: ledger, log, sealer: this.#sealer, commandRows, ...recovered });
		const sequencer = new Sequencer({
			...recovered,
			pools: this.pools,
			committer,
			followers,
			pulse,
			requests: new RequestMemory(this.#table),
			onceOnly: new OnceOnly(db),
			workflows: new Workflows(thoseReadable(recovered.openWorkflows, log), (keys) => workflowsByKey(db, keys)),
			storedMarket: async (marketId) => (await storedMarkets(db, 'market_id = $1', [marketId]))[0] ?? null,
			settledWallets: (marketId, most) => settledWallets(db, marketId, most),
			leases: this.#leases,
			betsAStep,
			log,
			clock: () => this.#clock.now(),
			eventsOf,
			onWritten,
			onTraced,
			onRecalled,
			onUneven: (marketId) => log.error({ marketId }, 'the bets of a market do not add up; its settlement stops'),
			onCommitted: (committed) => {
				this.#backOff.succeeded();
				onCommitted(committed);
			},
			onFailed: (error) => {
				this.#recovering = this.#recoverAfter(error);
			},
		});
		return { sequencer, committer, views: recovered.views, engine: recovered.engine, epoch: recovered.epoch };
	}

	/** Until it is recovered, the failed sequencer answers with the outcomes that it knows, or with STARTING. */
	async #recoverAfter(error: Error): Promise<void> {
		const { db, ledger = db, log, onStopped, remembered, traded, commandRows = false } = this.#options;
		const failed = this.#running;
		failed.committer.stop();
		log.error({ err: error }, 'the exchange stopped taking commands');
		const succession = succeeding(failed.epoch);
		let cause = error;
		for (let attempt = 1; !(cause instanceof Deposed); attempt++) {
			await delay(this.#backOff.failed());
			if (this.#drained) break;
			try {
				const recovered = await recover(ledger, this.#sealer, {
					succession,
					beats: commandRows,
					remembered: remembered?.() ?? [],
					traded: traded ?? (() => []),
				});
				failed.sequencer.settle(recovered.foundBatch);
				// A drained exchange stays closed: nothing may apply or write commands after it.
				if (this.#drained) {
					if (this.#followers) await this.#release(ledger, recovered.epoch);
					return;
				}
				this.#running = this.#run(recovered);
				log.warn({ attempt }, 'the exchange was recovered from the tables');
				this.#quotesAreGone();
				return;
			} catch (next) {
				cause = next as Error;
				if (!isDatabaseFault(cause)) break;
				if (isLogged(attempt)) log.warn({ err: cause, attempt }, 'the exchange could not be recovered yet');
			}
		}
		const wroteNothing = cause instanceof Deposed && cause.wroteNothing;
		failed.sequencer.settle(wroteNothing ? failed.committer.batchSeq : null);
		if (!this.#drained) onStopped?.(cause);
	}

	#quotesAreGone(): void {
		for (const listener of this.#rebuilt) listener();
	}

	/** Thousands of quotes at once would hold up bets, and the heartbeat. */
	async #quoteInTurns(): Promise<void> {
		for (const listener of this.#rebuilt) {
			listener();
			await new Promise((resume) => setImmediate(resume));
		}
	}

	async #prune(): Promise<void> {
		try {
			await this.#table.prune(this.#clock.now());
		} catch (error) {
			this.#options.log.warn({ err: error }, 'old requests could not be deleted yet');
		}
	}

	submit(request: Request, key?: RequestKey, terms?: SubmitTerms): Promise<Receipt> {
		return this.#running.sequencer.submit(request, key, terms);
	}
	submitTogether(requests: readonly Request[]): Promise<PromiseSettledResult<Receipt>[]> {
		return this.#running.sequencer.submitTogether(requests);
	}
	quotesStand(marketId: MarketId, doStand: boolean): void {
		this.#running.sequencer.quotesStand(marketId, doStand);
	}
	writeReceiptRoot(make: RootMaker): Promise<void> {
		return this.#running.sequencer.writeReceiptRoot(make);
	}
	now(): number {
		return this.#clock.now();
	}
	epoch(): number {
		return this.#running.epoch;
	}
	isOpen(): boolean {
		return !this.#drained && this.#running.sequencer.isOpen();
	}
	durableBatch(): number {
		return this.#running.sequencer.durableBatch();
	}
	figures(): ExchangeFigures {
		return {
			...this.#running.sequencer.figures(),
			feedLeases: this.#leases.counts(),
		};
	}
	async earlier(key: RequestKey, untilMs?: number): Promise<Receipt | null> {
		return await this.#running.sequencer.earlier(key, untilMs);
	}
	isFresh(): boolean {
		return this.#running.sequencer.isFresh();
	}
	fresh(untilMs: number): Promise<void> | null {
		return this.#running.sequencer.fresh(untilMs);
	}
	workflow<Kind extends TransferKind>(named: WorkflowRef<Kind>): Workflow<Kind> | null {
		return this.#running.sequencer.workflow(named);
	}
	wallet(walletId: WalletId): WalletRecord | null {
		return this.#running.views.wallet(walletId);
	}
	lacked(walletId: WalletId): AnyMinor {
		return this.#running.engine.lacked(walletId);
	}
	heldForUnmatched(walletId: WalletId): AnyMinor {
		return this.#running.engine.heldForUnmatched(walletId);
	}
	market(marketId: MarketId): MarketView | null {
		return this.#running.views.market(marketId);
	}
	book(marketId: MarketId, pool: Pool): Book | null {
		return this.#running.views.book(marketId, pool);
	}
	openBets(walletId: WalletId, marketId?: MarketId): BetRecord[] {
		return this.#running.views.openBets(walletId, marketId);
	}
	bet(betId: BetId): BetRecord | null {
		return this.#running.views.bet(betId);
	}
	betsIn(marketIds: readonly MarketId[]): BetRecord[] {
		return this.#running.views.betsIn(marketIds);
	}
	eachBetIn(marketIds: readonly MarketId[]): Iterable<BetRecord> {
		return this.#running.views.eachBetIn(marketIds);
	}
	profitLoss(walletId: WalletId, marketId: MarketId): ProfitLoss | null {
		return this.#running.views.profitLoss(walletId, marketId);
	}
	cashOutTarget(walletId: WalletId, marketId: MarketId): number | null {
		return this.#running.views.cashOutTarget(walletId, marketId);
	}
	orderGroups(walletId: WalletId): OrderGroupView[] {
		return this.#running.views.orderGroups(walletId);
	}
	triggers(walletId: WalletId): TriggerView[] {
		return this.#running.views.triggers(walletId);
	}
	hasCashOutTargets(marketId: MarketId): boolean {
		return this.#running.views.hasCashOutTargets(marketId);
	}
	cashOutTargets(marketId: MarketId): Iterable<CashOutTarget> {
		return this.#running.views.cashOutTargets(marketId);
	}
	feedAgeMs(marketId: MarketId): number | null {
		return this.#leases.ageMs(marketId);
	}

	renewLeases(marketIds: readonly MarketId[]): void {
		this.#leases.renew(marketIds);
	}
	walletsWithUnmatchedBets(isMeant: (walletId: WalletId) => boolean): Set<WalletId> {
		return this.#running.sequencer.walletsWithUnmatchedBets(isMeant);
	}
	walletsWithTriggers(isMeant: (walletId: WalletId) => boolean): WalletId[] {
		return this.#running.engine.walletsWithTriggers().filter(isMeant);
	}
	stakeAhead(betId: BetId): AnyMinor | null {
		return this.#running.engine.stakeAhead(betId);
	}
	async recall(marketId: MarketId): Promise<MarketView | null> {
		if (!this.market(marketId)) await this.#running.sequencer.recall(marketId);
		return this.market(marketId);
	}
	forgetMarkets(isRemembered: (marketId: MarketId) => boolean): void {
		const { sequencer, views } = this.#running;
		sequencer.forget(views.settledMarkets().filter((marketId) => !isRemembered(marketId)));
	}
	settled(marketId: MarketId): Promise<void> {
		return this.#running.sequencer.settled(marketId);
	}
	onRebuilt(listener: () => void): () => void {
		this.#rebuilt.add(listener);
		return () => this.#rebuilt.delete(listener);
	}

	async handOver(heir: string, onTaken: () => void): Promise<Successor | null> {
		const { db, ledger = db } = this.#options;
		const { sequencer, epoch } = this.#running;
		await sequencer.hold();
		try {
			// It failed meanwhile, or stops.
			if (!sequencer.isOpen()) return null;
			await retryFaults(() => releaseLease(ledger, epoch, heir));
			const successor = await taken(ledger, epoch);
			// Its fence lets no batch of this process through. Commands that wait are refused definitely.
			if (successor) {
				onTaken();
				await this.drain();
			}
			return successor;
		} finally {
			sequencer.resume();
		}
	}

	async #release(db: pg.Pool, epoch: number): Promise<void> {
		const { log } = this.#options;
		try {
			await releaseLease(db, epoch);
		} catch (error) {
			log.warn({ err: error }, 'the lease could not be released; a standby takes over after its silence');
		}
	}

	async drain(): Promise<void> {
		this.#drained = true;
		clearInterval(this.#pruning);
		await this.#running.sequencer.drain();
		await this.#followers?.stop();
		this.#running.committer.stop();
		if (!this.#followers) return;
		await this.#release(this.#options.db, this.#running.epoch);
		// One that takes the lease again meanwhile releases it, too.
		await Promise.race([this.#recovering, delay(RECOVERED_WITHIN_MS, undefined, { ref: false })]);
	}
}

/** The process that takes a released lease; null when none did in time, and the lease is the caller's again. */
async function taken(db: pg.Pool, epoch: number): Promise<Successor | null> {
	for (const untilMs = performance.now() + TAKE_WITHIN_MS; performance.now() < untilMs; ) {
		const successor = await retryFaults(() => successorOf(db, epoch));
		if (successor) return successor;
		await delay(LOOK_EVERY_MS);
	}
	if (await retryFaults(() => reclaimLease(db, epoch))) return null;
	return await retryFaults(() => successorOf(db, epoch));
}
