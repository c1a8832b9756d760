/** A map by number that most owners leave empty: it is allocated at the first entry. */
export class SparseMap<V> {
	#entries: Map<number, V> | null = null;

	get size(): number {
		return this.#entries === null ? 0 : this.#entries.size;
	}
	get(key: number): V | undefined {
		return this.#entries === null ? undefined : this.#entries.get(key);
	}
	has(key: number): boolean {
		return this.#entries?.has(key) === true;
	}
	set(key: number, value: V): void {
		this.#entries ??= new Map();
		this.#entries.set(key, value);
	}
	delete(key: number): boolean {
		return this.#entries?.delete(key) === true;
	}
	*[Symbol.iterator](): Iterator<readonly [number, V]> {
		if (this.#entries) yield* this.#entries;
	}
}
