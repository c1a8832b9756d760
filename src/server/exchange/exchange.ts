/**
 * The exchange as the rest of the server sees it. Everything read here is durable: it changes only after the batch
 * that changed it is committed, so no answer reports what a crash could undo.
 */
import type { BetFill, BetTerms, OnClose, PendingBet } from '#engine/bet-detail.ts';
import type { CashOut, Command, PlaceBet, ReachCashOutTarget, ReplaceBet, TakeQuotes } from '#engine/command.ts';
import type { LapseReason, TransferKind, TriggerView, VoidReason } from '#engine/effect.ts';
import type { ExposureWith, Level, MarketView, UnmatchedPart } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { PlacedHedge } from '#engine/outcome.ts';
import type { FireTriggers, PlaceTrigger } from '#engine/triggers/trigger-commands.ts';
import type { PlayerLimits, SelfMatchChoice } from '#engine/wallets.ts';
import type { TransferRequest, Workflow, WorkflowReceipt, WorkflowRef } from '#server/exchange/order/workflow.ts';
import type { RootMaker } from '#server/platform/public-log/receipt-root.ts';
import type { Currency } from '#values/currency-codes.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

/** A command without the fields that the sequencer adds: the time, and the id of a new bet. */
export type Request =
	| Omit<PlaceBet, 'betId'>
	| Omit<TakeQuotes, 'betId'>
	| Omit<ReplaceBet, 'newBetId'>
	| Omit<CashOut, 'betId'>
	| Omit<ReachCashOutTarget, 'betId'>
	| Omit<PlaceTrigger, 'triggerId'>
	| Omit<FireTriggers, 'betId'>
	| TransferRequest
	| DistributiveOmit<
			Exclude<
				Command,
				{
					kind:
						| 'place-bet'
						| 'take-quotes'
						| 'replace-bet'
						| 'cash-out'
						| 'reach-cash-out-target'
						| 'place-trigger'
						| 'fire-triggers'
						| 'transfer';
				}
			>,
			'atMs'
	  >;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/**
 * The request key of a call that moves money. The same id with the same body gives the first answer; with another body
 * it is refused with REQUEST_ID_REUSED.
 */
export interface RequestKey {
	walletId: WalletId;
	clientRequestId: string;
	/** Canonical text of the validated body without the request id. */
	body: string;
}

/** What the results of a batch that is not durable yet made a wallet gain. */
export interface UndurableGain {
	/** Null while the batch collects commands. */
	batchSeq: number | null;
	/** Minor units, below zero for a loss. */
	gained: AnyMinor;
}

/** A wallet as the commands so far left it, durable or not. */
export interface OrderedWallet {
	/** What is held for its bets, and what they lack. */
	exposure: AnyMinor;
	/** Oldest first. */
	undurable: readonly UndurableGain[];
	/** Games with an open round of the wallet. */
	openGames: ReadonlySet<string>;
	/** Its exposure in a market, and what that would be with these bets; a stake below zero takes one away. */
	exposureWith(marketId: MarketId, bets: readonly UnmatchedPart[]): ExposureWith;
}

/** Any wallet as the commands before the present one left it. */
export type OrderedWallets = (walletId: WalletId) => OrderedWallet;

/**
 * Called when a new bet is ordered, with the number of bets that its player has in the engine. A bet that replaces
 * another is not counted twice. Throws a Refused to reject the bet.
 */
export type Admission = (openBets: number, wallets: OrderedWallets) => void;

/** What a bot calls a bet, null where it says nothing. */
export interface BetReferences {
	orderRef: string | null;
	strategyRef: string | null;
}

/** Options of a submission. */
export interface SubmitTerms {
	/** The caller's deadline on the monotonic clock (`performance.now()`). */
	untilMs?: number;
	/** Decides whether a bet may be placed, at the moment it is ordered. */
	admit?: Admission;
	/** Names the request in the log, beside the number of its batch. */
	requestId?: string | undefined;
	/** The span of the call, which the batch is told to; missing unless the call is traced. */
	trace?: string | undefined;
	/** Names of the bet that the command places. */
	references?: BetReferences | undefined;
}

