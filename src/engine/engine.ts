/**
 * The exchange as a deterministic state machine: `apply(command, effects) → outcome`. No clock, no randomness, no I/O,
 * no floats. One engine holds every pool's wallets, markets and books.
 */
import type { Command } from '#engine/command.ts';
import type { Effects, MarketStatus } from '#engine/effect.ts';
import type { MarketTerms, RunnerResult } from '#engine/market-terms.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { PlayerLimits } from '#engine/wallets.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

export interface Level {
	/** Hundredths. */
	price: AnyPrice;
	/** Paise. */
	size: number;
}

export interface WalletView {
	walletId: WalletId;
	pool: Pool;
	cash: AnyPaise;
	exposure: AnyPaise;
	hold: AnyPaise;
	bonus: AnyPaise;
	/** Rises by one with every change of this wallet. */
	version: number;
	commissionBp: number | null;
	limits: PlayerLimits | null;
	/** A market maker's: see quotes.ts. */
	quotes: boolean;
}

export interface MarketView extends MarketTerms {
	marketId: MarketId;
	status: MarketStatus;
	inPlay: boolean;
	/** Rises at suspension, turning in-play and runner removal. */
	version: number;
	results: readonly RunnerResult[] | null;
	/** Fewer places than it announced, where its result pays so; null otherwise. */
	placesPaid: number | null;
	/** Less can be held than the exposure asks: matches were voided, or it was paid before. */
	mayBeShort: boolean;
	/** Number of its next posting at a settlement. */
	nextStep: number;
	/** Runners taken out, with their reduction factors in basis points. */
	removed: readonly (readonly [runner: number, reductionBp: number])[];
	/** Runners that nobody can bet on for now. */
	suspended: readonly number[];
	/** An operator suspended the market, so a feed cannot resume it. */
	heldByOperator: boolean;
}

export interface Engine {
	apply(command: Command, effects: Effects): Outcome;

	wallet(walletId: WalletId): WalletView | null;
	market(marketId: MarketId): MarketView | null;
	/** Every house account that is not zero or ever was: kind, pool, owner (market for a pot), balance. */
	houseAccounts(): { kind: string; pool: Pool; owner: number; balance: AnyPaise }[];
	houseBalance(kind: string, pool: Pool, owner: number): number;
	/** Aggregated resting bets, best price first: for BACK the lowest price of resting backs first, for LAY the highest of resting lays. */
	levels(marketId: MarketId, pool: Pool, runner: number, side: 0 | 1, depth: number): Level[];
	/** Every resting bet of a runner: backs by rising price, then lays by falling price, each price oldest first. */
	restingBets(
		marketId: MarketId,
		pool: Pool,
		runner: number,
	): { betId: BetId; side: 0 | 1; price: AnyPrice; remaining: AnyPaise }[];
	lastPriceTraded(marketId: MarketId, pool: Pool, runner: number): number | null;
	/** Backers' stake matched so far. */
	totalMatched(marketId: MarketId, pool: Pool, runner: number): number;
	/** The wallet's exposure in one market, whole paise rounded up. */
	marketExposure(walletId: WalletId, marketId: MarketId): number;
	/** What is known of a live bet besides its figures: its fills where they are kept, and the delay it waits out or did. */
	betDetail(betId: BetId): Required<Pick<RestoredBet, 'fills' | 'delay' | 'queuedAfter'>>;
	/** Bets that wait out a delay, of all markets, with the time it ends. */
	pendingBets(): { betId: BetId; dueAtMs: number }[];
	/** Net result per runner if it wins, where prices are lines per line if it is the last one passed; matched bets only, in hundredths of a paisa; null when all are zero. */
	profitLoss(walletId: WalletId, marketId: MarketId): number[] | null;

	/** What a player wants for certain before the market is cashed out automatically, paise; null without a target. */
	cashOutTarget(walletId: WalletId, marketId: MarketId): number | null;

	/** Recovery, in this order: wallets and house accounts, markets, bets of unsettled markets by their ids. */
	restoreWallet(wallet: WalletView): void;
	restoreHouseAccount(kind: string, pool: Pool, owner: number, balance: AnyPaise): void;
	restoreMarket(
		market: MarketView,
		lastTraded: { pool: Pool; runner: number; lastPriceTraded: AnyPrice | null; totalMatched: AnyPaise }[],
	): void;
	/** Lets go of a market that is paid or void, of others not; restoring it brings it back, to be opened again. */
	forgetMarket(marketId: MarketId): void;
	restoreBet(bet: RestoredBet): void;
	/** After the bets: what is held for one position. */
	restoreHeld(walletId: WalletId, marketId: MarketId, held: AnyPaise): void;
	restoreCashOutTarget(walletId: WalletId, marketId: MarketId, target: AnyPaise): void;
	/** The last numbers used, so that what follows is what would have followed. */
	restoreCounters(counters: EngineCounters): void;
	counters(): EngineCounters;

	/**
	 * The digest of the whole state, 16 hex digits, kept up to date from what was touched since it was last asked
	 * (see state-hash.ts).
	 */
	hash(): string;

	/** Bytes that its tables take. */
	memoryBytes(): number;

	/** Throws when an invariant does not hold: crossed book, negative account, pools that do not sum to zero, exposure that is not the sum of its markets. */
	checkInvariants(): void;
}

export interface EngineCounters {
	lastBetId: number;
	/** Numbers the cash↔exposure postings. */
	lastReservation: number;
	/** Number of commands applied that changed something. */
	lastCommand: number;
}
