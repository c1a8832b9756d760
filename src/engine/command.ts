/**
 * The engine's commands, in the imperative. Times and outside ids arrive inside them, so the same commands always lead
 * to the same state. Amounts are minor units, prices hundredths, `runner` is the index of a runner in its market (the server
 * knows its name), `side` is 0 for back and 1 for lay.
 */
import type { BetTerms, OnClose } from '#engine/bet-detail.ts';
import type { MarketStatus, TransferAccount, TransferKind } from '#engine/effect.ts';
import type { MarketTerms, RunnerResult } from '#engine/market-terms.ts';
import type { SettledBy } from '#engine/market-types/settled-by.ts';
import type { NamedMatch } from '#engine/named-match.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { CancelTrigger, FireTriggers, LookAtTriggers, PlaceTrigger } from '#engine/triggers/trigger-commands.ts';
import type { PlayerLimits, SelfMatchChoice } from '#engine/wallets.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

/** Opens a player's wallet in one pool. A wallet that exists stays as it is, so the command may be repeated. */
export interface OpenWallet {
	kind: 'open-wallet';
	walletId: WalletId;
	pool: Pool;
	/** The player's own commission rate in basis points; replaces the market's. */
	commissionBp?: number;
	/**
	 * A market maker's wallet: its bets are quotes, see src/kernel/holds.ts. A wallet that exists cancels its unmatched
	 * bets and quotes from then on.
	 */
	quotes?: true;
}

/** Grants play or demo coins: mint→cash. The server refuses a `grantId` that was granted before. */
export interface GrantCoins {
	kind: 'grant-coins';
	grantId: number;
	walletId: WalletId;
	amount: AnyMinor;
}

/** One posting of a transfer, with its key: `kind`, `ref` and `step` together are unique for ever. */
export interface TransferMove {
	kind: TransferKind;
	/** The workflow's id. */
	ref: number;
	/** Numbers the postings of the workflow, from 0. */
	step: number;
	/** The account that the amount leaves, and the one that receives it. */
	debit: TransferAccount;
	credit: TransferAccount;
	amount: AnyMinor;
	/** Cash may go below zero: the correction takes money that the player has already spent. */
	mayOverdraw?: true;
}

/** Money other than bets: moves between the accounts of one wallet and the house, all or none. Without moves it does nothing. */
export interface Transfer {
	kind: 'transfer';
	/** 0 when the moves concern house accounts alone. */
	walletId: WalletId;
	/** The wallet's pool. */
	pool: Pool;
	moves: readonly TransferMove[];
}

/** Sets a player's own limits; zeros remove them. */
export interface SetLimits {
	kind: 'set-limits';
	walletId: WalletId;
	limits: PlayerLimits;
}

/** Opens a group of the player's bets, or resets one that was closed: see order-groups.ts. */
export interface SetOrderGroup {
	kind: 'set-order-group';
	walletId: WalletId;
	name: string;
	/** Once more than this is matched of its bets within 15 seconds, the group is closed. */
	most: AnyMinor;
}

/** Sets what happens to the player's next bets that would be matched with one of their own. */
export interface SetSelfMatch {
	kind: 'set-self-match';
	walletId: WalletId;
	choice: SelfMatchChoice;
}

/** Terms that may be left out: they are then 0 or false, the model EXCHANGE, the ladder CLASSIC. */
type OptionalTerms =
	| 'eachWayDivisor'
	| 'model'
	| 'ladder'
	| 'houses'
	| 'crossMatching'
	| 'startingPrice'
	| 'maxProfit'
	| 'maxExposure'
	| 'betDelayMs'
	| 'passiveGoesIn'
	| 'reducible'
	| 'reduces'
	| 'minReductionBp'
	| 'lapseReductionBp'
	| 'feedLeaseMs';

/**
 * Opens a market in the given pools; each pool has books of its own. The status is OPEN unless the market starts
 * suspended.
 */