/** The durable outcome of a command, with the balance and exposure of its wallet right after it. */
export interface Receipt {
	betId: BetId | null;
	/** Id of the bet that was placed. */
	stake: AnyMinor;
	/** Where a post-only bet was moved to another price than it asked. */
	price?: AnyPrice;
	matched: AnyMinor;
	/** Σ stake × price, minor units × hundredths. */
	matchedValue: number;
	remaining: AnyMinor;
	cancelled: AnyMinor;
	/** When a delayed bet reaches the book. */
	dueAtMs: number | null;
	atMs: number;
	balance: AnyMinor;
	exposure: AnyMinor;
	/** The batch that made it durable, and the batch's stamp; set when the batch is sealed, so a repetition names it, too. */
	batchSeq?: number;
	batchAtMs?: number;
	/** The bets of a cash-out. */
	hedges?: readonly PlacedHedge[];
	/** The workflows of a transfer, in the order of its steps, as they stand after it. */
	workflows?: readonly WorkflowReceipt[];
}

export interface BetRecord {
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	pool: Pool;
	runner: number;
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
	persist: boolean;
	matched: AnyMinor;
	matchedValue: number;
	remaining: AnyMinor;
	cancelled: AnyMinor;
	lapsed: AnyMinor;
	voided: AnyMinor;
	placedAtMs: number;
	/** Of the last match; null while nothing is matched. */
	matchedAtMs: number | null;
	fillOrKill: boolean;
	/** Post-only, good till a time; null for most bets. */
	terms: BetTerms | null;
	/** While it waits for the starting price, and afterwards; null for other bets. */
	onClose: OnClose | null;
	/** What is unmatched at the turn in-play takes the starting price. */
	takesStart: boolean;
	/** While the bet is delayed. */
	delay: PendingBet | null;
	/** Each fill, where the market needs them. */
	fills: readonly BetFill[] | null;
	/** Names that a bot gave the bet; missing without any. */
	references?: BetReferences;
	/** Set when its market settled. */
	result: 'WON' | 'LOST' | 'VOID' | null;
}

export interface WalletRecord {
	walletId: WalletId;
	pool: Pool;
	currency: Currency;
	cash: AnyMinor;
	exposure: AnyMinor;
	hold: AnyMinor;
	bonus: AnyMinor;
	version: number;
	/** The player's own rate; null for the market's. */
	commissionBp: number | null;
	/** The player's own limits. */
	limits: PlayerLimits | null;
	/** What happens to a bet that would be matched with one of the player's own. */
	selfMatch: SelfMatchChoice;
}

export interface BookRunner {
	runner: number;
	lastPriceTraded: AnyPrice | null;
	/** Minor units, backers' stake. */
	totalMatched: AnyMinor;
	/**
	 * What a backer can take now (resting lays, highest first) and what a layer can take (resting backs, lowest first);
	 * at most ten levels.
	 */
	back: Level[];
	lay: Level[];
}

/** The durable book of one market in one pool. */
export interface Book {
	marketId: MarketId;
	pool: Pool;
	/** Rises with each committed change. */
	version: number;
	totalMatched: AnyMinor;
	runners: BookRunner[];
}

/** The changes of one bet by one committed batch; the publisher turns them into BetUpdate messages. */
export interface BetEvent {
	betId: BetId;
	event: 'PLACED' | 'MATCHED' | 'CANCELLED' | 'LAPSED' | 'VOIDED' | 'REDUCED' | 'SETTLED' | 'REOPENED';
	stake: AnyMinor;
	reason?: LapseReason | VoidReason;
}

/** Where the exchange stands, for those that watch it. */
export interface ExchangeFigures {
	/** Commands that are applied and not durable, and commands that wait for a batch that is late. */
	backlog: number;
	/** The last durable batch, and the last one in the tables: quotes alone are not written. */
	batch: number;
	writtenBatch: number;
	/** In memory; quotes of the house are bets, too. */
	markets: number;
	bets: number;
	/** Markets whose bets do not add up, so that their settlement cannot end. */
	unevenMarkets: readonly MarketId[];
	feedLeases: { held: number; runOut: number };
}

