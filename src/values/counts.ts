/** A count for each key; a key with the count 0 takes no memory. */
export class Counts<Key> {
	readonly #counts = new Map<Key, number>();

	/** The number of keys with a count. */
	get size(): number {
		return this.#counts.size;
	}

	/** Those with a count. */
	keys(): Iterable<Key> {
		return this.#counts.keys();
	}

	of(key: Key): number {
		return this.#counts.get(key) ?? 0;
	}

	add(key: Key): void {
		this.#counts.set(key, this.of(key) + 1);
	}

	remove(key: Key): void {
		const left = this.of(key) - 1;
		if (left > 0) this.#counts.set(key, left);
		else this.#counts.delete(key);
	}
}
