/** The players' accounts, a block each, in paise. */
import { allocate, at, WALLETS } from './blocks';
import { addDirtyRow, isTracking } from './dirty-rows';

/** Its digest is stale. */
export const DIRTY: i32 = 1;
/** The player has limits of his own. */
export const LIMITED: i32 = 2;
/** Its bets are quotes, see src/engine/quotes.ts: they go the general way, and so does what is held for them. */
export const QUOTES: i32 = 4;

@unmanaged
export class Wallet {
	id: f64;
	pool: i32;
	/** DIRTY, LIMITED, QUOTES. */
	flags: i32;
	/** The player's own rate in basis points, below zero where the market's counts. */
	commissionBp: f64;
	/** Rises with every posting. */
	version: f64;
	cash: f64;
	exposure: f64;
	hold: f64;
	bonus: f64;

	/** Whether its bets may be placed at once. */
	get isPlain(): bool {
		return (this.flags & (LIMITED | QUOTES)) == 0;
	}

	get isQuoting(): bool {
		return (this.flags & QUOTES) != 0;
	}
}

export function walletAt(row: i32): Wallet {
	return changetype<Wallet>(at(row));
}

export function addWallet(id: f64, pool: i32, commissionBp: f64): i32 {
	const row = allocate(1);
	const wallet = walletAt(row);
	wallet.id = id;
	wallet.pool = pool;
	wallet.commissionBp = commissionBp;
	markWalletDirty(row);
	return row;
}

export function markWalletDirty(row: i32): void {
	const wallet = walletAt(row);
	if (wallet.flags & DIRTY || !isTracking()) return;
	wallet.flags |= DIRTY;
	addDirtyRow(row, WALLETS);
}

/** Moves cash into exposure, or with an amount below zero out of it; counts as one posting. */
export function reserve(row: i32, amount: f64): void {
	const wallet = walletAt(row);
	const cash = wallet.cash - amount;
	const exposure = wallet.exposure + amount;
	// Cash that a removed runner left below zero may still grow. A quote was covered when it was placed; what the wallet
	// has lost since cannot undo its match.
	assert(amount <= 0 || cash >= 0 || wallet.isQuoting, 'a hold takes no more than the cash of its wallet');
	assert(exposure >= 0, 'the exposure account of a wallet is never below zero');
	wallet.cash = cash;
	wallet.exposure = exposure;
	wallet.version += 1;
	markWalletDirty(row);
}