/** The process that took the lease after a release. */
export interface Successor {
	/** Where it answers other processes; null when it does not say. */
	address: string | null;
}

/** A player's position in a market. */
export interface ProfitLoss {
	/** Net per runner of matched bets, as it is shown and paid: whole minor units. */
	runners: AnyMinor[];
	/** The same before it is rounded: hundredths of a minor unit, each way times the divisor. */
	exact: number[];
	/** What is held for the market, unmatched bets included. */
	exposure: AnyMinor;
}

/** A player's, in a market. */
export interface CashOutTarget {
	walletId: WalletId;
	target: AnyMinor;
}

export interface Exchange {
	/**
	 * Applies the command and resolves when its batch is durable.
	 * Without a deadline the command waits up to 30 seconds to be applied, and then for as long as it takes to know its
	 * outcome.
	 * @throws Refused OTHER_POOL for a command on a pool that is not here; with the engine's code; REQUEST_ID_REUSED or REQUEST_TOO_OLD; OVERLOADED, DRAINING, STARTING, THROTTLED
	 *   or DEADLINE_PASSED when nothing was done and nothing will be; OUTCOME_UNKNOWN when the deadline passed while the
	 *   batch was on its way: the same request again tells.
	 */
	submit(request: Request, key?: RequestKey, terms?: SubmitTerms): Promise<Receipt>;

	/**
	 * Applies commands on one market, one after the other in one batch: nothing that looks at durable states, or at the
	 * book between two batches, sees it between them. A command that is refused keeps none of the others back.
	 * @returns what became of each, in their order
	 * @throws Refused OVERLOADED, DEADLINE_PASSED when nothing was done
	 */
	submitTogether(requests: readonly Request[]): Promise<PromiseSettledResult<Receipt>[]>;

	/**
	 * The durable outcome of an earlier command under this key, or null.
	 * @throws Refused REQUEST_ID_REUSED, DEADLINE_PASSED, OUTCOME_UNKNOWN
	 */
	earlier(key: RequestKey, untilMs?: number): Promise<Receipt | null>;

	/**
	 * Writes a root of receipts with the next batch: it costs no write of its own while bets come.
	 * @param make called once, when the batch is sealed; it must not throw
	 * @throws Refused DRAINING, STARTING; OUTCOME_UNKNOWN where the root may be durable or not
	 */
	writeReceiptRoot(make: RootMaker): Promise<void>;

	/** The time by which commands are stamped, in milliseconds since 1970: setting the wall clock does not move it. */
	now(): number;

	/** The pools whose wallets and books are here, in the order of `POOLS`. */
	readonly pools: readonly Pool[];

	/** How many bets one command takes; what concerns more of them is a walk. */
	readonly mostBetsAtOnce: number;

	/** The epoch of the lease that this process holds. It rises when the exchange recovers. */
	epoch(): number;

	/** True while the exchange takes commands: it is not recovering, and no other server took over. */
	isOpen(): boolean;

	/** The newest durable batch that was applied to the views. */
	durableBatch(): number;

	/** Cheap enough to be asked each second. */
	figures(): ExchangeFigures;

	/**
	 * Whether what this process shows from memory counts now. With standbys another process may lead once no batch was
	 * confirmed for a while; without standbys it always counts.
	 */
	isFresh(): boolean;

	/**
	 * Waits until what this process shows from memory is fresh.
	 * @returns null when it is fresh now
	 * @throws Refused DRAINING or STARTING when the exchange takes no commands, DEADLINE_PASSED
	 */
	fresh(untilMs: number): Promise<void> | null;

	/** A workflow that is in memory with all its steps durable; null when the tables have to be asked. */
	workflow<Kind extends TransferKind>(named: WorkflowRef<Kind>): Workflow<Kind> | null;

