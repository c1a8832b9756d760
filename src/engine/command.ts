/**
 * What can be asked of the engine. Commands are imperative; time and outside ids arrive inside them, so the same
 * commands always give the same state. Amounts are paise, prices hundredths, `runner` is the index of a runner in
 * its market (the server knows its name), `side` is 0 back, 1 lay.
 */
import type { MarketStatus, TransferAccount, TransferKind } from '#engine/effect.ts';
import type { MarketTerms, RunnerResult } from '#engine/market-terms.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { PlayerLimits } from '#engine/wallets.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Currency, Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

/** Makes a player's wallet in one pool; an existing one stays as it is (asking twice is harmless). */
export interface OpenWallet {
	kind: 'open-wallet';
	walletId: WalletId;
	pool: Pool;
	currency: Currency;
	/** The player's own commission rate in basis points; replaces the market's. */
	commissionBp?: number;
	/**
	 * A market maker's wallet: its bets are quotes, see quotes.ts. An existing wallet takes back what it has unmatched and
	 * quotes from then on.
	 */
	quotes?: true;
}

/** Play or demo coins: mint→cash. `grantId` makes it unique; the server refuses an id that was granted before. */
export interface GrantCoins {
	kind: 'grant-coins';
	grantId: number;
	walletId: WalletId;
	amount: AnyPaise;
}

/** One posting of a transfer, with its key: `kind`, `ref` and `step` together are unique for ever. */
export interface TransferMove {
	kind: TransferKind;
	/** The workflow's id. */
	ref: number;
	/** Numbers the postings of the workflow, from 0. */
	step: number;
	/** The account that the amount is taken from, and the one that gets it. */
	debit: TransferAccount;
	credit: TransferAccount;
	amount: AnyPaise;
	/** Cash may go below zero: a correction of what the player has already spent. */
	mayOverdraw?: true;
}

/** Money other than bets: moves between the accounts of one wallet and the house, all or none. Without moves it does nothing. */
export interface Transfer {
	kind: 'transfer';
	/** 0 when only house accounts are concerned. */
	walletId: WalletId;
	/** The wallet's. */
	pool: Pool;
	moves: readonly TransferMove[];
}

/** A player's own limits; all zeros take them away. */
export interface SetLimits {
	kind: 'set-limits';
	walletId: WalletId;
	limits: PlayerLimits;
}

/** Terms that a market does without: left out they are 0 or false, the model is EXCHANGE, the ladder CLASSIC. */
type OptionalTerms =
	| 'eachWayDivisor'
	| 'model'
	| 'ladder'
	| 'houses'
	| 'crossMatching'
	| 'maxProfit'
	| 'maxExposure'
	| 'betDelayMs'
	| 'passiveGoesIn'
	| 'reducible'
	| 'minReductionBp'
	| 'lapseReductionBp'
	| 'feedLeaseMs';

/** Opens a market in the given pools; each pool gets books of its own. Status is OPEN unless it starts suspended. */
export interface OpenMarket extends Omit<MarketTerms, OptionalTerms>, Partial<Pick<MarketTerms, OptionalTerms>> {
	kind: 'open-market';
	marketId: MarketId;
	currency: Currency;
	suspended: boolean;
}

export interface PlaceBet {
	kind: 'place-bet';
	/** Given by the sequencer, rising. */
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	/** Hundredths, on the ladder. */
	price: AnyPrice;
	stake: AnyPaise;
	persist: boolean;
	/** All of it at once, or at least `minFill`, at an average price no worse than `price`; the rest lapses. */
	fillOrKill?: boolean;
	minFill?: AnyPaise;
	/** The market version the player saw: with an older one the bet lapses. */
	marketVersion?: number;
}

/**
 * An order of a house wallet that trades with the house's own quotes: filled at once as far as it meets them, the rest
 * lapses. Where a player's bet stands first it becomes a bet that is filled by that or killed.
 */
export interface TakeQuotes {
	kind: 'take-quotes';
	/** Given by the sequencer; used where the order becomes a bet. */
	betId: BetId;
	/** Of a wallet that was opened with `quotes`. */
	walletId: WalletId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	/** Hundredths, on the ladder: the worst it takes. */
	price: AnyPrice;
	stake: AnyPaise;
}

/** A bet's delay is over; sent by the server when it is due. */
export interface AdmitBet {
	kind: 'admit-bet';
	betId: BetId;
}

/** The unmatched part at another price, as a new bet. */
export interface ReplaceBet {
	kind: 'replace-bet';
	betId: BetId;
	/** Given by the sequencer, rising. */
	newBetId: BetId;
	walletId: WalletId;
	price: AnyPrice;
}

/** What a player was shown and agreed to. */
export interface AgreedCashOut {
	/** Of cashing out in full: the least of all that can come afterwards. */
	certain: AnyPaise;
	/** Where prices are lines, how good those are that have to be taken: Σ stake × line, of a buyer below zero. */
	lines: number;
	/** What waits of the player's own bets that are cancelled for it. */
	cancelled: AnyPaise;
}

/**
 * Hedges a share of a player's position, all hedges or none. It is planned on the position and the books as they are when
 * it is applied, and refused while the hedges of an earlier one wait out a delay.
 */
