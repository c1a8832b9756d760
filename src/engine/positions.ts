/** Each player's possible results in each market, a row each, see src/kernel/positions.ts. */
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { POOL_SIDE_ROW, POSITION_ROW, POSITIONS } from '#engine/kernel-layout.ts';
import type { Market, MarketIndex, PoolSide } from '#engine/market.ts';
import { NONE } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import type { WalletTable } from '#engine/wallets.ts';
import { figureCount } from '#values/exposure.ts';
import type { FigureShape, Figures } from '#values/figures.ts';
import type { AnyMinor } from '#values/money.ts';
import { POOLS, stepOf } from '#values/pools.ts';

const {
	held: HELD,
	setAside: SET_ASIDE,
	base: FIGURES,
	wallet: WALLET,
	market: MARKET,
	lastBet: LAST_BET,
	next: NEXT,
} = POSITION_ROW;
/** In `market`: its row, four bits of the pool's code, and one bit that marks the row dirty. */
const DIRTY = 1;
const POOL_SHIFT = 1;
const { FORGOTTEN, MARKET_BITS: MARKET_SHIFT, POOL_MASK } = POSITIONS;
const WIDE = BLOCK_WIDE;
const WORDS = BLOCK_WORDS;
/** By the pool's code, minor units of the smallest coin. */
const STEPS = POOLS.map(stepOf);
/** In a side, counted in four bytes: the newest of its positions. */
const { firstPosition: NEWEST } = POOL_SIDE_ROW;

/** The number of blocks of a position in a market with these figures. */
export const positionBlocks = (shape: FigureShape): number => Math.ceil((FIGURES + figureCount(shape)) / WIDE);

export class PositionTable {
	readonly #kernel: Kernel;
	readonly #wallets: WalletTable;
	readonly #markets: MarketIndex;
	/** One reader for all: valid until the next position is read. */
	readonly #figures: Figures = {
		data: new Float64Array(0),
		at: 0,
		runners: 0,
		winners: 1,
		eachWay: 0,
		line: null,
		step: 1,
		out: null,
	};

	constructor(kernel: Kernel, wallets: WalletTable, markets: MarketIndex) {
		this.#kernel = kernel;
		this.#wallets = wallets;
		this.#markets = markets;
	}

	/** The position of a wallet, given by its row, or NONE. */
	find(market: Market, wallet: number): number {
		return this.#kernel.call.findPosition(market.row, wallet);
	}

	/** The newest position of a side, or NONE; `next` leads to the others. */
	newest(side: PoolSide): number {
		return this.#kernel.words[side.wide * 2 + NEWEST] as number;
	}

	/** Minor units held in the wallet's exposure account for this market. */
	held(row: number): AnyMinor {
		return this.#kernel.wide[row * WIDE + HELD] as number;
	}
	setHeld(row: number, minor: number): void {
		this.#kernel.wide[row * WIDE + HELD] = minor;
	}
	/** Minor units that a wallet which quotes sets aside for its unmatched bets. */
	setAside(row: number): AnyMinor {
		return this.#kernel.wide[row * WIDE + SET_ASIDE] as number;
	}
	/** Newest of its bets. */
	lastBet(row: number): number {
		return this.#kernel.words[row * WORDS + LAST_BET] as number;
	}
	/** The next position of the same market and pool. */
	next(row: number): number {
		return this.#kernel.words[row * WORDS + NEXT] as number;
	}
	/** Row of its wallet. */
	walletOf(row: number): number {
		return this.#kernel.words[row * WORDS + WALLET] as number;
	}
	marketOf(row: number): Market {
		const { words } = this.#kernel;
		return this.#markets.at((words[row * WORDS + MARKET] as number) >> MARKET_SHIFT);
	}
	/** The code of its pool. */
	poolOf(row: number): number {
		return ((this.#kernel.words[row * WORDS + MARKET] as number) >> POOL_SHIFT) & POOL_MASK;
	}

	/** The position's figures; the same object each time. */
	figures(row: number): Figures {
		const market = this.marketOf(row);
		const { shape } = market;
		const figures = this.#figures;
		figures.out = market.changing ? market.outOfRaceOf(this.#wallets.id(this.walletOf(row))) : market.outOfRace;
		figures.data = this.#kernel.wide;
		figures.at = row * WIDE + FIGURES;
		figures.runners = shape.runners;
		figures.winners = shape.winners;
		figures.eachWay = shape.eachWay;
		figures.line = shape.line;
		figures.step = STEPS[this.poolOf(row)] as number;
		return figures;
	}

	touch(row: number): void {
		this.#kernel.call.markPositionDirty(row);
	}

	/**
	 * Whether a side has a position with bets. Those without, which a settlement leaves, go out of its list on the way, so
	 * that each is passed once.
	 */
	leadsWithBets(side: PoolSide): boolean {
		const { words } = this.#kernel;
		const list = side.wide * 2 + NEWEST;
		let first = words[list] as number;
		while (first !== NONE && this.lastBet(first) === NONE) first = this.next(first);
		words[list] = first;
		return first !== NONE;
	}

	/** Forgets every position of a side; their rows are free for other use. */
	clear(market: Market, side: PoolSide): void {
		this.#kernel.call.clearPositions(market.row, side.code);
	}

	/**
	 * Mixes the position into the digest, which clears the dirty flag. Unmatched bets count as bets; a position with
	 * nothing matched equals none.
	 */
	describe(row: number, hasher: Hasher): boolean {
		const { words } = this.#kernel;
		words[row * WORDS + MARKET] = (words[row * WORDS + MARKET] as number) & ~DIRTY;
		if (words[row * WORDS + WALLET] === FORGOTTEN) return false;
		const { data, at, runners } = this.figures(row);
		hasher.start(4);
		const walletId = this.#wallets.id(this.walletOf(row));
		const market = this.marketOf(row);
		hasher.add(walletId);
		hasher.add(market.marketId);
		hasher.add(this.held(row));
		hasher.add(data[at] as number);
		let empty = this.held(row) === 0 && data[at] === 0;
		for (let runner = 0; runner < runners; runner++) {
			const gain = data[at + 2 + runner] as number;
			hasher.add(gain);
			empty &&= gain === 0;
		}
		const decided = market.decided.get(walletId);
		if (decided !== undefined) hasher.addText(String(decided));
		return !empty || decided !== undefined;
	}
}
