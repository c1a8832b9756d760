/** What the engine's tables of numbers have in common: rows that come and go, and their share in the state's digest. */
import type { Hasher } from '#engine/state-hash.ts';

type Column = Float64Array | Int32Array | Int16Array | Uint8Array;

/** The same numbers in twice the room. */
export function widened<C extends Column>(column: C, capacity: number): C {
	const wider = new (column.constructor as new (length: number) => C)(capacity);
	wider.set(column as never);
	return wider;
}

export const NONE = -1;

/** Hands out row numbers, reusing those that were given back. */
export class Rows {
	#count = 0;
	#freed = new Int32Array(64);
	#freedCount = 0;

	/** The next row; the table makes sure that it has room for it. */
	take(): number {
		return this.#freedCount > 0 ? (this.#freed[--this.#freedCount] as number) : this.#count++;
	}

	give(row: number): void {
		if (this.#freedCount === this.#freed.length) this.#freed = widened(this.#freed, this.#freed.length * 2);
		this.#freed[this.#freedCount++] = row;
	}
}

/** The digest lanes of a table's rows, brought up to date from those that were touched. */
export class RowDigest {
	#one = new Int32Array(0);
	#two = new Int32Array(0);
	#dirty = new Uint8Array(0);
	#touched: Int32Array;
	#touchedCount = 0;
	#sumOne = 0;
	#sumTwo = 0;
	readonly #enabled: boolean;

	constructor(enabled: boolean) {
		this.#enabled = enabled;
		this.#touched = new Int32Array(enabled ? 1024 : 0);
	}

	resize(capacity: number): void {
		if (!this.#enabled) return;
		this.#one = widened(this.#one, capacity);
		this.#two = widened(this.#two, capacity);
		this.#dirty = widened(this.#dirty, capacity);
	}

	touch(row: number): void {
		if (!this.#enabled || this.#dirty[row] === 1) return;
		this.#dirty[row] = 1;
		if (this.#touchedCount === this.#touched.length) this.#touched = widened(this.#touched, this.#touchedCount * 2);
		this.#touched[this.#touchedCount++] = row;
	}

	/** Takes a row that is about to be reused or forgotten out of the sum at once. */
	drop(row: number): void {
		if (!this.#enabled) return;
		this.#sumOne = (this.#sumOne - (this.#one[row] as number)) | 0;
		this.#sumTwo = (this.#sumTwo - (this.#two[row] as number)) | 0;
		this.#one[row] = 0;
		this.#two[row] = 0;
	}

	/** Adds this table's share to the two lanes. `describe` mixes a row in and says whether it counts. */
	lanes(hasher: Hasher, describe: (row: number, hasher: Hasher) => boolean): readonly [number, number] {
		for (let at = 0; at < this.#touchedCount; at++) {
			const row = this.#touched[at] as number;
			this.#dirty[row] = 0;
			this.drop(row);
			if (!describe(row, hasher)) continue;
			this.#one[row] = hasher.one;
			this.#two[row] = hasher.two;
			this.#sumOne = (this.#sumOne + hasher.one) | 0;
			this.#sumTwo = (this.#sumTwo + hasher.two) | 0;
		}
		this.#touchedCount = 0;
		return [this.#sumOne, this.#sumTwo];
	}
}
