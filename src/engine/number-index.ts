/**
 * Finds the row of a number: bet ids, and pairs of market and wallet. Open addressing in typed arrays, in shards, so that
 * growing one never stops the engine for long and millions of entries cost no objects.
 */

const SHARDS = 256;
const FIRST_CAPACITY = 64;
const FREE = -1;
/** Left where an entry was, so that what was put behind it is still found. */
const GONE = -2;

/** Keys of one run stand side by side: what was entered together is looked up together. */
const RUN_BITS = 8;
const RUN_MASK = (1 << RUN_BITS) - 1;

/** Mixes the run a key belongs to; whole numbers up to 2^53 come in. */
function mixed(key: number): number {
	const low = key | 0;
	let hash = Math.imul(low >>> RUN_BITS, 0x9e3779b1) ^ Math.imul((key / 4_294_967_296) | 0, 0x85ebca6b);
	hash ^= hash >>> 15;
	hash = Math.imul(hash, 0x2c1b3c6d);
	return (hash ^ (hash >>> 13)) >>> 0;
}

/** Where a key's search begins in its shard. */
const startOf = (key: number, hash: number, mask: number): number => ((hash >>> 8) + (key & RUN_MASK)) & mask;

class Shard {
	#keys = new Float64Array(FIRST_CAPACITY);
	#rows = new Int32Array(FIRST_CAPACITY).fill(FREE);
	/** Entries and the marks of gone ones. */
	#used = 0;

	find(key: number, hash: number): number {
		const mask = this.#rows.length - 1;
		for (let at = startOf(key, hash, mask); ; at = (at + 1) & mask) {
			const row = this.#rows[at] as number;
			if (row === FREE) return -1;
			if (row !== GONE && this.#keys[at] === key) return row;
		}
	}

	set(key: number, hash: number, row: number): void {
		if (this.#used * 4 >= this.#rows.length * 3) this.#grow();
		const mask = this.#rows.length - 1;
		let at = startOf(key, hash, mask);
		while ((this.#rows[at] as number) >= 0) at = (at + 1) & mask;
		if (this.#rows[at] === FREE) this.#used++;
		this.#keys[at] = key;
		this.#rows[at] = row;
	}

	remove(key: number, hash: number): void {
		const mask = this.#rows.length - 1;
		for (let at = startOf(key, hash, mask); this.#rows[at] !== FREE; at = (at + 1) & mask) {
			if (this.#rows[at] !== GONE && this.#keys[at] === key) {
				this.#rows[at] = GONE;
				return;
			}
		}
	}

	#grow(): void {
		const [keys, rows] = [this.#keys, this.#rows];
		const living = rows.reduce((count, row) => count + (row >= 0 ? 1 : 0), 0);
		let capacity = FIRST_CAPACITY;
		while (capacity < living * 3) capacity *= 2;
		this.#keys = new Float64Array(capacity);
		this.#rows = new Int32Array(capacity).fill(FREE);
		this.#used = 0;
		for (let at = 0; at < rows.length; at++) {
			const row = rows[at] as number;
			if (row >= 0) this.set(keys[at] as number, mixed(keys[at] as number), row);
		}
	}
}

export class NumberIndex {
	readonly #shards = Array.from({ length: SHARDS }, () => new Shard());

	/** The row of a key, or -1. */
	find(key: number): number {
		const hash = mixed(key);
		return (this.#shards[hash & (SHARDS - 1)] as Shard).find(key, hash);
	}

	/** Enters a key that is not there yet. */
	set(key: number, row: number): void {
		const hash = mixed(key);
		(this.#shards[hash & (SHARDS - 1)] as Shard).set(key, hash, row);
	}

	remove(key: number): void {
		const hash = mixed(key);
		(this.#shards[hash & (SHARDS - 1)] as Shard).remove(key, hash);
	}
}
