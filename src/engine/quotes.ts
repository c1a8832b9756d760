/**
 * The quotes of the market makers. A quote is a bet of a wallet that was opened to quote; the book, matching and every
 * refusal treat it like any bet. Only the ledger differs: it hears of a quote when the quote is matched, and holds money
 * for what is matched alone.
 *
 * This file keeps what the unmatched quotes may cost beyond that, in memory. It counts as spent like held money, so a
 * wallet can quote only what it can pay for, and a match moves no more into the exposure account than was set aside here
 * when the quote was placed. docs/MARKETS.md, "Quotes", has the proof.
 */
import type { PositionTable } from '#engine/positions.ts';
import type { WalletTable } from '#engine/wallets.ts';

export class Quotes {
	readonly #positions: PositionTable;
	readonly #wallets: WalletTable;
	/** Paise set aside, by the row of the position; none is 0. */
	readonly #ofPosition = new Map<number, number>();
	/** And in all, by the row of the wallet. */
	readonly #ofWallet = new Map<number, number>();

	constructor(positions: PositionTable, wallets: WalletTable) {
		this.#positions = positions;
		this.#wallets = wallets;
	}

	/** Paise set aside for the quotes of a position. */
	asideFor(position: number): number {
		return this.#ofPosition.get(position) ?? 0;
	}

	/** Paise set aside for all quotes of a wallet. */
	asideOf(wallet: number): number {
		return this.#ofWallet.get(wallet) ?? 0;
	}

	/**
	 * Sets aside what the position's quotes may cost, as far as the wallet's money goes.
	 * @param exposure of the position with its quotes, paise
	 * @returns what of it the ledger has to hold
	 */
	cover(position: number, wallet: number, exposure: number): number {
		const aside = this.asideFor(position);
		const free = Math.max(0, this.#wallets.cash(wallet) - this.asideOf(wallet));
		const covered = Math.min(exposure, this.#positions.held(position) + aside + free);
		const held = Math.min(covered, this.#positions.matchedExposure(position));
		this.#set(position, wallet, covered - held);
		return held;
	}

	#set(position: number, wallet: number, paise: number): void {
		const all = this.asideOf(wallet) - this.asideFor(position) + paise;
		if (paise === 0) this.#ofPosition.delete(position);
		else this.#ofPosition.set(position, paise);
		this.#ofWallet.set(wallet, all);
	}
}
