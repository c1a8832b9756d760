/**
 * What can be asked of the engine. Commands are imperative; time and outside ids arrive inside them, so the same
 * commands always give the same state. Amounts are paise, prices hundredths, `runner` is the index of a runner in
 * its market (the server knows its name), `side` is 0 back, 1 lay.
 */
import type { Currency, Pool } from '#values/pools.ts';
import type { SideCode } from '#values/sides.ts';

/** Makes a player's wallet in one pool; an existing one stays as it is (asking twice is harmless). */
export interface OpenWallet {
	kind: 'open-wallet';
	walletId: number;
	pool: Pool;
	currency: Currency;
	/** The player's own commission rate in basis points; replaces the market's. */
	commissionBp?: number;
}

/** Play or demo coins: mint→cash. `grantId` makes it unique: the same id grants once. */
export interface GrantCoins {
	kind: 'grant-coins';
	grantId: number;
	walletId: number;
	amount: number;
}

/** Opens a market in the given pools; each pool gets books of its own. Status is OPEN unless it starts suspended. */
export interface OpenMarket {
	kind: 'open-market';
	marketId: number;
	pools: readonly Pool[];
	currency: Currency;
	runners: number;
	numberOfWinners: number;
	commissionBp: number;
	minStake: number;
	maxStake: number;
	/** False switches INVALID_PROFIT_RATIO off (scenario files). */
	profitRatioRule: boolean;
	/** REFUSE is the rule; ALLOW exists for benchmarks and scenario files. */
	selfMatch: 'REFUSE' | 'ALLOW';
	suspended: boolean;
}

export interface PlaceBet {
	kind: 'place-bet';
	/** Given by the sequencer, rising. */
	betId: number;
	walletId: number;
	marketId: number;
	runner: number;
	side: SideCode;
	/** Hundredths, on the ladder. */
	price: number;
	stake: number;
	persist: boolean;
}

export interface CancelBet {
	kind: 'cancel-bet';
	betId: number;
	/** The asking player; an operator's cancel leaves it out. */
	walletId?: number;
	/** What to take off the unmatched part; all of it when left out. Lowering keeps the time priority. */
	size?: number;
}

/** Nothing is placed or matched while suspended. `lapseUnmatched` on a material incident. `ballRunning` lapses nothing. */
export interface SuspendMarket {
	kind: 'suspend-market';
	marketId: number;
	lapseUnmatched: boolean;
	ballRunning?: boolean;
}
export interface ResumeMarket {
	kind: 'resume-market';
	marketId: number;
}
/** LAPSE bets lapse, PERSIST bets stay; the market version rises. A suspended market stays suspended. */
export interface TurnInPlay {
	kind: 'turn-in-play';
	marketId: number;
}
/** Betting is over: what is unmatched lapses; the market waits for its result. */
export interface CloseMarket {
	kind: 'close-market';
	marketId: number;
}
/** Result per runner index. Lapses what is unmatched, pays every player once, empties the pots. */
export interface SettleMarket {
	kind: 'settle-market';
	marketId: number;
	results: readonly ('WIN' | 'LOSE' | 'VOID')[];
}
/** Returns every stake; what is unmatched lapses. */
export interface VoidMarket {
	kind: 'void-market';
	marketId: number;
}

export type Command = { readonly atMs: number } & Readonly<
	| OpenWallet
	| GrantCoins
	| OpenMarket
	| PlaceBet
	| CancelBet
	| SuspendMarket
	| ResumeMarket
	| TurnInPlay
	| CloseMarket
	| SettleMarket
	| VoidMarket
>;
export type CommandKind = Command['kind'];
