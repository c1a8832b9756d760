/** Bets of a kernel without players, for the order book alone. */
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { ORDER_ROW } from '#engine/kernel-layout.ts';
import type { SideCode } from '#values/sides.ts';

export interface LoneBet {
	/** The row of its market. */
	market: number;
	id: number;
	runner: number;
	side: SideCode;
	price: number;
	tick: number;
	stake: number;
}

export class LoneBets {
	readonly #kernel: Kernel;
	/** Where the order begins in `words`, and in `wide`. */
	readonly #words: number;
	readonly #wide: number;

	constructor(kernel: Kernel) {
		this.#kernel = kernel;
		this.#words = kernel.call.orderRow() * BLOCK_WORDS;
		this.#wide = kernel.call.orderRow() * BLOCK_WIDE;
	}

	/** Adds a bet that is in no book yet; returns its row. */
	add({ market, id, runner, side, price, tick, stake }: LoneBet): number {
		const { words, wide, call } = this.#kernel;
		wide[this.#wide + ORDER_ROW.id] = id;
		words[this.#words + ORDER_ROW.market] = market;
		words[this.#words + ORDER_ROW.runner] = runner;
		words[this.#words + ORDER_ROW.side] = side;
		words[this.#words + ORDER_ROW.price] = price;
		words[this.#words + ORDER_ROW.tick] = tick;
		words[this.#words + ORDER_ROW.stake] = stake;
		return call.addBetAlone();
	}
}