export interface OpenMarket extends Omit<MarketTerms, OptionalTerms>, Partial<Pick<MarketTerms, OptionalTerms>> {
	kind: 'open-market';
	marketId: MarketId;
	suspended: boolean;
}

export interface PlaceBet {
	kind: 'place-bet';
	/** Assigned by the sequencer, rising. */
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	/** Hundredths, on the ladder. */
	price: AnyPrice;
	stake: AnyMinor;
	persist: boolean;
	/**
	 * Matched at once as a whole, or at least `minFill` of it, at an average price no worse than `price`; the rest
	 * lapses.
	 */
	fillOrKill?: boolean;
	minFill?: AnyMinor;
	/** The market version that the player saw; the bet lapses when the market's is newer. */
	marketVersion?: number;
	/** Post-only, good till a time; refused for a fill-or-kill bet, and where the house is the other side. */
	terms?: BetTerms | null;
	/**
	 * It waits for the starting price: `price` is evens, `stake` the stake of a back or the liability of a lay, and `limit` the
	 * worst starting price that it takes.
	 */
	onClose?: Pick<OnClose, 'limit'> | null;
	/** What is unmatched at the turn in-play takes the starting price. */
	takesStart?: boolean;
}

/** Lapses what is unmatched of bets whose time is over; the server sends it before the next command, and when one is due. */
export interface ExpireBets {
	kind: 'expire-bets';
}

/**
 * An order of a house wallet that trades with the house's own quotes. It is filled at once as far as it meets quotes,
 * and the rest lapses. Where a player's bet stands first, the order becomes a fill-or-kill bet.
 */
export interface TakeQuotes {
	kind: 'take-quotes';
	/** Assigned by the sequencer; used when the order becomes a bet. */
	betId: BetId;
	/** A wallet that was opened with `quotes`. */
	walletId: WalletId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	/** Hundredths, on the ladder: the worst acceptable price. */
	price: AnyPrice;
	stake: AnyMinor;
}

/** Brings a bet to the book whose delay has ended; the server sends it when it is due. */
export interface AdmitBet {
	kind: 'admit-bet';
	betId: BetId;
}

/** Moves the unmatched part of a bet to another price, as a new bet. */
export interface ReplaceBet {
	kind: 'replace-bet';
	betId: BetId;
	/** Assigned by the sequencer, rising. */
	newBetId: BetId;
	walletId: WalletId;
	price: AnyPrice;
}

/** Sets what becomes of a bet's unmatched part when the market turns in-play. The bet keeps its place in the queue. */
export interface UpdateBet {
	kind: 'update-bet';
	betId: BetId;
	walletId: WalletId;
	persist: boolean;
	/** Instead of staying, it takes the starting price. */
	takesStart?: boolean;
}

/** The cash-out that the player was shown and agreed to. */
interface AgreedCashOut {
	/** The least of all results after cashing out in full. */
	certain: AnyMinor;
	/** Where prices are lines, the quality of the lines to be taken: Σ stake × line, below zero for a buyer. */
	lines: number;
	/** The unmatched stake of the player's own bets that the cash-out cancels. */
	cancelled: AnyMinor;
}

/**
 * Hedges a share of a player's position, all hedges or none. It is planned on the position and the books as they are
 * when it is applied, and refused while hedges of an earlier cash-out are delayed.
 */
export interface CashOut {
	kind: 'cash-out';
	/** Id of the first hedge, assigned by the sequencer; the ids of the others follow. */
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	/** Above 0; 1 cashes out in full. */
	share: number;
	agreed: AgreedCashOut;
}
/** Sets the certain result at which a market is cashed out automatically; null removes the target. */
export interface SetCashOutTarget {
	kind: 'set-cash-out-target';
	walletId: WalletId;
	marketId: MarketId;
	target: AnyMinor | null;
}
/**
 * Cashes out in full if the player's target is reached; the server sends it when it seems to be. The target is removed
 * when its hedges are placed or the position is level, and restored if the hedges lapse.
 */
export interface ReachCashOutTarget {
	kind: 'reach-cash-out-target';
	/** Id of the first hedge, assigned by the sequencer; the ids of the others follow. */
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
}

