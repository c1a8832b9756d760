/** What each player stands to win and lose in each market, a row of numbers each, with the figures in pages. */
import type { BetTable } from '#engine/bets.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { PositionIndex } from '#engine/position-index.ts';
import * as rows from '#engine/rows.ts';
import { RowDigest, widened } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import type { WalletTable } from '#engine/wallets.ts';
import {
	addMatchedAt,
	addUnmatchedAt,
	exposureOfOneWinner,
	exposurePaise,
	type Figures,
	figureCount,
	largestFigureAt,
} from '#values/exposure.ts';
import type { SideCode } from '#values/sides.ts';

// Constants of its own, which a file reads faster than imported ones: see ARCHITECTURE, "What is hot".
const { NONE } = rows;

/** In lines of eight numbers, as the processor's cache takes them. */
const LINE_BITS = 3;
const LINE = 1 << LINE_BITS;

/** A row begins with what is held and what is open, four numbers of four bytes, and then has its figures. */
const HELD = 0;
const OPEN_VALUE = 1;
const FIGURES = 4;
/** Counted in four bytes from the row's begin. */
const WALLET = 4;
/** The market's index, and in the lowest bits the place of the pool among the market's. */
const MARKET = 5;
const POOL_BITS = 2;
const LAST_BET = 6;
const NEXT = 7;
const FORGOTTEN = -2;
const WORDS = LINE * 2;

/** How many lines a row has: in whole numbers, as a quotient would make row numbers fractions to the compiler. */
const linesOf = ({ shape }: Market): number => (FIGURES + figureCount(shape) + LINE - 1) >> LINE_BITS;

