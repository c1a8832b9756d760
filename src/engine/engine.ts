/**
 * The exchange as a deterministic state machine: `apply(command, effects) → outcome`. It has no clock, no randomness,
 * no I/O and no fractions. One engine holds the wallets, markets and books of every pool.
 */
import type { ChangeWalk } from '#engine/bet-change.ts';
import type { RunnerRemoval } from '#engine/bet-detail.ts';
import type { Command } from '#engine/command.ts';
import type { Effects, MarketStatus, TriggerView } from '#engine/effect.ts';
import type { RunnerStartingPrice } from '#engine/market.ts';
import type { MarketTerms, RunnerResult } from '#engine/market-terms.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { RoundingLeft } from '#engine/rounding-allowance.ts';
import type { SettlementReversal } from '#engine/settlement-reversal.ts';
import type { PlayerLimits, SelfMatchChoice } from '#engine/wallets.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

export interface Level {
	/** Hundredths. */
	price: AnyPrice;
	/** Minor units. */
	size: number;
}

export interface WalletView {
	walletId: WalletId;
	pool: Pool;
	cash: AnyMinor;
	exposure: AnyMinor;
	hold: AnyMinor;
	bonus: AnyMinor;
	/** Rises by one with every change of this wallet. */
	version: number;
	commissionBp: number | null;
	limits: PlayerLimits | null;
	selfMatch: SelfMatchChoice;
	/** A market maker's wallet: see src/kernel/holds.ts. */
	quotes: boolean;
}

export interface MarketView extends MarketTerms {
	marketId: MarketId;
	status: MarketStatus;
	inPlay: boolean;
	/** Rises at suspension, also of a runner by an operator, turn in-play and runner removal. */
	version: number;
	results: readonly RunnerResult[] | null;
	/** How many places are paid, when the result pays fewer than announced; null otherwise. */
	placesPaid: number | null;
	/** The held money can be below the exposure: matches were voided, or the market was settled before. */
	mayBeShort: boolean;
	/** Step of its next posting at a settlement. */
	nextStep: number;
	/** When its settlement by a walk began; null when it was settled by one command. */
	settlingSinceMs: number | null;
	/** What roundings may still cost in the settlement under way. */
	roundingLeft: readonly RoundingLeft[];
	/** A settlement that is being taken back; the market is SETTLING until all its bets are back. */
	reversing: SettlementReversal | null;
	/** A change of all its bets that is under way; the market is suspended or closed until then. */
	changing: ChangeWalk | null;
	/** What the auction of its starting prices found, of the runners that have one; null before it. */
	startingPrices: readonly RunnerStartingPrice[] | null;
	/** Removed runners, with their reduction factors in basis points. */
	removed: readonly (readonly [runner: number, reductionBp: number])[];
	/** All removals in their order, those of runners that were returned included. */
	removals: readonly RunnerRemoval[];
	/** Suspended runners. */
	suspended: readonly number[];
	/** Those of them that an operator suspended, so that a feed cannot resume them. */
	heldRunners: readonly number[];
	/** An operator suspended the market, so a feed cannot resume it. */
	heldByOperator: boolean;
}

/** A wallet with bets in a market that is being settled. */
export interface UnsettledWallet {
	walletId: WalletId;
	/** How many of its bets are left. */
	bets: number;
	/** Whether the result pays it. */
	wins: boolean;
}

/** A wallet whose bets a change under way has left. */
export interface WalletToChange {
	walletId: WalletId;
	/** Those that are left, oldest first. */
	bets: BetId[];
}

export interface Engine {
	apply(command: Command, effects: Effects): Outcome;