/** Cancels everything unmatched of a player, in one market or in all. */
export interface CancelAll {
	kind: 'cancel-all';
	walletId: WalletId;
	marketId?: MarketId;
	/** Of these bets alone: one step of many. What is not the player's any more, or has nothing unmatched, is passed over. */
	bets?: readonly BetId[];
}

/** Lapses everything unmatched of a player whose site was suspended. */
export interface LapseAll {
	kind: 'lapse-all';
	walletId: WalletId;
	/** Of these bets alone: one step of many. Triggers end in any case, so without a bet they alone do. */
	bets?: readonly BetId[];
}

export interface CancelBet {
	kind: 'cancel-bet';
	betId: BetId;
	/** The player who asks; left out by an operator. */
	walletId?: WalletId;
	/**
	 * The unmatched stake to cancel; all of it when left out. A smaller size keeps the time priority. A cancel that
	 * would leave less than the market's smallest stake cancels all of it.
	 */
	size?: number;
}

/**
 * Stops placing and matching. `lapseUnmatched` is for a material incident, `ballRunning` lapses nothing. A suspension
 * that is not `byFeed` can only be ended by a resumption that is not by a feed, and raises the version even where the
 * market is suspended already: a resumption that was decided without knowing of it is refused.
 */
export interface SuspendMarket {
	kind: 'suspend-market';
	marketId: MarketId;
	lapseUnmatched: boolean;
	ballRunning?: boolean;
	byFeed?: true;
	inSteps?: InSteps;
}
/**
 * Stops bets on a runner until it is resumed. Resting bets stay; bets in their delay lapse when they are due. A suspension
 * that is not `byFeed` raises the market version, and only a resumption that is not by a feed ends it.
 */
export interface SuspendRunner {
	kind: 'suspend-runner' | 'resume-runner';
	marketId: MarketId;
	runner: number;
	/** By the source of the prices, which quotes the runner or does not. */
	byFeed?: true;
	/** Of a resumption: the market version that the operator saw; refused when the market's is another. */
	seenVersion?: number;
}
/** Resumes a market. A feed cannot resume what an operator suspended. */
export interface ResumeMarket {
	kind: 'resume-market';
	marketId: MarketId;
	byFeed?: true;
	/** The market version that the operator saw; refused when the market's is another. */
	seenVersion?: number;
}
/** Ends an operator's hold and nothing else: the market stays suspended until its feed resumes it. */
export interface ReleaseMarket {
	kind: 'release-market';
	marketId: MarketId;
	/** The market version that the operator saw; refused when the market's is another. */
	seenVersion: number;
}
/** Changes what a market asks of its next bets. Bets that are in their delay keep it. */
export interface ChangeTerms {
	kind: 'change-terms';
	marketId: MarketId;
	terms: ChangedTerms;
}
export type ChangedTerms = Partial<
	Pick<MarketTerms, 'betDelayMs' | 'minStake' | 'maxStake' | 'maxProfit' | 'maxExposure'>
>;
/**
 * Turns a market in-play: LAPSE bets lapse, PERSIST bets stay, and the market version rises. A suspended market stays
 * suspended.
 */
export interface TurnInPlay {
	kind: 'turn-in-play';
	marketId: MarketId;
	inSteps?: InSteps;
}
/** Ends betting: unmatched bets lapse, and the market awaits its result. */
export interface CloseMarket {
	kind: 'close-market';
	marketId: MarketId;
	inSteps?: InSteps;
}
/**
 * Removes a runner: its bets are void, and matched prices of the others are reduced by the factor. The factor is 0 in a
 * market that is not reducible. The market version rises.
 */
export interface RemoveRunner {
	kind: 'remove-runner';
	marketId: MarketId;
	runner: number;
	/** Basis points: 1620 is 16.2 %. */
	reductionBp: number;
	inSteps?: InSteps;
}
/**
 * Corrects the factor of a removed runner. Bets that were matched before the removal count at the prices that the right
 * factor gives. A market that is closed and not paid takes a correction, too. The market version rises.
 */
