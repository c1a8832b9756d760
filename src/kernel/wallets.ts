/** The players' accounts, a block each, in minor units. */
import { allocate, at, NONE, WALLETS } from './blocks';
import { addDirtyRow, isTracking } from './dirty-rows';

/** The row is dirty. */
export const DIRTY: i32 = 1;
/** Its bets are quotes: the ledger learns of them when they are matched. */
export const QUOTES: i32 = 2;
/**
 * What the player chose for a bet that would be matched with one of their own that rests: the resting one lapses, or the rest
 * of the arriving one. With neither the arriving bet is refused.
 */
export const LAPSES_RESTING: i32 = 4;
export const LAPSES_TAKING: i32 = 8;
/** Some of its positions may lack money: see short-positions.ts. */
export const SHORT: i32 = 16;

@unmanaged
export class Wallet {
	id: f64;
	pool: i32;
	/** DIRTY, QUOTES, LAPSES_RESTING, LAPSES_TAKING, SHORT. */
	flags: i32;
	/** The player's own rate in basis points; below zero where the market's applies. */
	commissionBp: i32;
	/** The row of its limits, or NONE. */
	limits: i32;
	/** Rises with every posting. */
	version: f64;
	cash: f64;
	exposure: f64;
	hold: f64;
	bonus: f64;

	get isQuoting(): bool {
		return (this.flags & QUOTES) != 0;
	}
}

/** Fields of few wallets: the player's own limits, and money set aside for quotes. Minor units; 0 sets no limit. */
@unmanaged
export class WalletLimits {
	/** Of one bet. */
	maxStake: f64;
	maxProfit: f64;
	/** Of all markets together. */
	maxExposure: f64;
	/** What its unmatched quotes may cost beyond what is held. */
	setAside: f64;
}

export function walletAt(row: i32): Wallet {
	return changetype<Wallet>(at(row));
}

/** The caller knows that the wallet has limits. */
export function limitsOf(wallet: Wallet): WalletLimits {
	assert(wallet.limits != NONE, 'the limits of a wallet are read where it has some');
	return changetype<WalletLimits>(at(wallet.limits));
}

/** Minor units set aside for all quotes of a wallet. */
export function setAsideOf(wallet: Wallet): f64 {
	return wallet.isQuoting ? limitsOf(wallet).setAside : 0;
}

export function addWallet(id: f64, pool: i32, commissionBp: i32): i32 {
	const row = allocate(1);
	const wallet = walletAt(row);
	wallet.id = id;
	wallet.pool = pool;
	wallet.commissionBp = commissionBp;
	markWalletDirty(row);
	return row;
}

/** Sets the player's own limits; zeros remove them. */
export function setLimits(row: i32, maxStake: f64, maxProfit: f64, maxExposure: f64): void {
	const limits = addLimits(row);
	limits.maxStake = maxStake;
	limits.maxProfit = maxProfit;
	limits.maxExposure = maxExposure;
	markWalletDirty(row);
}

/** Makes the wallet quote from now on; none of its bets may be unmatched. */
export function setQuoting(row: i32): void {
	addLimits(row);
	walletAt(row).flags |= QUOTES;
	markWalletDirty(row);
}

/** @param choice LAPSES_RESTING, LAPSES_TAKING or 0 */
export function setSelfMatch(row: i32, choice: i32): void {
	const wallet = walletAt(row);
	wallet.flags = (wallet.flags & ~(LAPSES_RESTING | LAPSES_TAKING)) | choice;
	markWalletDirty(row);
}

function addLimits(row: i32): WalletLimits {
	const wallet = walletAt(row);
	if (wallet.limits == NONE) wallet.limits = allocate(1);
	return limitsOf(wallet);
}

export function markWalletDirty(row: i32): void {
	const wallet = walletAt(row);
	if (wallet.flags & DIRTY || !isTracking()) return;
	wallet.flags |= DIRTY;
	addDirtyRow(row, WALLETS);
}

/** Moves cash into exposure, or out of it with an amount below zero; counts as one posting. */
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
