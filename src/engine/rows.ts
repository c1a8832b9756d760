/** Common to the engine's tables of numbers: rows, and their share in the state's digest. */
import { BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { BLOCKS, DIRTY_ROWS } from '#engine/kernel-layout.ts';
import { Hasher } from '#engine/state-hash.ts';

/** No row: none begins at the first block of memory. */
export const { NONE } = BLOCKS;

/** The same numbers in a larger array. */
function widened(column: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
	const wider = new Int32Array(capacity);
	wider.set(column);
	return wider;
}

/** The kind of a row, as the kernel marks it. */
export const ROW_KIND = {
	BET: BLOCKS.BETS,
	POSITION: BLOCKS.POSITIONS,
	WALLET: BLOCKS.WALLETS,
	MARKET: BLOCKS.MARKETS,
} as const;
const { KIND_BITS } = DIRTY_ROWS;
const KINDS = (1 << KIND_BITS) - 1;

/** The digest lanes of all rows, updated from the dirty ones. */
export class RowDigest {
	/** By row. */
	#one = new Int32Array(0);
	#two = new Int32Array(0);
	#sumOne = 0;
	#sumTwo = 0;
	readonly #kernel: Kernel;
	readonly #hasher = new Hasher();
	readonly #describe: (row: number, kind: number, hasher: Hasher) => boolean;

	/** @param describe mixes a row in and returns whether it counts */
	constructor(kernel: Kernel, describe: (row: number, kind: number, hasher: Hasher) => boolean) {
		this.#kernel = kernel;
		this.#describe = describe;
	}

	/** All rows' share in the two lanes. */
	lanes(): readonly [number, number] {
		this.hear();
		return [this.#sumOne, this.#sumTwo];
	}

	/** Takes in the dirty rows. */
	hear(): void {
		const { call, words } = this.#kernel;
		const count = call.dirtyCount();
		const from = call.dirtyRows() * BLOCK_WORDS;
		for (let at = from; at < from + count; at++) {
			const row = (words[at] as number) >>> KIND_BITS;
			if (row >= this.#one.length) this.#widen(words.length / BLOCK_WORDS);
			const counts = this.#describe(row, (words[at] as number) & KINDS, this.#hasher);
			const [one, two] = counts ? [this.#hasher.one, this.#hasher.two] : [0, 0];
			this.#sumOne = (this.#sumOne - (this.#one[row] as number) + one) | 0;
			this.#sumTwo = (this.#sumTwo - (this.#two[row] as number) + two) | 0;
			this.#one[row] = one;
			this.#two[row] = two;
		}
		call.clearDirtyRows();
	}

	#widen(rows: number): void {
		this.#one = widened(this.#one, rows);
		this.#two = widened(this.#two, rows);
	}
}
