/** The committer's message to the publisher and the durable views when a batch is durable. */

import type { TriggerView } from '#engine/effect.ts';
import type { MarketView } from '#engine/engine.ts';
import type { BetEvent, BetRecord, Book, WalletRecord } from '#server/exchange/exchange.ts';
import type { PostingRow, SettlementRow, TargetRow, Trade } from '#server/exchange/order/batch-rows.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';

export interface Committed {
	batchSeq: number;
	atMs: number;
	/** Wallets that changed, with their values after the batch. */
	wallets: WalletRecord[];
	/** Bets that changed, with their values after the batch, and their events in order. */
	bets: BetRecord[];
	betEvents: BetEvent[];
	/** Trades in order. */
	trades: Trade[];
	/** Cash-out targets that were set or removed. */
	targets: TargetRow[];
	/** Triggers that changed, as they stand after the batch, or as they ended. */
	triggers: TriggerView[];
	/** Workflows that made a step, as they stand after the batch. */
	workflows: Workflow[];
	/** What players won or lost in markets that were settled; a market that was reopened comes again, with zeros. */
	settlements: readonly (SettlementRow & { atMs: number })[];
	postings: readonly PostingRow[];
	/** Markets whose status, in-play flag or version changed. */
	markets: MarketView[];
	/** Books that changed. */
	books: Book[];
}

export type CommittedListener = (committed: Committed) => void;
