/**
 * The effects of commands, in the past tense, as calls of a listener: the server's batch (which becomes rows), the
 * scenario tool, the benchmark. The engine emits them in the order in which things happened; a refused command emits
 * none. Amounts are minor units, prices hundredths.
 */
import type { BetFill, BetTerms, OnClose } from '#engine/bet-detail.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { EngineRefusal } from '#engine/outcome.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { TriggerTerms } from '#engine/triggers/trigger.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

export type MarketStatus = 'OPEN' | 'SUSPENDED' | 'BALL_RUNNING' | 'CLOSED' | 'SETTLING' | 'SETTLED' | 'VOIDED';

export type LapseReason =
	| 'TURNED_IN_PLAY'
	| 'SUSPENDED'
	| 'MARKET_CLOSED'
	| 'MARKET_SETTLED'
	| 'MARKET_VOIDED'
	| 'RUNNER_REMOVED'
	| 'NOT_FILLED'
	| 'MARKET_VERSION'
	| 'SELF_MATCH'
	/** A post-only bet that would be matched at the end of its delay. */
	| 'WOULD_MATCH'
	/** It was good till a time. */
	| 'EXPIRED'
	/** Others matched the volume of its runner that it waited for. */
	| 'VOLUME_REACHED'
	| 'SITE_SUSPENDED';
export type VoidReason = 'MARKET_VOIDED' | 'RUNNER_VOIDED' | 'RUNNER_REMOVED' | 'BET_VOIDED' | 'LINE_EQUALLED';

/** The reason of a posting; unique for ever together with `ref` and `step`, so nothing posts twice. */
export type PostingKind =
	| 'GRANT' // ref grant id
	| 'BET_RESERVED' // ref: engine posting number
	| 'BET_RELEASED'
	| 'MARKET_SETTLED' // ref market id
	| 'COMMISSION'
	| 'MARKET_REOPENED' // ref market id
	| TransferKind; // ref: id of the workflow

