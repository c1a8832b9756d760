/** A bet as the tables hold it. */
import type { BetFill, PendingBet } from '#engine/bet-detail.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** What recovery feeds back, read from the tables; order matters only where it says so. */
export interface RestoredBet {
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	pool: Pool;
	runner: number;
	side: 0 | 1;
	price: AnyPrice;
	stake: AnyPaise;
	persist: boolean;
	matched: AnyPaise;
	/** Σ stake × price of its fills (paise × hundredths). */
	matchedValue: number;
	remaining: AnyPaise;
	/** In reducible markets, as reduced since; and where prices are lines. */
	fills?: readonly BetFill[] | null;
	/** While it waits out a delay. */
	delay?: PendingBet | null;
	/** Of one that waited a delay out: the last bet placed before it reached the book, where it stands behind that one. */
	queuedAfter?: number | null;
}