	wallet(walletId: WalletId): WalletRecord | null;
	/** What the wallet's open bets lack, minor units, as ordered so far: that part of its cash is not spent. */
	lacked(walletId: WalletId): AnyMinor;
	/** What is held for what a wallet ordered and is not matched, minor units, as ordered so far: a cancellation frees it. */
	heldForUnmatched(walletId: WalletId): AnyMinor;
	market(marketId: MarketId): MarketView | null;
	book(marketId: MarketId, pool: Pool): Book | null;
	/**
	 * The wallet's bets in markets that are not settled or void, newest first, without fully cancelled and lapsed bets.
	 * @param marketId only those in that market
	 */
	openBets(walletId: WalletId, marketId?: MarketId): BetRecord[];
	bet(betId: BetId): BetRecord | null;
	/** The bets in markets that are not settled or void, by id. */
	betsIn(marketIds: readonly MarketId[]): BetRecord[];
	/**
	 * The same, each as it stands when it is reached, without a copy of all: for sums in turns of the event loop, between
	 * which bets are matched and end.
	 */
	eachBetIn(marketIds: readonly MarketId[]): Iterable<BetRecord>;
	/** Null without a position. */
	profitLoss(walletId: WalletId, marketId: MarketId): ProfitLoss | null;

	/** The certain amount at which the market is cashed out automatically, minor units; null without a target. */
	cashOutTarget(walletId: WalletId, marketId: MarketId): number | null;
	hasCashOutTargets(marketId: MarketId): boolean;
	/** The players with a target in a market, each as it stands when it is reached. */
	cashOutTargets(marketId: MarketId): Iterable<CashOutTarget>;
	/** The player's triggers that wait or are due, oldest first. */
	triggers(walletId: WalletId): TriggerView[];
	/** The groups of the player's bets, by name. */
	orderGroups(walletId: WalletId): OrderGroupView[];

	/**
	 * A feed calls this when the prices of these markets stand: its quotes were durably placed, or were found to be
	 * right. A market whose lease runs out is suspended until its feed renews the lease and resumes the market.
	 */
	renewLeases(marketIds: readonly MarketId[]): void;

	/**
	 * A market maker calls this when it has placed all quotes that it wants in a market, or when a suspension kept some of
	 * them out. Triggers take no bet behind missing quotes for the best price.
	 */
	quotesStand(marketId: MarketId, doStand: boolean): void;

	/** Milliseconds since a feed last confirmed the prices of a market; null for a market without a feed. */
	feedAgeMs(marketId: MarketId): number | null;

	/**
	 * Those of the meant wallets that have unmatched stake or a trigger, as ordered so far, durable or not. What is unmatched in a market that is
	 * being settled lapses by its settlement, and does not count.
	 */
	walletsWithUnmatchedBets(isMeant: (walletId: WalletId) => boolean): Set<WalletId>;
	/** Those of the meant wallets that have a trigger or a plan, as ordered so far. */
	walletsWithTriggers(isMeant: (walletId: WalletId) => boolean): WalletId[];

	/**
	 * The stake that is matched before the bet's own unmatched part, minor units, as ordered so far, durable or not; 0 unless it
	 * rests in a book, and null behind a very long queue.
	 */
	stakeAhead(betId: BetId): AnyMinor | null;

	/**
	 * Waits for the settlement of a market that is under way, if there is one.
	 * @throws Refused OUTCOME_UNKNOWN when this process settles it no further, MARKET_UNEVEN when it cannot end
	 */
	settled(marketId: MarketId): Promise<void>;

	/** Brings a market that was removed from memory back. A command on it does the same. */
	recall(marketId: MarketId): Promise<MarketView | null>;
	/** Removes settled and void markets, and their books, from memory. */
	forgetMarkets(isRemembered: (marketId: MarketId) => boolean): void;
	/**
	 * Calls the listener when unmatched quotes are gone: the exchange was rebuilt from the tables, which do not have them,
	 * or a standby joined.
	 * @returns a function that removes the listener
	 */
	onRebuilt(listener: () => void): () => void;

	/**
	 * Lets commands wait, makes those that were applied durable, and releases the lease to a standby. When the standby does
	 * not take it soon, the exchange takes it back and the commands go on.
	 * @param onTaken called when the standby has the lease, before commands are refused
	 * @returns the process that has the lease; null when it is this one again
	 */
	handOver(heir: string, onTaken: () => void): Promise<Successor | null>;

	/** Stops taking commands and resolves when everything that was applied is durable. */
	drain(): Promise<void>;
}
