/** What a sequencer works on, and whom it tells. */
import type { Logger } from 'pino';
import type { Engine } from '#engine/engine.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { TracedBatch } from '#server/exchange/ledger/batch-writer.ts';
import type { Committer } from '#server/exchange/ledger/committer.ts';
import type { BatchRows, EventRow } from '#server/exchange/order/batch-rows.ts';
import type { FeedLeases } from '#server/exchange/order/feed-leases.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import type { OnceOnly } from '#server/exchange/order/once-only.ts';
import type { RequestMemory } from '#server/exchange/order/request-memory.ts';
import type { SettledWallets } from '#server/exchange/order/walk-steps.ts';
import type { Workflows } from '#server/exchange/order/workflows.ts';
import type { StoredMarket } from '#server/exchange/recovery/stored-markets.ts';
import type { Followers } from '#server/exchange/standby/followers.ts';
import type { Pulse } from '#server/exchange/standby/pulse.ts';
import type { DurableViews } from '#server/exchange/views/durable-views.ts';
import type { MarketId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

export interface SequencerOptions {
	engine: Engine;
	views: DurableViews;
	bets: LiveBets;
	/** Markets whose books traded more than their rows say. */
	unwrittenTrades: Set<MarketId>;
	committer: Committer;
	/** The pools that are here; all by default. */
	pools?: readonly Pool[];
	/** Null where no standby is configured. */
	followers?: Followers | null;
	/** Where it shows that it comes forward; missing where nothing gives signs of life. */
	pulse?: Pulse | undefined;
	requests: RequestMemory;
	leases: FeedLeases;
	onceOnly: OnceOnly;
	workflows: Workflows;
	/** About how many bets a step of a walk through a market takes; some hundred by default. */
	betsAStep?: number | undefined;
	/** Reads a market from the tables; null when they have none by that id. */
	storedMarket: (marketId: MarketId) => Promise<StoredMarket | null>;
	/** Reads a settlement that is taken back. */
	settledWallets: SettledWallets;
	log: Logger;
	clock: () => number;
	onCommitted: CommittedListener;
	/** What a batch tells the systems of brands, which is written with it. */
	eventsOf?: ((rows: BatchRows) => readonly EventRow[]) | undefined;
	/** Called when a batch is durable, with how long it took, milliseconds: from its sealing or the end of the batch before, whichever was later. */
	onWritten?: ((tookMs: number) => void) | undefined;
	/** Called when a batch with traced calls is durable. */
	onTraced?: ((batch: TracedBatch) => void) | undefined;
	/** Called when the tables brought a market back into memory. */
	onRecalled?: ((marketId: MarketId) => void) | undefined;
	/** Called when the bets of a market that is being settled do not add up. */
	onUneven: (marketId: MarketId) => void;
	/** Called once when the sequencer cannot go on: a batch was not written in time, or rows and engine disagree. */
	onFailed: (error: Error) => void;
}
