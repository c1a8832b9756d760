/** What each player stands to win and lose in each market, a row of numbers each, with the figures in pages. */
import type { Wallet } from '#engine/accounts.ts';
import type { BetTable } from '#engine/bets.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { NumberIndex } from '#engine/number-index.ts';
import { NONE, RowDigest, widened } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import { type Figures, figureCount } from '#values/exposure.ts';

const FIRST_CAPACITY = 1 << 16;
/** More wallets than any pool set has; keeps market and wallet apart in one key. */
const MOST_WALLETS = 2 ** 26;

/** A row begins with what is held and what is open, four numbers of four bytes, and then has its figures. */
const HELD = 0;
const OPEN_VALUE = 1;
const FIGURES = 4;
/** Counted in four bytes from the row's begin. */
const WALLET = 4;
const MARKET = 5;
const LAST_BET = 6;
const NEXT = 7;
const FORGOTTEN = -2;

/** A row's number is where it begins, in eights of bytes; rows differ in length with the number of runners. */
export class PositionTable {
	wide = new Float64Array(FIRST_CAPACITY);
	/** The same memory, read as four bytes. */
	words = new Int32Array(this.wide.buffer);
	#used = 0;
	/** Rows given back, by their length. */
	readonly #spare = new Map<number, number[]>();
	readonly #index = new NumberIndex();
	readonly #digest: RowDigest;
	readonly #wallets: readonly Wallet[];
	readonly #markets: readonly Market[];
	/** One reader for all: good until the next look at another position. */
	readonly #figures: Figures = { data: new Float64Array(0), at: 0, runners: 0, winners: 1, out: null };

	constructor(keepDigest: boolean, wallets: readonly Wallet[], markets: readonly Market[]) {
		this.#digest = new RowDigest(keepDigest);
		this.#digest.resize(FIRST_CAPACITY);
		this.#wallets = wallets;
		this.#markets = markets;
	}

	find(market: Market, wallet: Wallet): number {
		return this.#index.find(market.index * MOST_WALLETS + wallet.index);
	}

	/** A new position with nothing in it, first in its side's list. */
	add(market: Market, side: PoolSide, wallet: Wallet): number {
		const row = this.#take(FIGURES + figureCount(market.terms.runners, market.terms.numberOfWinners));
		const at = row * 2;
		this.words[at + WALLET] = wallet.index;
		this.words[at + MARKET] = market.index;
		this.words[at + LAST_BET] = NONE;
		this.words[at + NEXT] = side.firstPosition;
		side.firstPosition = row;
		this.#index.set(market.index * MOST_WALLETS + wallet.index, row);
		return row;
	}

	/** Paise held in the wallet's exposure account for this market. */
	held(row: number): number {
		return this.wide[row + HELD] as number;
	}
	setHeld(row: number, paise: number): void {
		this.wide[row + HELD] = paise;
	}
	/** Σ stake × price of its resting bets: what may still be matched. */
	openValue(row: number): number {
		return this.wide[row + OPEN_VALUE] as number;
	}
	addOpenValue(row: number, value: number): void {
		this.wide[row + OPEN_VALUE] = (this.wide[row + OPEN_VALUE] as number) + value;
	}
	/** Newest of its bets. */
	lastBet(row: number): number {
		return this.words[row * 2 + LAST_BET] as number;
	}
	/** The next position of the same market and pool. */
	next(row: number): number {
		return this.words[row * 2 + NEXT] as number;
	}
	walletOf(row: number): Wallet {
		return this.#wallets[this.words[row * 2 + WALLET] as number] as Wallet;
	}
	marketOf(row: number): Market {
		return this.#markets[this.words[row * 2 + MARKET] as number] as Market;
	}

	/** The position's figures; the same object each time. */
	figures(row: number): Figures {
		const { terms, removed } = this.marketOf(row);
		const figures = this.#figures;
		figures.out = removed.size > 0 ? removed : null;
		figures.data = this.wide;
		figures.at = row + FIGURES;
		figures.runners = terms.runners;
		figures.winners = terms.numberOfWinners;
		return figures;
	}

	/** A new bet of this position. */
	link(row: number, bet: number, bets: BetTable): void {
		const last = this.lastBet(row);
		bets.setBefore(bet, last);
		if (last !== NONE) bets.setAfter(last, bet);
		this.words[row * 2 + LAST_BET] = bet;
		this.#digest.touch(row);
	}

	unlink(row: number, bet: number, bets: BetTable): void {
		const [before, after] = [bets.before(bet), bets.after(bet)];
		if (before !== NONE) bets.setAfter(before, after);
		if (after !== NONE) bets.setBefore(after, before);
		else this.words[row * 2 + LAST_BET] = before;
	}

	touch(row: number): void {
		this.#digest.touch(row);
	}

	/** Forgets every position of a side; their rows may be others' next. */
	clear(market: Market, side: PoolSide): void {
		const length = FIGURES + figureCount(market.terms.runners, market.terms.numberOfWinners);
		const spare = this.#spare.get(length) ?? [];
		this.#spare.set(length, spare);
		for (let row = side.firstPosition; row !== NONE; ) {
			const next = this.next(row);
			this.#index.remove(market.index * MOST_WALLETS + (this.words[row * 2 + WALLET] as number));
			this.#digest.touch(row);
			this.#digest.drop(row);
			this.words[row * 2 + WALLET] = FORGOTTEN;
			spare.push(row);
			row = next;
		}
		side.firstPosition = NONE;
	}

	/** Unmatched orders count through their bets; a position with nothing matched equals none. */
	lanes(hasher: Hasher) {
		return this.#digest.lanes(hasher, (row) => {
			if (this.words[row * 2 + WALLET] === FORGOTTEN) return false;
			const { data, at, runners } = this.figures(row);
			hasher.start(4);
			hasher.add(this.walletOf(row).walletId);
			hasher.add(this.marketOf(row).terms.marketId);
			hasher.add(this.held(row));
			hasher.add(data[at] as number);
			let empty = this.held(row) === 0 && data[at] === 0;
			for (let runner = 0; runner < runners; runner++) {
				const gain = data[at + 2 + runner] as number;
				hasher.add(gain);
				empty &&= gain === 0;
			}
			return !empty;
		});
	}

	/** Room for a row, all zeros. */
	#take(length: number): number {
		const spare = this.#spare.get(length)?.pop();
		if (spare !== undefined) {
			this.wide.fill(0, spare, spare + length);
			return spare;
		}
		if (this.#used + length > this.wide.length) this.#grow(Math.max(this.wide.length * 2, this.#used + length));
		const row = this.#used;
		this.#used += length;
		return row;
	}

	#grow(capacity: number): void {
		this.wide = widened(this.wide, capacity);
		this.words = new Int32Array(this.wide.buffer);
		this.#digest.resize(capacity);
	}
}
