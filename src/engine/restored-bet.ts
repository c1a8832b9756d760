/** A bet as the tables hold it. */
import type { BetFill, BetTerms, OnClose, PendingBet } from '#engine/bet-detail.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** What a recovery reads from the tables; order matters only where the comments say so. */
export interface RestoredBet {
	betId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	pool: Pool;
	runner: number;
	side: 0 | 1;
	price: AnyPrice;
	stake: AnyMinor;
	persist: boolean;
	terms?: BetTerms | null;
	onClose?: OnClose | null;
	takesStart?: boolean;
	matched: AnyMinor;
	/** Σ stake × price of its fills (minor units × hundredths). */
	matchedValue: number;
	remaining: AnyMinor;
	/** In reducible markets, as reduced since; and where prices are lines. */
	fills?: readonly BetFill[] | null;
	/** While the bet is delayed. */
	delay?: PendingBet | null;
	/** Of a bet that was delayed: the last bet placed before it reached the book, which stands ahead of it. */
	queuedAfter?: number | null;
}