	wallet(walletId: WalletId): WalletView | null;
	market(marketId: MarketId): MarketView | null;
	/** Every house account that is or was used: kind, pool, owner (the market of a pot), balance. */
	houseAccounts(): { kind: string; pool: Pool; owner: number; balance: AnyMinor }[];
	houseBalance(kind: string, pool: Pool, owner: number): number;
	/** Aggregated resting bets, best price first: for BACK the lowest price of resting backs first, for LAY the highest of resting lays. */
	levels(marketId: MarketId, pool: Pool, runner: number, side: 0 | 1, depth: number): Level[];
	/** Every resting bet of a runner: backs by rising price, then lays by falling price, each price oldest first. */
	restingBets(
		marketId: MarketId,
		pool: Pool,
		runner: number,
	): { betId: BetId; side: 0 | 1; price: AnyPrice; remaining: AnyMinor }[];
	/**
	 * The resting stake that is matched before the bet's own, minor units: what is older at its price. 0 unless it rests; null
	 * behind more than 2,000 bets, which would keep others waiting while they are counted.
	 */
	stakeAhead(betId: BetId): AnyMinor | null;
	lastPriceTraded(marketId: MarketId, pool: Pool, runner: number): number | null;
	/** Backers' stake matched so far. */
	totalMatched(marketId: MarketId, pool: Pool, runner: number): number;
	/** How many bets with a resting or matched part the market has, in all pools. @param atMost where to stop counting */
	betCount(marketId: MarketId, atMost?: number): number;
	/**
	 * The wallets that the settlement under way has left; null for a pause after some hundred bets. Steps may settle wallets
	 * meanwhile.
	 */
	unsettledWallets(marketId: MarketId): Iterator<UnsettledWallet | null>;
	/** The wallets that the change under way has left, by rising id; null for a pause after some thousand bets. */
	walletsToChange(marketId: MarketId): Iterator<WalletToChange | null>;
	/** Some bets of a wallet in a market. */
	someBets(walletId: WalletId, marketId: MarketId, most: number): BetId[];
	/** The wallet's exposure in one market, whole minor units rounded up. */
	marketExposure(walletId: WalletId, marketId: MarketId): number;
	/** What the open bets of a wallet lack, minor units: that part of its cash is not spent. */
	lacked(walletId: WalletId): AnyMinor;
	/** What is held for its unmatched bets and triggers, minor units: it comes free when they are cancelled. */
	heldForUnmatched(walletId: WalletId): AnyMinor;
	/** Its exposure in one market as it is, and as it would be with these unmatched bets; a stake below zero takes one away. */
	exposureWith(walletId: WalletId, marketId: MarketId, bets: readonly UnmatchedPart[]): ExposureWith;
	/** Details of a live bet besides its figures: its fills where they are kept, and its delay. */
	betDetail(betId: BetId): Required<Pick<RestoredBet, 'fills' | 'delay' | 'queuedAfter'>>;
	/** Bets in their delay, of all markets, with the time it ends. */
	pendingBets(): { betId: BetId; dueAtMs: number }[];
	/** When the next bet that is good till a time may lapse, milliseconds since 1970; Infinity without one. */
	nextExpiryMs(): number;
	/** The unmatched bets of a wallet in one market, or in all, oldest first. */
	unmatchedBets(walletId: WalletId, marketId?: MarketId): BetId[];
	/** Whether any market has triggers, or bets that lapse with its volume. */
	watchesBooks(): boolean;
	/** Whether bets lapse with the volume of that market. */
	limitsVolume(marketId: MarketId): boolean;
	/** Whether bets of triggers can be placed now. */
	hasTriggersToFire(): boolean;
	/** The triggers of a wallet, oldest first. */
	triggersOf(walletId: WalletId): TriggerView[];
	/** The groups of a wallet's bets, by name. */
	orderGroups(walletId: WalletId): OrderGroupView[];
	/** Wallets with triggers. */
	walletsWithTriggers(): WalletId[];
	/**
	 * Net result by runner if it wins, or by line if it is the last one passed; matched bets only, in hundredths of a
	 * minor unit, each way times the divisor; null when all are zero.
	 */
	profitLoss(walletId: WalletId, marketId: MarketId): number[] | null;

	/** The certain result at which the market is cashed out automatically, minor units; null without a target. */
	cashOutTarget(walletId: WalletId, marketId: MarketId): number | null;

	/** Recovery, in this order: wallets and house accounts, markets, bets of unsettled markets by id. */
	restoreWallet(wallet: WalletView): void;
	restoreHouseAccount(kind: string, pool: Pool, owner: number, balance: AnyMinor): void;
	restoreMarket(
		market: MarketView,
		lastTraded: { pool: Pool; runner: number; lastPriceTraded: AnyPrice | null; totalMatched: AnyMinor }[],
	): void;
	/** Forgets a settled or voided market, and no other; restoring it brings it back, to be reopened. */
	forgetMarket(marketId: MarketId): void;
	/** Before the bets. */
	restoreOrderGroup(group: OrderGroupView): void;
	restoreBet(bet: RestoredBet): void;
	/** After the bets. */
	restoreTrigger(trigger: TriggerView): void;
	/** After the bets and the triggers: the money held for one position. */
	restoreHeld(walletId: WalletId, marketId: MarketId, held: AnyMinor): void;
	/** Of a wallet that is settled in part: what its decided bets come to, hundredths of a minor unit times their parts. */
	restoreDecided(walletId: WalletId, marketId: MarketId, exact: bigint): void;
	restoreCashOutTarget(walletId: WalletId, marketId: MarketId, target: AnyMinor): void;
	/** The last numbers used, so that the next ones continue. */
	restoreCounters(counters: EngineCounters): void;
	counters(): EngineCounters;

	/**
	 * The digest of the whole state, 16 hexadecimal digits, updated from the dirty rows at each request (see
	 * state-hash.ts).
	 */
	hash(): string;

	/** Bytes of its tables. */
	memoryBytes(): number;

	/**
	 * Throws when an invariant is broken: a crossed book, a negative account, a pool that does not sum to zero, an
	 * exposure that is not the sum of its markets.
	 */
	checkInvariants(): void;
}

/** Minor units. */
export interface UnmatchedPart {
	runner: number;
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
}

/** A wallet's exposure in a market, whole minor units rounded up. */
export interface ExposureWith {
	now: AnyMinor;
	with: AnyMinor;
}

export interface EngineCounters {
	lastBetId: number;
	/** Numbers the cash↔exposure postings. */
	lastReservation: number;
	/** Number of applied commands that changed something. */
	lastCommand: number;
}
