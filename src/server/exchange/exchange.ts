/**
 * What the rest of the server sees of the exchange. Everything read here is durable: it changes only after the commit
 * of the batch that changed it, so no answer can tell what a crash could undo.
 */
import type { CashOut, Command, PlaceBet, ReachCashOutTarget, ReplaceBet, TakeQuotes } from '#engine/command.ts';
import type { LapseReason, VoidReason } from '#engine/effect.ts';
import type { Level, MarketView } from '#engine/engine.ts';
import type { BetFill, PendingBet } from '#engine/market.ts';
import type { PlacedHedge } from '#engine/outcome.ts';
import type { PlayerLimits } from '#engine/wallets.ts';
import type { TransferRequest, WorkflowReceipt } from '#server/exchange/workflow.ts';
import type { Currency, Pool } from '#values/pools.ts';
import type { SideCode } from '#values/sides.ts';

/** A command without what the sequencer adds (time, and the id of a new bet). */
export type Request =
	| Omit<PlaceBet, 'betId'>
	| Omit<TakeQuotes, 'betId'>
	| Omit<ReplaceBet, 'newBetId'>
	| Omit<CashOut, 'betId'>
	| Omit<ReachCashOutTarget, 'betId'>
	| TransferRequest
	| DistributiveOmit<
			Exclude<
				Command,
				{ kind: 'place-bet' | 'take-quotes' | 'replace-bet' | 'cash-out' | 'reach-cash-out-target' | 'transfer' }
			>,
			'atMs'
	  >;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Idempotency of a call that moves money: the same id with the same body gives the first answer, with another REQUEST_ID_REUSED. */
export interface RequestKey {
	walletId: number;
	clientRequestId: string;
	/** Canonical text of the validated body without the request id. */
	body: string;
}

/**
 * Asked at the moment a new bet is ordered, with how many bets its player has in the engine by then; a bet that takes the
 * place of another counts for that one. Throws a Refused to keep the bet out.
 */
export type Admission = (openBets: number) => void;

/** What a caller asks of a submission besides the command. */
export interface SubmitTerms {
	/** The caller's deadline on the monotonic clock (`performance.now()`). */
	untilMs?: number;
	/** Judges a bet at the moment when it is ordered. */
	admit?: Admission;
}

/** The durable outcome of a command, with the balance and exposure of its wallet right after it. */
export interface Receipt {
	betId: number | null;
	/** Of the bet that was placed. */
	stake: number;
	matched: number;
	/** Σ stake × price, paise × hundredths. */
	matchedValue: number;
	remaining: number;
	cancelled: number;
	/** When the bet reaches the book, if it waits out a delay. */
	dueAtMs: number | null;
	atMs: number;
	balance: number;
	exposure: number;
	/** Of a cash-out. */
	hedges?: readonly PlacedHedge[];
	/** Of a transfer: how each of its workflows stands, in the order of its steps. */
	workflows?: readonly WorkflowReceipt[];
}

export interface BetRecord {
	betId: number;
	walletId: number;
	marketId: number;
	pool: Pool;
	runner: number;
	side: SideCode;
	price: number;
	stake: number;
	persist: boolean;
	matched: number;
	matchedValue: number;
	remaining: number;
	cancelled: number;
	lapsed: number;
	voided: number;
	placedAtMs: number;
	/** Of its last match; null while nothing was matched. */
	matchedAtMs: number | null;
	fillOrKill: boolean;
	/** While it waits out an in-play delay. */
	delay: PendingBet | null;
	/** One by one, where the market needs them again. */
	fills: readonly BetFill[] | null;
	/** Set when its market settled. */
	result: 'WON' | 'LOST' | 'VOID' | null;
}

export interface WalletRecord {
	walletId: number;
	pool: Pool;
	currency: Currency;
	cash: number;
	exposure: number;
	hold: number;
	bonus: number;
	version: number;
	/** The player's own. */
	limits: PlayerLimits | null;
}

export interface BookRunner {
	runner: number;
	lastPriceTraded: number | null;
	/** Paise, backers' stake. */
	totalMatched: number;
	/** What a backer can take now (resting lays, highest first) and what a layer can take (resting backs, lowest first); up to ten levels. */
	back: Level[];
	lay: Level[];
}

/** The durable book of one market in one pool. */
export interface Book {
	marketId: number;
	pool: Pool;
	/** Rises with each committed change. */
	version: number;
	totalMatched: number;
	runners: BookRunner[];
}

/** What one committed batch did to one bet; the publisher turns it into BetUpdate messages. */
export interface BetEvent {
	betId: number;
	event: 'PLACED' | 'MATCHED' | 'CANCELLED' | 'LAPSED' | 'VOIDED' | 'REDUCED' | 'SETTLED' | 'REOPENED';
	stake: number;
	reason?: LapseReason | VoidReason;
}

export interface Exchange {
	/**
	 * Applies the command and resolves when its batch is durable.
	 * Without a deadline the command waits up to 30 seconds to be applied, and then for as long as it takes to know its
	 * outcome.
	 * @throws Refused with the engine's code; REQUEST_ID_REUSED or REQUEST_TOO_OLD; OVERLOADED, DRAINING, STARTING, THROTTLED
	 *   or DEADLINE_PASSED when nothing was done and nothing will be; OUTCOME_UNKNOWN when the deadline passed while the
	 *   batch was on its way: the same request again tells.
	 */
	submit(request: Request, key?: RequestKey, terms?: SubmitTerms): Promise<Receipt>;

	/** The durable outcome of an earlier command under this key, or null. @throws Refused REQUEST_ID_REUSED, DEADLINE_PASSED, OUTCOME_UNKNOWN */
	earlier(key: RequestKey, untilMs?: number): Promise<Receipt | null>;

	/** Takes commands now: it is not recovering, and no other server took over. */
	isOpen(): boolean;

	wallet(walletId: number): WalletRecord | null;
	market(marketId: number): MarketView | null;
	book(marketId: number, pool: Pool): Book | null;
	/** The wallet's bets in markets that are not settled or voided, newest first; fully cancelled and lapsed ones are not among them. */
	openBets(walletId: number): BetRecord[];
	bet(betId: number): BetRecord | null;
	/** Net per runner of matched bets in whole paise, and the exposure of the market; null without a position. */
	profitLoss(walletId: number, marketId: number): { runners: number[]; exposure: number } | null;

	/** What a player wants for certain before the market is cashed out automatically, paise; null without a target. */
	cashOutTarget(walletId: number, marketId: number): number | null;
	/** The players with a target in a market. */
	cashOutTargets(marketId: number): { walletId: number; target: number }[];

	/**
	 * Told by a feed when the prices of these markets stand: after its quotes were durably carried out, or were found to
	 * be right still. A market whose lease runs out is suspended until its feed renews the lease and resumes the market.
	 */
	renewLeases(marketIds: readonly number[]): void;

	/** The wallets with a stake that waits unmatched, as ordered so far: also what is not durable yet. */
	walletsWithUnmatchedBets(): Set<number>;

	/** A market that is over may have been forgotten: this brings it back, because something is to happen to it. */
	recall(marketId: number): Promise<MarketView | null>;
	/** Lets go of paid and void markets, with their books. */
	forgetMarkets(isRemembered: (marketId: number) => boolean): void;
	/**
	 * The listener is told when the exchange was built anew from the tables, which know no quotes that wait.
	 * @returns what ends that
	 */
	onRebuilt(listener: () => void): () => void;

	/** Stops taking commands, commits what was applied, and resolves. */
	drain(): Promise<void>;
}