/** A row's number is the line it begins at; rows differ in length with the number of runners. */
export class PositionTable {
	wide: Float64Array<ArrayBuffer>;
	/** The same memory, read as four bytes. */
	words: Int32Array<ArrayBuffer>;
	#used = 0;
	/** Rows given back, by their length. */
	readonly #spare = new Map<number, number[]>();
	readonly #index = new PositionIndex();
	readonly #digest: RowDigest;
	readonly #wallets: WalletTable;
	readonly #markets: readonly Market[];
	/** One reader for all: good until the next look at another position. */
	readonly #figures: Figures = {
		data: new Float64Array(0),
		at: 0,
		runners: 0,
		winners: 1,
		eachWay: 0,
		line: null,
		out: null,
	};

	/** @param capacity lines that there is room for at first */
	constructor(keepDigest: boolean, capacity: number, wallets: WalletTable, markets: readonly Market[]) {
		this.wide = new Float64Array(capacity * LINE);
		this.words = new Int32Array(this.wide.buffer);
		this.#digest = new RowDigest(keepDigest);
		this.#digest.resize(capacity);
		this.#wallets = wallets;
		this.#markets = markets;
	}

	/** The position of a wallet, given by its row, or NONE. */
	find(market: Market, wallet: number): number {
		return this.#index.find(market, wallet);
	}

	/** A new position with nothing in it, first in its side's list. */
	add(market: Market, side: PoolSide, wallet: number): number {
		const row = this.#take(linesOf(market));
		const at = row * WORDS;
		this.words[at + WALLET] = wallet;
		this.words[at + MARKET] = (market.index << POOL_BITS) | side.place;
		this.words[at + LAST_BET] = NONE;
		this.words[at + NEXT] = side.firstPosition;
		side.firstPosition = row;
		this.#index.add(market, wallet, row);
		return row;
	}

	/** Paise held in the wallet's exposure account for this market. */
	held(row: number): number {
		return this.wide[row * LINE + HELD] as number;
	}
	setHeld(row: number, paise: number): void {
		this.wide[row * LINE + HELD] = paise;
	}
	/** Σ stake × price of its resting bets: what may still be matched. */
	openValue(row: number): number {
		return this.wide[row * LINE + OPEN_VALUE] as number;
	}
	addOpenValue(row: number, value: number): void {
		this.wide[row * LINE + OPEN_VALUE] = (this.wide[row * LINE + OPEN_VALUE] as number) + value;
	}
	/** How large its figures are and may become: matched on that runner, and all that is open. */
	largestFigure(row: number, market: Market, runner: number): number {
		return this.openValue(row) + largestFigureAt(this.wide, row * LINE + FIGURES, market.shape, runner);
	}
	/** Newest of its bets. */
	lastBet(row: number): number {
		return this.words[row * WORDS + LAST_BET] as number;
	}
	/** The next position of the same market and pool. */
	next(row: number): number {
		return this.words[row * WORDS + NEXT] as number;
	}
	/** Row of its wallet. */
	walletOf(row: number): number {
		return this.words[row * WORDS + WALLET] as number;
	}
	marketOf(row: number): Market {
		return this.#markets[(this.words[row * WORDS + MARKET] as number) >> POOL_BITS] as Market;
	}
	/** Which of its market's pools it is in, by its place among them. */
	poolOf(row: number): number {
		return (this.words[row * WORDS + MARKET] as number) & ((1 << POOL_BITS) - 1);
	}

	/** The position's figures; the same object each time. */
	figures(row: number): Figures {
		const { shape, outOfRace } = this.marketOf(row);
		const figures = this.#figures;
		figures.out = outOfRace;
		figures.data = this.wide;
		figures.at = row * LINE + FIGURES;
		figures.runners = shape.runners;
		figures.winners = shape.winners;
		figures.eachWay = shape.eachWay;
		figures.line = shape.line;
		return figures;
	}

	/** Adds (or with a negative stake takes away) an unmatched order. */
	addUnmatched(row: number, market: Market, runner: number, side: SideCode, price: number, stake: number): void {
		addUnmatchedAt(this.wide, row * LINE + FIGURES, market.shape, runner, side, price, stake);
	}

	/** Adds a matched part of an order by its stake and its value, Σ stake × price. */
	addMatched(row: number, market: Market, runner: number, side: SideCode, value: number, stake: number): void {
		addMatchedAt(this.wide, row * LINE + FIGURES, market.shape, runner, side, value, stake);
	}

	/** Turns a part of a resting order, at its own price, from unmatched into matched. */
	match(
		row: number,
		market: Market,
		runner: number,
		side: SideCode,
		price: number,
		value: number,
		stake: number,
	): void {
		const { wide } = this;
		const open = row * LINE + OPEN_VALUE;
		wide[open] = (wide[open] as number) - value;
		addUnmatchedAt(wide, row * LINE + FIGURES, market.shape, runner, side, price, -stake);
		addMatchedAt(wide, row * LINE + FIGURES, market.shape, runner, side, value, stake);
	}

	/** What must be held, paise. */
	exposure(row: number, market: Market): number {
		if (!market.oneOfAllWins) return exposurePaise(this.figures(row));
		return exposureOfOneWinner(this.wide, row * LINE + FIGURES, market.shape.runners);
	}

	/** A new bet of this position. */
	link(row: number, bet: number, bets: BetTable): void {
		const at = row * WORDS + LAST_BET;
		bets.linkAfter(bet, this.words[at] as number);
		this.words[at] = bet;
		this.#digest.touch(row);
	}

	unlink(row: number, bet: number, bets: BetTable): void {
		const before = bets.unlink(bet);
		if (before !== undefined) this.words[row * WORDS + LAST_BET] = before;
	}

	touch(row: number): void {
		this.#digest.touch(row);
	}

	/** Forgets every position of a side; their rows may be others' next. */
	clear(market: Market, side: PoolSide): void {
		const lines = linesOf(market);
		const spare = this.#spare.get(lines) ?? [];
		this.#spare.set(lines, spare);
		for (let row = side.firstPosition; row !== NONE; ) {
			const next = this.next(row);
			this.#digest.touch(row);
			this.#digest.drop(row);
			this.words[row * WORDS + WALLET] = FORGOTTEN;
			spare.push(row);
			row = next;
		}
		side.firstPosition = NONE;
		this.#index.clear(market);
	}

	/** Unmatched orders count through their bets; a position with nothing matched equals none. */
	lanes(hasher: Hasher) {
		return this.#digest.lanes(hasher, (row) => {
			if (this.words[row * WORDS + WALLET] === FORGOTTEN) return false;
			const { data, at, runners } = this.figures(row);
			hasher.start(4);
			hasher.add(this.#wallets.id(this.walletOf(row)));
			hasher.add(this.marketOf(row).marketId);
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
	#take(lines: number): number {
		const spare = this.#spare.size === 0 ? undefined : this.#spare.get(lines)?.pop();
		if (spare !== undefined) {
			this.wide.fill(0, spare * LINE, (spare + lines) * LINE);
			return spare;
		}
		const row = this.#used;
		this.#used += lines;
		if (this.#used * LINE > this.wide.length) this.#grow(Math.max(this.wide.length * 2, this.#used * LINE));
		return row;
	}

	#grow(capacity: number): void {
		this.wide = widened(this.wide, capacity);
		this.words = new Int32Array(this.wide.buffer);
		this.#digest.resize(capacity / LINE);
	}
}
