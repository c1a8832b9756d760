/**
 * Opens the exchange: recovers the engine from the tables and starts taking commands. When a batch cannot be written or
 * the engine breaks, it is recovered anew from the tables; when another server took the lease, it stays closed.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { CommittedListener } from '#server/exchange/committed.ts';
import { Committer, Deposed } from '#server/exchange/committer.ts';
import type { DurableViews } from '#server/exchange/durable-views.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { FeedLeases } from '#server/exchange/feed-leases.ts';
import { REMEMBERED_REQUESTS, recover } from '#server/exchange/recovery.ts';
import { RequestMemory } from '#server/exchange/request-memory.ts';
import { Sequencer } from '#server/exchange/sequencer.ts';
import { Refused } from '#values/error-catalogue.ts';

export interface ExchangeOptions {
	pool: pg.Pool;
	log: Logger;
	clock?: () => number;
	/** Milliseconds of a clock that is never set; the leases of the feeds are measured by it. */
	monotonicMs?: () => number;
	onCommitted: CommittedListener;
	/** Told when this process may not go on: another server took over, or the ledger cannot be trusted. */
	onStopped?: (error: Error) => void;
}

interface Running {
	sequencer: Sequencer;
	committer: Committer;
	requests: RequestMemory;
	views: DurableViews;
}

export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
	const leases = new FeedLeases(options.monotonicMs);
	let running = await start();
	let closed: Refused | null = null;

	async function start(): Promise<Running> {
		const recovered = await recover(options.pool);
		const committer = new Committer({ pool: options.pool, log: options.log, ...recovered });
		const requests = new RequestMemory(REMEMBERED_REQUESTS);
		for (const { walletId, clientRequestId, bodyHash, answer } of recovered.requests) {
			requests.remember(walletId, clientRequestId, bodyHash, Promise.resolve(answer));
		}
		const sequencer = new Sequencer({
			...recovered,
			committer,
			requests,
			leases,
			log: options.log,
			clock: options.clock ?? Date.now,
			onCommitted: options.onCommitted,
			onFailed: (error) => void goOnAfter(error),
		});
		return { sequencer, committer, requests, views: recovered.views };
	}

	async function goOnAfter(error: Error): Promise<void> {
		if (closed) return;
		closed = new Refused(error instanceof Deposed ? 'DRAINING' : 'STARTING');
		options.log.error({ err: error }, 'the exchange stopped taking commands');
		if (error instanceof Deposed) {
			options.onStopped?.(error);
			return;
		}
		try {
			running = await start();
			closed = null;
			options.log.warn('the exchange was recovered from the tables');
		} catch (cause) {
			options.onStopped?.(cause as Error);
		}
	}

	return {
		submit: async (request, key) => {
			if (closed) throw closed;
			return await running.sequencer.submit(request, key);
		},
		isOpen: () => closed === null,
		earlier: (key) => running.requests.find(key),
		wallet: (walletId) => running.views.wallet(walletId),
		market: (marketId) => running.views.market(marketId),
		book: (marketId, pool) => running.views.book(marketId, pool),
		openBets: (walletId) => running.views.openBets(walletId),
		bet: (betId) => running.views.bet(betId),
		profitLoss: (walletId, marketId) => running.views.profitLoss(walletId, marketId),
		cashOutTarget: (walletId, marketId) => running.views.cashOutTarget(walletId, marketId),
		cashOutTargets: (marketId) => running.views.cashOutTargets(marketId),
		renewLeases: (marketIds) => leases.renew(marketIds),
		forgetBooks: (isRemembered) => running.views.forgetBooks(isRemembered),
		drain: async () => {
			await running.sequencer.drain();
			running.committer.stop();
		},
	};
}
