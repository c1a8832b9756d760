/** What the committer hands on once a batch is durable; the publisher and the durable views read it. */

import type { MarketView } from '#engine/engine.ts';
import type { TargetRow, Trade } from '#server/exchange/batch.ts';
import type { BetEvent, BetRecord, Book, WalletRecord } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/workflow.ts';

export interface Committed {
	batchSeq: number;
	atMs: number;
	/** Wallets touched, with their values after the batch. */
	wallets: WalletRecord[];
	/** Bets touched, with their values after the batch, and what happened to them in order. */
	bets: BetRecord[];
	betEvents: BetEvent[];
	/** What was traded, in order. */
	trades: Trade[];
	/** Cash-out targets that were set or are gone. */
	targets: TargetRow[];
	/** Workflows that had a step, as they stand after the batch. */
	workflows: Workflow[];
	/** Markets whose status, in-play flag or version changed. */
	markets: MarketView[];
	/** Books touched. */
	books: Book[];
}

export type CommittedListener = (committed: Committed) => void;
