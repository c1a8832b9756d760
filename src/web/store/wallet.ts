/** The player's free balance and exposure as shown; an older version never overwrites a newer. */

import { create } from 'zustand';
import { writeStored } from '#web/api/storage.ts';

export interface Wallet {
	/** Free cash in major units. */
	balance: number;
	/** Held for open bets, major units. */
	exposure: number;
	/** The wallet's version of the last hub message; 0 before the first. */
	version: number;
	/** When a versioned message last came (performance.now()). */
	versionedAt: number;
}

const EMPTY: Wallet = { balance: 0, exposure: 0, version: 0, versionedAt: Number.NEGATIVE_INFINITY };

export const useWallet = create<Wallet>(() => EMPTY);

function show(change: Partial<Wallet> & { balance: number; exposure: number }): void {
	useWallet.setState(change);
	writeStored('balance', String(change.balance));
	writeStored('exposure', String(change.exposure));
}

/** A hub message. */
export function showVersionedWallet(balance: number, exposure: number, version: number, now = performance.now()): void {
	if (version > useWallet.getState().version) show({ balance, exposure, version, versionedAt: now });
}

/**
 * The figures of a call's answer, which carry no version: they count only when no hub message came since the call was
 * made, because that message is at least as new or will be followed by one that is.
 */
export function showAnsweredWallet(balance: number, exposure: number, askedAt: number): void {
	if (askedAt >= useWallet.getState().versionedAt) show({ balance, exposure });
}

/** A login starts anew; versions of another wallet say nothing about this one. */
export function resetWallet(balance: number, exposure: number): void {
	show({ ...EMPTY, balance, exposure });
}

export function emptyWallet(): void {
	useWallet.setState(EMPTY);
}