/** The subjects of transfers: a workflow of one of these kinds has a row of its own, see server/exchange/workflows. */
export const TRANSFER_KINDS = [
	'COINS',
	'PAYMENT',
	'DEPOSIT',
	'WITHDRAWAL',
	'PROVIDER_SETTLEMENT',
	'ADJUSTMENT',
	'BONUS',
	'REFERRAL',
	'CASINO',
	'FINDING',
	'DISPUTE',
	'TAX',
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** The accounts. The first four belong to a wallet, `pot` to a market, the rest to the house. */
export type AccountKind =
	| 'cash'
	| 'exposure'
	| 'hold'
	| 'bonus'
	| 'pot'
	/** Where play and demo coins come from. */
	| 'mint'
	| 'commission'
	| 'rounding'
	/** Due from the payment provider, below zero. */
	| 'gateway'
	/** The operator's money at the bank, below zero. */
	| 'bank'
	/** On its way to players' banks. */
	| 'payout'
	/** Received, and assigned to no order yet. */
	| 'unmatched'
	| 'payment_cost'
	| 'casino'
	| 'bonus_cost'
	| 'referral_cost'
	/** Owed to authorities. */
	| 'tax'
	/** Taxes that the house bears, below zero. */
	| 'tax_cost'
	/** The cost of lost disputes beyond the players' balances, and of write-offs. */
	| 'loss';
/** The accounts that transfers move money between; bets alone move exposure, pots, commission and roundings. */
export type TransferAccount = Exclude<AccountKind, 'exposure' | 'pot' | 'commission' | 'rounding'>;

/** One move: debit one account, credit another, in one pool and currency. */
export interface Posting {
	kind: PostingKind;
	ref: number;
	step: number;
	pool: Pool;
	debit: AccountKind;
	/** A wallet id, a market id for `pot`, or 0 for the house. */
	debitOwner: number;
	credit: AccountKind;
	creditOwner: number;
	amount: AnyMinor;
	/** The wallet concerned; 0 when only house accounts are. */
	walletId: WalletId;
	/** The wallet's free cash after this move. */
	cashAfter: AnyMinor;
	/** The market concerned; 0 when none. */
	marketId: MarketId;
}

/** A bet as it was accepted. */
export interface PlacedBet {
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	pool: Pool;
	runner: number;
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
	persist: boolean;
	fillOrKill: boolean;
	terms: BetTerms | null;
	/** Null for other bets. */
	onClose: OnClose | null;
	takesStart: boolean;
	/** A market maker's bet: it reaches the ledger when it is matched. */
	quote: boolean;
}

/** The younger of the two bets is the taker. */
export interface MatchAtStart {
	taker: BetId;
	maker: BetId;
	marketId: MarketId;
	runner: number;
	price: AnyPrice;
	stake: AnyMinor;
	/** Whether the taker is the back. */
	isBack: boolean;
}

/**
 * WAITING for its price; DUE, its price was reached; PLACED its bet; or ended without one: CANCELLED by its player, LAPSED by
 * a rule, or REFUSED, as any bet may be.
 */
type TriggerStatus = 'WAITING' | 'DUE' | 'PLACED' | 'CANCELLED' | 'LAPSED' | 'REFUSED';

/** How a trigger ended. */
export interface TriggerEnd {
	status: Exclude<TriggerStatus, 'WAITING' | 'DUE'>;
	/** Why it lapsed, or its bet was refused; null otherwise. */
	reason: LapseReason | EngineRefusal | null;
	/** The bet that it placed, of a plan the latest one; null without one. */
	betId: BetId | null;
}

/** A trigger as it stands, or as it ended. */
export interface TriggerView extends TriggerTerms, Omit<TriggerEnd, 'status'> {
	pool: Pool;
	status: TriggerStatus;
	placedAtMs: number;
	/** The price at which it is reached; null for a trailing one that has seen no price. */
	at: AnyPrice | null;
	/** Of a trailing one: the best price that it has seen. */
	best: AnyPrice | null;
	/** When its price was reached, or it had to go on; null before. */
	dueAtMs: number | null;
	/** Of a bracket: the latest bet that closes what is matched of its own, and Σ stake × price that earlier ones closed. */
	exitId?: BetId | null;
	closed?: number | null;
}

/** The engine may reuse an argument for the next effect: a listener copies what it keeps. */
export interface Effects {
	walletOpened(walletId: WalletId, pool: Pool, commissionBp: number | null): void;
	/** A player's limits changed. */
	limitsSet(walletId: WalletId): void;
	/** A group of a player's bets was opened, counted a match, was closed or reset. */
	groupChanged(group: OrderGroupView): void;
	/** What happens to a player's bets that meet their own changed. */
	selfMatchSet(walletId: WalletId): void;
	posted(posting: Posting): void;
	/** The certain result at which a market is cashed out automatically changed; null when it was removed. */
	targetSet(marketId: MarketId, walletId: WalletId, target: AnyMinor | null): void;
	marketOpened(marketId: MarketId): void;
	/** Status, in-play flag or version changed; the listener reads the new values from the engine. */
	marketChanged(marketId: MarketId): void;
	/** A walk through the market made a step; the listener reads its place from the engine. */
	marketStepped(marketId: MarketId): void;
	betPlaced(bet: PlacedBet): void;
	/** A trigger was placed, followed a price, became due, placed its bet or ended without one. */
	triggerChanged(trigger: TriggerView): void;
	/** The bet is held until that time before it reaches the book. */
	betDelayed(betId: BetId, dueAtMs: number, marketVersion: number, minFill: AnyMinor): void;
	/** One fill at the resting bet's price. */
	betMatched(
		takerBetId: BetId,
		makerBetId: BetId,
		marketId: MarketId,
		runner: number,
		price: AnyPrice,
		stake: AnyMinor,
		takerSide: SideCode,
	): void;
	/** The crowd took that much of a quote: the quote is smaller and the market traded, but no bet was matched. */
	quoteTaken(betId: BetId, price: AnyPrice, stake: AnyMinor, takerSide: SideCode): void;
	betCancelled(betId: BetId, stake: AnyMinor): void;
	betLapsed(betId: BetId, stake: AnyMinor, reason: LapseReason): void;
	/** The bet's delay is over: its unmatched part rests in the book from now on. */
	betAdmitted(betId: BetId): void;
	betUpdated(betId: BetId, fate: Pick<PlacedBet, 'persist' | 'takesStart'>): void;
	/** A removed runner lowered the worst starting price that a lay on close takes. */
	limitLowered(betId: BetId, limit: AnyPrice): void;
	/** The auction found a price: what is unmatched of the bet asks that stake at it. Matches, and the lapse of the rest, follow. */
	betEnteredAuction(betId: BetId, price: AnyPrice, stake: AnyMinor): void;
	/** Two bets were matched at the starting price. */
	betMatchedAtStart(match: MatchAtStart): void;
	/** A removed runner lowered the price that a resting bet asks; the bet keeps its time. */
	betRepriced(betId: BetId, price: AnyPrice): void;
	/** A removed runner reduced the prices of a bet's fills. @param fills as they count now */
	betReduced(betId: BetId, matchedValue: number, fills: readonly BetFill[]): void;
	/** A match was voided, as the ledger names it; its bets have effects of their own. */
	matchVoided(batch: number, rowNumber: number): void;
	/**
	 * A matched part of a bet, with its Σ stake × price, was voided; a bet with nothing matched or resting left is
	 * over.
	 */
	/** @param fills those that are left, where the market keeps them one by one and single matches are void */
	betVoided(betId: BetId, stake: AnyMinor, value: number, reason: VoidReason, fills?: readonly BetFill[]): void;
	/** A bet of a settled market is open again, as the command supplied it. */
	betReopened(bet: RestoredBet): void;
	/** A player's settlement was reversed. */
	playerReopened(marketId: MarketId, walletId: WalletId): void;
	/**
	 * A bet with a matched part, once, when its market is settled. The profit is before commission, in hundredths of a
	 * minor unit times `parts`, the number of runners that tied (1 without a tie), because a share need not be a whole
	 * number.
	 */
	betSettled(betId: BetId, result: 'WON' | 'LOST', profitExact: number, parts: number): void;
	/**
	 * A player's net, commission and profit of a settled market in one pool. The rounding is the house's gain or loss.
	 */
	playerSettled(marketId: MarketId, walletId: WalletId, net: AnyMinor, commission: AnyMinor, profit: number): void;
}
