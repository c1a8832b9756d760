/** What one batch writes: the rows of its tables, and what the durable views and the publisher need beside them. */
import type { WebhookKind } from '#contract/webhook-events.ts';
import type { BetTerms } from '#engine/bet-detail.ts';
import type { Posting, TriggerView } from '#engine/effect.ts';
import type { EngineCounters, MarketView } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { BetEvent, BetRecord, BetReferences, Book, Receipt, WalletRecord } from '#server/exchange/exchange.ts';
import type { RiskRow } from '#server/exchange/ledger/money-at-risk.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import type { Workflow, WorkflowClaim, WorkflowStep } from '#server/exchange/order/workflow.ts';
import type { ReceiptRootRow } from '#server/platform/public-log/receipt-root.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

export interface PostingRow extends Posting {
	atMs: number;
}
export interface MatchRow {
	takerBetId: BetId;
	makerBetId: BetId;
	marketId: MarketId;
	runner: number;
	price: AnyPrice;
	stake: AnyMinor;
	takerSide: number;
	/** When maker and taker met. For a delayed bet, this is after its bet delay. */
	atMs: number;
}
/** A match, or what the crowd took of a quote. */
export interface Trade {
	marketId: MarketId;
	pool: Pool;
	runner: number;
	price: AnyPrice;
	stake: AnyMinor;
	takerSide: number;
	atMs: number;
}
export interface BetRow extends BetRecord {
	/** Hundredths of a minor unit times `parts`. */
	profitExact: number | null;
	parts: number;
	endedAtMs: number | null;
	/** For a bet that was delayed: the last bet placed before it reached the book. */
	queuedAfter: number | null;
	/** A quote that this process placed. The tables hold only its matched part, as an ordinary bet. */
	quote: boolean;
}
export interface WalletRow extends WalletRecord {
	commissionBp: number | null;
	quotes: boolean;
}
export interface MarketRow extends MarketView {
	/** [pool, runner, last price traded, total matched] */
	traded: [Pool, number, number | null, number][];
}
export interface RequestRow {
	walletId: WalletId;
	clientRequestId: string;
	bodyHash: string;
	answer: Receipt;
}
export interface SettlementRow {
	marketId: MarketId;
	walletId: WalletId;
	net: AnyMinor;
	commission: AnyMinor;
	profit: number;
}

/** What happened to a bet that rests or waits, or to a market, and no other row tells with its time. */
export interface MarketEventRow {
	atMs: number;
	marketId: MarketId;
	what: 'CANCELLED' | 'LAPSED' | 'DELAYED' | 'ADMITTED' | 'REPRICED' | 'MARKET';
	betId?: BetId;
	/** That left the book. */
	stake?: AnyMinor;
	/** Before it changed. */
	price?: AnyPrice;
	market?: Pick<MarketView, 'status' | 'inPlay' | 'version'>;
}

export interface TargetRow {
	marketId: MarketId;
	walletId: WalletId;
	/** Minor units; null when the target was removed. */
	target: AnyMinor | null;
}

/** What few bets ask: a quote of the house, of which the tables have the matched part alone, has no such row. */
export interface BetTermsRow extends BetTerms {
	betId: BetId;
}

/** What a batch tells the systems of brands. */
export interface EventRow {
	eventId: string;
	kind: WebhookKind;
	/** The player whose brand is told; null for every brand. */
	walletId: WalletId | null;
	data: object;
}

/** Everything one batch writes. */
export interface BatchRows {
	atMs: number;
	wallets: WalletRow[];
	house: { kind: string; pool: Pool; owner: number; balance: AnyMinor }[];
	postings: PostingRow[];
	markets: MarketRow[];
	/** The rows to write: of quotes, only those that have been matched at least once. */
	bets: BetRow[];
	/** Bets of earlier batches whose result is all that changed. */
	settledBets: ReadonlySet<BetId>;
	/** All bets that changed, as they stand after the batch. */
	touchedBets: BetRow[];
	matches: MatchRow[];
	/** All that was traded, in order; the tables hold of it the matches. */
	trades: Trade[];
	/** In order; the states of markets come last. Nothing of quotes. */
	marketEvents: MarketEventRow[];
	voidMatches: { batch: number; rowNumber: number }[];
	requests: RequestRow[];
	references: (BetReferences & { betId: BetId })[];
	terms: BetTermsRow[];
	settlements: SettlementRow[];
	/** What players had at risk in the markets and rounds that were decided, or that are undecided again. */
	risks: (RiskRow & { atMs: number })[];
	/** Cash-out targets that were set or removed. */
	targets: TargetRow[];
	/** Triggers that changed, as they stand after the batch, or as they ended. */
	triggers: TriggerView[];
	/** Groups of bets that changed, as they stand after the batch. */
	groups: OrderGroupView[];
	/** Workflows that made a step, as they stand after the batch. */
	workflows: Workflow[];
	workflowSteps: WorkflowStep[];
	workflowClaims: WorkflowClaim[];
	/** Roots of receipts that were signed before the batch was sealed. */
	receiptRoots: readonly ReceiptRootRow[];
	/** What brands subscribed to of all this; filled in by `eventsOf` of the exchange's options. */
	events: readonly EventRow[];
	betEvents: BetEvent[];
	/** Wallets that were opened or whose limits changed. */
	changedWallets: Set<number>;
	/** Markets whose status, in-play flag or version changed. */
	changedMarkets: Set<number>;
	books: Omit<Book, 'version'>[];
	digest: string;
	counters: EngineCounters;
	/** What changed the engine, in order; empty unless command rows are kept. */
	inputs: readonly EngineInput[];
	/** Written even when nothing in it has to outlive the process. */
	mustBeWritten: boolean;
}