export interface CorrectReduction {
	kind: 'correct-reduction';
	marketId: MarketId;
	runner: number;
	/** Basis points: 1620 is 16.2 %. */
	reductionBp: number;
	inSteps?: InSteps;
}
/** Returns a removed runner. Voided bets stay void, and the other prices are what they would be without its removal. */
export interface ReturnRunner {
	kind: 'return-runner';
	marketId: MarketId;
	runner: number;
	inSteps?: InSteps;
}
/**
 * The market's bets are left to the steps that follow, because there are many: `change-wallets` and `change-bets`. The
 * market is suspended until the last one.
 */
type InSteps = true | undefined;
/** A step of a change: changes the bets of each of these wallets. Those that were changed already are passed over. */
export interface ChangeWallets {
	kind: 'change-wallets';
	marketId: MarketId;
	/** Rising, over all steps. */
	wallets: readonly WalletId[];
	/** No wallet is left after them. */
	isLast?: true;
}
/** A step for a wallet of the house with very many bets: changes these of them. Its last ones follow with `change-wallets`. */
export interface ChangeBets {
	kind: 'change-bets';
	marketId: MarketId;
	/** Above the wallets before. */
	walletId: WalletId;
	/** Rising, over all steps. */
	bets: readonly BetId[];
}
/**
 * Settles a market by a result for each runner index, or for each line where prices are lines. Lapses unmatched bets,
 * settles every player once and empties the pots. Runners that TIE share the places that WIN leaves.
 */
export interface SettleMarket {
	kind: 'settle-market';
	marketId: MarketId;
	results: readonly RunnerResult[];
	/** How many places are paid, when a place market pays fewer than it announced. */
	places?: number;
	/** The market as it was seen when the result was decided; in another status or version it is refused. */
	seen?: SeenMarket;
}
/**
 * Begins to settle a market with many bets, wallet by wallet, or to void it: fixes the result and ends everything else that
 * could happen in the market. `settle-wallets` and `settle-bets` follow.
 */
export interface BeginSettlement {
	kind: 'begin-settlement';
	marketId: MarketId;
	/** Null voids the market. */
	results: readonly RunnerResult[] | null;
	/** As in a settlement. */
	places?: number;
	seen?: SeenMarket;
}
/**
 * A step of a settlement that was begun: settles each of these wallets whole. Those without bets left in the market are
 * passed over. The step that settles the last wallet ends the market.
 */
export interface SettleWallets {
	kind: 'settle-wallets';
	marketId: MarketId;
	/** Losers before winners, over all steps. */
	wallets: readonly WalletId[];
}
/**
 * A step for a wallet with very many bets: decides these of them. Its money moves with the last of its bets. Bets that are
 * not the wallet's any more are passed over.
 */
export interface SettleBets {
	kind: 'settle-bets';
	marketId: MarketId;
	walletId: WalletId;
	bets: readonly BetId[];
}
/** The status and the version of a market, in which nothing is matched while it is not open. */
export interface SeenMarket {
	status: MarketStatus;
	version: number;
}
/**
 * Voids single matches as the ledger names them, by batch and row number. Where fills are kept one by one (in reducible
 * markets, or where prices are lines), `takerFill` and `makerFill` number the fill of each bet from 0, and it counts at
 * its reduced price.
 */
export interface VoidMatches {
	kind: 'void-matches';
	marketId: MarketId;
	matches: readonly NamedMatch[];
	/**
	 * Of a settled market: it is reopened, relieved of the matches and settled again by the same result, all of it in this
	 * one command.
	 */
	settlement?: Settlement;
}
/**
 * Reverses a settlement by opposite postings; the market is CLOSED with its bets as before. The ledger supplies the
 * bets, because the engine forgets those of a settled market.
 */
