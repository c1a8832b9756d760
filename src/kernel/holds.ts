/** The money held for positions: in the wallet's exposure account, and for quotes set aside beside it. */
import { betAt } from './bets';
import { exposureOf, markPositionDirty, matchedExposureOf, positionAt } from './positions';
import { addHeld, fillAt, fillCount, report } from './report';
import { noteShort } from './short-positions';
import { limitsOf, reserve, Wallet, walletAt } from './wallets';

/** Brings the money held for a position to its exposure. @returns the result of `holdFor` */
export function hold(row: i32): f64 {
	return holdFor(row, exposureOf(row));
}

/**
 * Brings the money held for a position to its exposure, as far as the wallet's cash goes: a removed runner can raise
 * the exposure above it, and the rest is held as soon as cash is free.
 * @returns the amount moved into the exposure account, below zero out of it
 */
export function holdFor(row: i32, exposure: f64): f64 {
	markPositionDirty(row);
	const position = positionAt(row);
	const wallet = walletAt(position.wallet);
	let change: f64;
	if (wallet.isQuoting) change = coverQuotes(row, wallet, exposure) - position.held;
	else {
		change = exposure - position.held;
		if (change > max(wallet.cash, 0)) {
			change = max(wallet.cash, 0);
			noteShort(row);
		}
	}
	if (change == 0) return 0;
	position.held += change;
	assert(position.held >= 0, 'no less than nothing is held for a position');
	reserve(position.wallet, change);
	return change;
}

/**
 * Sets money aside for a position's quotes beyond its matched bets, as far as the wallet's money goes. It counts as
 * spent like held money, so a wallet quotes only what it can pay for, and a match moves no more into the exposure
 * account than was set aside when the quote was placed. docs/MARKETS.md, "Quotes", has the proof.
 * @returns what the ledger has to hold
 */
function coverQuotes(row: i32, wallet: Wallet, exposure: f64): f64 {
	const position = positionAt(row);
	const limits = limitsOf(wallet);
	const available = max(0, wallet.cash - limits.setAside);
	const covered = min(exposure, position.held + position.setAside + available);
	const held = min(covered, matchedExposureOf(row));
	limits.setAside += covered - held - position.setAside;
	position.setAside = covered - held;
	assert(position.setAside >= 0 && limits.setAside >= 0, 'no less than nothing is set aside for quotes');
	return held;
}

/** Brings the money held for a position to its exposure, and reports the change. */
export function holdAndReport(row: i32, exposure: f64): void {
	const change = holdFor(row, exposure);
	if (change == 0) return;
	const wallet = walletAt(positionAt(row).wallet);
	addHeld(wallet.id, change, wallet.cash);
}

/** Updates the held money of every maker that was met; the caller updates the taker's. */
export function holdForMakers(taker: i32): void {
	for (let index = report().ownLapsed; index < fillCount(); index++) {
		const position = betAt(fillAt(index).maker).position;
		if (position != taker) holdAndReport(position, exposureOf(position));
	}
}
