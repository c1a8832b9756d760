/** What an event changes about all bets of a market: see change-bets.ts. */
import type { LapseReason, MarketStatus } from '#engine/effect.ts';
import type { BetId, WalletId } from '#values/ids.ts';

/** Unmatched parts lapse. */
interface Lapse {
	kind: 'LAPSE';
	reason: LapseReason;
	/** Bets that persist are left alone. */
	unlessPersistent: boolean;
}

/** A runner left, came back, or has another factor. */
export interface RunnerChange {
	kind: 'RUNNER';
	runner: number;
	/** Basis points. */
	reductionBp: number;
	/** Bets on the runner are void. */
	voids: boolean;
	/** Lays that wait are asked at reduced prices, too: once for each removal. */
	cuts: boolean;
}

export type BetChange = Lapse | RunnerChange;

/** A change under way. The market's row keeps it. */
export interface ChangeWalk {
	change: BetChange;
	/** The market's status after the last step. */
	nextStatus: MarketStatus;
	/** Wallets up to this one are done. */
	doneWallet: WalletId;
	/** Of a wallet above it, which is done in part: the last bet. */
	part: { walletId: WalletId; betId: BetId } | null;
}