export interface ReopenMarket extends Settlement {
	kind: 'reopen-market';
	marketId: MarketId;
}
/** What the ledger knows of a settlement that is taken back. */
export interface Settlement {
	bets: readonly RestoredBet[];
	/** The settlement of each player, to be found again. */
	payments: readonly PaidSettlement[];
	/** One more than the last step of the settlement's postings. */
	nextStep: number;
}
/** What a player got by a settlement, or lost. */
export interface PaidSettlement {
	walletId: WalletId;
	net: AnyMinor;
	commission: AnyMinor;
}
/**
 * Begins to reverse the settlement of a market with many bets, wallet by wallet, and fixes what follows. `reverse-wallets`
 * and `void-reversed` follow, and then the walk of the next settlement.
 */
export interface BeginReversal {
	kind: 'begin-reversal';
	marketId: MarketId;
	/** How many bets the settlement ended: the reversal ends with the last of them. */
	betCount: number;
	/** From when on the settlement ended its bets, milliseconds since 1970. */
	paidSinceMs: number;
	/** As in a settlement that is taken back. */
	nextStep: number;
	/** Null leaves the market CLOSED. */
	next: SettledBy | null;
	/** Of a removed runner's factor. */
	correction?: { runner: number; reductionBp: number };
	/** Those to void when all bets are back, in the order of the ledger. */
	matches?: readonly NamedMatch[];
}
/** A step of a reversal that was begun. Bets that are back are passed over. */
export interface ReverseWallets {
	kind: 'reverse-wallets';
	marketId: MarketId;
	/** Winners before losers, over all steps. */
	wallets: readonly ReversedWallet[];
}
export interface ReversedWallet {
	walletId: WalletId;
	/** As the ledger has them. Of a wallet that comes back in parts, void bets come first. */
	bets: readonly RestoredBet[];
	/** Null for a wallet whose bets were all void. */
	payment: Omit<PaidSettlement, 'walletId'> | null;
	/** Of a wallet of the house with more bets than a step takes. Its money moves with its last part. */
	part?: {
		isLast: boolean;
		/** What all its bets came to, hundredths of a minor unit times the parts of the result; null when all were void. */
		exact: string | null;
	};
}
/** A step of a reversal whose bets are all back: voids the last ones of its matches that are left. */
export interface VoidReversed {
	kind: 'void-reversed';
	marketId: MarketId;
	count: number;
}
/**
 * Reverses a settlement and pays another result in the same command, so that no crash leaves the market in between. In
 * between, a removed runner may get another factor.
 */
export interface ResettleMarket extends Settlement {
	kind: 'resettle-market';
	marketId: MarketId;
	/** Null voids the market. */
	results: readonly RunnerResult[] | null;
	/** As in a settlement. */
	places?: number;
	correction?: { runner: number; reductionBp: number };
}
/** Returns every stake; unmatched bets lapse. */
export interface VoidMarket {
	kind: 'void-market';
	marketId: MarketId;
	/** As in a settlement. */
	seen?: SeenMarket;
}

export type Command = { readonly atMs: number } & Readonly<
	| OpenWallet
	| GrantCoins
	| Transfer
	| SetLimits
	| SetSelfMatch
	| SetOrderGroup
	| OpenMarket
	| PlaceBet
	| TakeQuotes
	| AdmitBet
	| CashOut
	| SetCashOutTarget
	| ReachCashOutTarget
	| CancelBet
	| CancelAll
	| LapseAll
	| ReplaceBet
	| UpdateBet
	| ExpireBets
	| PlaceTrigger
	| CancelTrigger
	| LookAtTriggers
	| FireTriggers
	| CorrectReduction
	| RemoveRunner
	| ReturnRunner
	| SuspendMarket
	| SuspendRunner
	| ResumeMarket
	| ReleaseMarket
	| ChangeTerms
	| TurnInPlay
	| CloseMarket
	| ChangeWallets
	| ChangeBets
	| SettleMarket
	| BeginSettlement
	| SettleWallets
	| SettleBets
	| VoidMatches
	| ReopenMarket
	| ResettleMarket
	| BeginReversal
	| ReverseWallets
	| VoidReversed
	| VoidMarket
>;
