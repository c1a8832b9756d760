/**
 * A map that forgets its oldest entries. V8 rebuilds a `Map` of two hundred thousand entries now and then, and every bet would
 * wait for 50 to 100 ms meanwhile. So there are many parts, and of each two small maps: when the newer one is
 * full, the older one is dropped whole.
 */

const PARTS = 64;
/** With fewer entries the oldest of a part would often not be among the oldest of all. */
const LEAST_OF_PART = 1_000;

interface Part<Entry> {
	newer: Map<string, Entry>;
	older: Map<string, Entry>;
}

export class RecentEntries<Entry> {
	readonly #parts: readonly Part<Entry>[];
	readonly #mostInMap: number;
	readonly #full = new Set<Part<Entry>>();

	/** @param most after a trim there are no more, and at least half as many; fewer where keys end alike */
	constructor(most: number) {
		const parts = Math.min(PARTS, Math.max(1, Math.floor(most / LEAST_OF_PART)));
		this.#parts = Array.from({ length: parts }, () => ({ newer: new Map(), older: new Map() }));
		this.#mostInMap = most / parts / 2;
	}

	/** A trim has something to do. */
	get isFull(): boolean {
		return this.#full.size > 0;
	}

	get(key: string): Entry | undefined {
		const { newer, older } = this.#partOf(key);
		return newer.get(key) ?? older.get(key);
	}

	has(key: string): boolean {
		return this.get(key) !== undefined;
	}

	/** Enters the entry of a key that is not there. */
	add(key: string, entry: Entry): void {
		const part = this.#partOf(key);
		part.newer.set(key, entry);
		if (part.newer.size > this.#mostInMap) this.#full.add(part);
	}

	/** Replaces an entry, which stays as old as it is. */
	replace(key: string, entry: Entry): void {
		const { newer, older } = this.#partOf(key);
		(newer.has(key) ? newer : older).set(key, entry);
	}

	delete(key: string): void {
		const { newer, older } = this.#partOf(key);
		if (!newer.delete(key)) older.delete(key);
	}

	/** @param forget gives up what belongs to an entry; false for one that stays, as the newest */
	trim(forget: (key: string, entry: Entry) => boolean): void {
		for (const part of this.#full) {
			const kept = new Map<string, Entry>();
			for (const [key, entry] of part.older) if (!forget(key, entry)) kept.set(key, entry);
			part.older = part.newer;
			part.newer = kept;
		}
		this.#full.clear();
	}

	/** By the end of the key: it differs most between requests, be their ids random or numbered. */
	#partOf(key: string): Part<Entry> {
		const last = key.length - 1;
		const end = key.charCodeAt(last) * 31 + (last > 0 ? key.charCodeAt(last - 1) : 0);
		return this.#parts[end % this.#parts.length] as Part<Entry>;
	}
}
