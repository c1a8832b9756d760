/** The player's free balance and exposure as shown; an older version never overwrites a newer. */

import { create } from 'zustand';
import { type Minor, majorFromMinor, minorOf, ZERO } from '#values/money.ts';
import { writeStored } from '#web/api/storage.ts';

interface Wallet {
	/** Cash that is free to bet. */
	balance: Minor;
	/** Held for open bets. */
	exposure: Minor;
	/** The wallet's version of the last hub message; 0 before the first. */
	version: number;
	/** The figures are at least as new as that: when a message came, or the call of an answer began (performance.now()). */
	asOf: number;
	/** The balance without results that games have not shown; null while no game is showing one. */
	unrevealed: { balance: Minor; shows: number } | null;
}

const EMPTY: Wallet = {
	balance: ZERO,
	exposure: ZERO,
	version: 0,
	asOf: Number.NEGATIVE_INFINITY,
	unrevealed: null,
};

export const useWallet = create<Wallet>(() => EMPTY);

function show(change: Partial<Wallet> & Pick<Wallet, 'balance' | 'exposure'>): void {
	useWallet.setState(change);
	writeStored('balance', String(majorFromMinor(change.balance)));
	writeStored('exposure', String(majorFromMinor(change.exposure)));
}

/** A hub message. */
export function showVersionedWallet(balance: Minor, exposure: Minor, version: number, now = performance.now()): void {
	if (version > useWallet.getState().version) show({ balance, exposure, version, asOf: now });
}

/**
 * The figures of a call's answer, which carry no version: they count only if no hub message came since the call was
 * made, because that message is at least as new or will be followed by one that is, and no answer of a later call.
 */
export function showAnsweredWallet(balance: Minor, exposure: Minor, askedAt: number): void {
	if (askedAt >= useWallet.getState().asOf) show({ balance, exposure, asOf: askedAt });
}

/** The balance that screens show. */
export const shownBalance = ({ balance, unrevealed }: Wallet): Minor => unrevealed?.balance ?? balance;

/**
 * A game takes a stake, and will take a while to show the result; the balance would reveal it immediately. Shows may
 * overlap.
 * @returns a function that ends the show; further calls do nothing
 */
export function beginShow(stake: Minor): (payout: Minor) => void {
	const { balance, unrevealed } = useWallet.getState();
	const shown = unrevealed ?? { balance, shows: 0 };
	useWallet.setState({ unrevealed: { balance: minorOf(shown.balance - stake), shows: shown.shows + 1 } });
	let hasEnded = false;
	return (payout) => {
		const standing = useWallet.getState().unrevealed;
		// Another login drops the shows of the previous one.
		if (hasEnded || !standing) return;
		hasEnded = true;
		const shows = standing.shows - 1;
		useWallet.setState({ unrevealed: shows === 0 ? null : { balance: minorOf(standing.balance + payout), shows } });
	};
}

/** A login starts from scratch; versions of another wallet do not apply to this one. */
export function resetWallet(balance: Minor, exposure: Minor): void {
	show({ ...EMPTY, balance, exposure });
}

export function emptyWallet(): void {
	useWallet.setState(EMPTY);
}
