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
import type { Admission, Done, Request, RequestKey } from '#server/exchange/exchange.ts';
import type { FeedLeases } from '#server/exchange/feed-leases.ts';
import { OpenBetCounts } from '#server/exchange/open-bet-counts.ts';
import { bodyHashOf, type RequestMemory } from '#server/exchange/request-memory.ts';
import type { StoredMarket } from '#server/exchange/stored-markets.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Commands applied and not yet durable; beyond that, callers are asked to come back. */
const LONGEST_QUEUE = 20_000;
/** How often the leases of the feeds are looked at; a bet on a market whose lease has run out is refused at once. */
const LEASE_CHECK_MS = 250;

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
	leases: FeedLeases;
	log: Logger;
	clock: () => number;
	onCommitted: CommittedListener;
	/** Told when the sequencer cannot go on: deposed, or rows and engine disagree. */
	onFailed: (error: Error) => void;
}

export class Sequencer {
	readonly #options: SequencerOptions;
	readonly #delayed: DelayedBets;
	readonly #openBets = new OpenBetCounts();
	#open: Batch;
	#waiting: Waiting[] = [];
	#queued = 0;
	#toForget: readonly number[] = [];
	#writing: Promise<void> | null = null;
	#closed: 'DRAINING' | 'OVERLOADED' | null = null;
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
			return !(error instanceof Refused && error.code === 'MARKET_SUSPENDED');
		}
	}

	/** Applies a command and resolves when it is durable. @throws Refused */
	async submit(request: Request, key?: RequestKey, admit?: Admission): Promise<Done> {
		if (key) {
			const earlier = this.#options.requests.find(key);
			if (earlier) return await earlier;
		}
		this.#holdSilent(request);
		if (this.#closed) throw new Refused(this.#closed);
		if (this.#queued >= LONGEST_QUEUE) throw new Refused('OVERLOADED');
		admit?.(this.#openBetsBeside(request));
		const command = this.#stamp(request);
		const outcome = this.#apply(command);
		if (!outcome.ok) throw new Refused(outcome.code, outcome.details);
		if (command.kind === 'open-market') this.#options.leases.begin(command.marketId, command.feedLeaseMs ?? 0);
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

	waitingWallets(): Set<number> {
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

	/** Brings back a market that was forgotten. */
	recall({ market, traded }: StoredMarket): void {
		const { engine, views } = this.#options;
		if (engine.market(market.marketId)) return;
		engine.restoreMarket(market, traded);
		views.setMarket(market);
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
		await this.#writing;
	}

	#stopTimers(): void {
		this.#delayed.stop();
		clearInterval(this.#leaseCheck);
	}

	/** Suspends the markets whose feeds have fallen silent. What is refused now is repeated at the next look. */
	#suspendSilent(): void {
		const marketIds = this.#options.leases.runOut().filter((marketId) => this.#isTrading(marketId));
		if (marketIds.length === 0 || this.#closed) return;
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

	#suspend(marketId: number): void {
		this.submit({ kind: 'suspend-market', marketId, lapseUnmatched: false, byFeed: true }).catch(() => undefined);
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
		this.#forgetMarkets();
		const batch = this.#open;
		this.#open = new Batch(this.#options.bets, this.#openBets);
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
		this.#stopTimers();
		for (const { reject, key } of this.#waiting) {
			if (key) this.#options.requests.forget(key.walletId, key.clientRequestId);
			reject(new Refused(error instanceof Deposed ? 'DRAINING' : 'OVERLOADED'));
		}
		this.#queued = 0;
		this.#waiting = [];
		this.#options.onFailed(error);
	}
}