export interface CashOut {
	kind: 'cash-out';
	/** Of the first hedge, given by the sequencer; the ids of the others follow. */
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	/** Above 0, 1 for all of it. */
	share: number;
	agreed: AgreedCashOut;
}
/** Keeps what a player wants for certain before a market is cashed out automatically, or with null forgets it. */
export interface SetCashOutTarget {
	kind: 'set-cash-out-target';
	walletId: WalletId;
	marketId: MarketId;
	target: AnyPaise | null;
}
/**
 * Cashes out in full if the player's target is reached; sent by the server when it seems to be. The target is gone with
 * the hedges it placed, and with a position that is level; it is back if the hedges lapse.
 */
export interface ReachCashOutTarget {
	kind: 'reach-cash-out-target';
	/** Of the first hedge, given by the sequencer; the ids of the others follow. */
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
}

/** Takes back everything unmatched of a player, in one market or in all. */
export interface CancelAll {
	kind: 'cancel-all';
	walletId: WalletId;
	marketId?: MarketId;
}

/** Everything unmatched of a player lapses, because his site was suspended. */
export interface LapseAll {
	kind: 'lapse-all';
	walletId: WalletId;
}

export interface CancelBet {
	kind: 'cancel-bet';
	betId: BetId;
	/** The asking player; an operator's cancel leaves it out. */
	walletId?: WalletId;
	/**
	 * What to take off the unmatched part; all of it when left out. Lowering keeps the time priority. A part that would
	 * leave less than the market's smallest stake takes all of it.
	 */
	size?: number;
}

/**
 * Nothing is placed or matched while suspended. `lapseUnmatched` on a material incident. `ballRunning` lapses nothing.
 * Unless it is `byFeed`, only a resumption that is not by a feed either ends it.
 */
export interface SuspendMarket {
	kind: 'suspend-market';
	marketId: MarketId;
	lapseUnmatched: boolean;
	ballRunning?: boolean;
	byFeed?: true;
}
/** Nobody bets on a runner until it is resumed; what waits stays, what is in its delay lapses when it is due. */
export interface SuspendRunner {
	kind: 'suspend-runner' | 'resume-runner';
	marketId: MarketId;
	runner: number;
}
/** A feed cannot resume what an operator suspended. */
export interface ResumeMarket {
	kind: 'resume-market';
	marketId: MarketId;
	byFeed?: true;
}
/** LAPSE bets lapse, PERSIST bets stay; the market version rises. A suspended market stays suspended. */
export interface TurnInPlay {
	kind: 'turn-in-play';
	marketId: MarketId;
}
/** Betting is over: what is unmatched lapses; the market waits for its result. */
export interface CloseMarket {
	kind: 'close-market';
	marketId: MarketId;
}
/**
 * Takes a runner out: its bets are void, and matched prices of the others are reduced by the factor. In a market that is
 * not reducible the factor is 0. The market version rises.
 */
export interface RemoveRunner {
	kind: 'remove-runner';
	marketId: MarketId;
	runner: number;
	/** Basis points: 1620 is 16.2 %. */
	reductionBp: number;
}
/** A removed runner takes part after all. What was void stays void, and reduced prices stay reduced. */
export interface ReturnRunner {
	kind: 'return-runner';
	marketId: MarketId;
	runner: number;
}
/**
 * Result per runner index; where prices are lines per line, what became of its buyers. Lapses what is unmatched, pays every player once, empties the pots. Runners that TIE share
 * the places that WIN leaves.
 */
export interface SettleMarket {
	kind: 'settle-market';
	marketId: MarketId;
	results: readonly RunnerResult[];
	/** Of a place market that pays fewer places than it announced: how many. */
	places?: number;
	/** The market as it was seen when the result was decided; in another status or version it is refused. */
	seen?: SeenMarket;
}
/** The status and the version of a market, in which nothing is matched while it is not open. */
export interface SeenMarket {
	status: MarketStatus;
	version: number;
}
/**
 * Takes single matches back, as the ledger names them: batch and row number are theirs, the rest is what was matched. Where fills
 * are kept one by one (runners may be taken out, or prices are lines) it says which of each bet's fills it is, from 0:
 * then it counts at the price it is reduced to.
 */
export interface VoidMatches {
	kind: 'void-matches';
	marketId: MarketId;
	matches: readonly {
		batch: number;
		rowNumber: number;
		takerBetId: BetId;
		makerBetId: BetId;
		price: AnyPrice;
		stake: AnyPaise;
		takerFill?: number;
		makerFill?: number;
	}[];
}
/**
 * Takes a payment back: postings the other way round, and the market stands CLOSED with its bets as before. The ledger
 * gives the bets, because the engine forgets what is paid.
 */
export interface ReopenMarket {
	kind: 'reopen-market';
	marketId: MarketId;
	bets: readonly RestoredBet[];
	/** What each player was paid, to be found again. */
	payments: readonly { walletId: WalletId; net: AnyPaise; commission: AnyPaise }[];
	/** One more than the last of its payment's postings. */
	nextStep: number;
}
/** Returns every stake; what is unmatched lapses. */
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
	| RemoveRunner
	| ReturnRunner
	| SuspendMarket
	| SuspendRunner
	| ResumeMarket
	| TurnInPlay
	| CloseMarket
	| SettleMarket
	| VoidMatches
	| ReopenMarket
	| VoidMarket
>;
