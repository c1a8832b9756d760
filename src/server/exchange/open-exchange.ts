/**
 * Opens the exchange: recovers the engine from the tables and starts taking commands. When a batch cannot be written or
 * the engine breaks, it is recovered anew from the tables; when another server took the lease, it stays closed.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MarketView } from '#engine/engine.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import { Committer, Deposed } from '#server/exchange/committer.ts';
import type { DurableViews } from '#server/exchange/durable-views.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { FeedLeases } from '#server/exchange/feed-leases.ts';
import { LedgerSealer } from '#server/exchange/ledger-seal.ts';
import { REMEMBERED_REQUESTS, recover } from '#server/exchange/recovery.ts';
import { RequestMemory } from '#server/exchange/request-memory.ts';
import { Sequencer } from '#server/exchange/sequencer.ts';
import { storedMarkets } from '#server/exchange/stored-markets.ts';
import { Refused } from '#values/error-catalogue.ts';

export interface ExchangeOptions {
	pool: pg.Pool;
	log: Logger;
	/** What the ledger is sealed with. */
	ledgerKey: string;
	clock?: () => number;
	/** Milliseconds of a clock that is never set; the leases of the feeds are measured by it. */
	monotonicMs?: () => number;
	onCommitted: CommittedListener;
	/** Markets that are to be known at a start although they are over. */
	remembered?: () => readonly number[];
	/** Told when this process may not go on: another server took over, or the ledger cannot be trusted. */
	onStopped?: (error: Error) => void;
}

interface Running {
	sequencer: Sequencer;
	committer: Committer;
	requests: RequestMemory;
	views: DurableViews;
}

type Reads = Pick<
	Exchange,
	'wallet' | 'market' | 'book' | 'openBets' | 'bet' | 'profitLoss' | 'cashOutTarget' | 'cashOutTargets'
>;

/** @param views those of the exchange as it was opened or rebuilt last */
const readsOf = (views: () => DurableViews): Reads => ({
	wallet: (walletId) => views().wallet(walletId),
	market: (marketId) => views().market(marketId),
	book: (marketId, pool) => views().book(marketId, pool),
	openBets: (walletId) => views().openBets(walletId),
	bet: (betId) => views().bet(betId),
	profitLoss: (walletId, marketId) => views().profitLoss(walletId, marketId),
	cashOutTarget: (walletId, marketId) => views().cashOutTarget(walletId, marketId),
	cashOutTargets: (marketId) => views().cashOutTargets(marketId),
});

/** A market that memory does not know is looked for in the tables. */
async function recallMarket(pool: pg.Pool, running: () => Running, marketId: number): Promise<MarketView | null> {
	if (!running().views.market(marketId)) {
		const [stored] = await storedMarkets(pool, 'market_id = $1', [marketId]);
		if (stored) running().sequencer.recall(stored);
	}
	return running().views.market(marketId);
}

function forgetMarkets({ sequencer, views }: Running, isRemembered: (marketId: number) => boolean): void {
	sequencer.forget(views.overMarkets().filter((marketId) => !isRemembered(marketId)));
}

/** Acts on a market; a bet is placed on one that is listed, and what is listed is known. */
const mayBeForgotten = (request: Request): request is Request & { marketId: number } =>
	'marketId' in request && request.kind !== 'place-bet' && request.kind !== 'cancel-all';

export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
	const leases = new FeedLeases(options.monotonicMs);
	const sealer = new LedgerSealer(options.ledgerKey);
	let running = await start();
	let closed: Refused | null = null;
	const rebuilt = new Set<() => void>();

	async function start(): Promise<Running> {
		const recovered = await recover(options.pool, sealer, options.remembered?.() ?? []);
		const committer = new Committer({ pool: options.pool, log: options.log, sealer, ...recovered });
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
			for (const listener of rebuilt) listener();
		} catch (cause) {
			options.onStopped?.(cause as Error);
		}
	}

	const recall = (marketId: number) => recallMarket(options.pool, () => running, marketId);

	return {
		submit: async (request, key, admit) => {
			if (closed) throw closed;
			if (mayBeForgotten(request)) await recall(request.marketId);
			if (closed) throw closed;
			return await running.sequencer.submit(request, key, admit);
		},
		earlier: (key) => running.requests.find(key),
		...readsOf(() => running.views),
		renewLeases: (marketIds) => leases.renew(marketIds),
		waitingWallets: () => running.sequencer.waitingWallets(),
		recall,
		forgetMarkets: (isRemembered) => forgetMarkets(running, isRemembered),
		onRebuilt: (listener) => {
			rebuilt.add(listener);
			return () => rebuilt.delete(listener);
		},
		drain: async () => {
			await running.sequencer.drain();
			running.committer.stop();
		},
	};
}
