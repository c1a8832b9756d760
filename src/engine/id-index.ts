/**
 * Finds the row of an id. Ids are given one after the other, so each page of neighbouring ids is a plain table and needs
 * no search; a small directory, hashed, finds the page. A page whose ids are all gone is given back.
 */
import { NONE, widened } from '#engine/rows.ts';

const PAGE = 512;
const FIRST_SLOTS = 64;
const FIRST_PAGES = 16;

/** A directory's slot that no page stands in; no id's page has this number. */
const FREE = Number.MIN_SAFE_INTEGER;

/** Page numbers side by side differ in their lowest bits, which spreads them best. */
const hashOf = (number: number): number => (number | 0) ^ ((number / 4_294_967_296) | 0);

export class IdIndex {
	/** Open addressing by page number; a free slot ends a search. */
	#numbers = new Float64Array(FIRST_SLOTS).fill(FREE);
	/** By slot, where its page begins in `#rows`. */
	#begins = new Int32Array(FIRST_SLOTS);
	#pageCount = 0;
	/** Pages one after the other, and how many of each page's ids are there. */
	#rows = new Int32Array(FIRST_PAGES * PAGE);
	#living = new Int32Array(FIRST_PAGES);
	#usedPages = 0;
	readonly #sparePages: number[] = [];

	/** The row of an id, or NONE. */
	find(id: number): number {
		const number = Math.floor(id / PAGE);
		const slot = this.#slotOf(number);
		if (this.#numbers[slot] !== number) return NONE;
		return this.#rows[(this.#begins[slot] as number) + (id - number * PAGE)] ?? NONE;
	}

	/** Enters an id that is not there yet. */
	set(id: number, row: number): void {
		const number = Math.floor(id / PAGE);
		let slot = this.#slotOf(number);
		if (this.#numbers[slot] !== number) slot = this.#newPage(number);
		const begin = this.#begins[slot] as number;
		this.#rows[begin + (id - number * PAGE)] = row;
		const page = begin / PAGE;
		this.#living[page] = (this.#living[page] as number) + 1;
	}

	/** Takes an id out that is there. */
	remove(id: number): void {
		const number = Math.floor(id / PAGE);
		const slot = this.#slotOf(number);
		if (this.#numbers[slot] !== number) return;
		const begin = this.#begins[slot] as number;
		this.#rows[begin + (id - number * PAGE)] = NONE;
		const page = begin / PAGE;
		const living = (this.#living[page] as number) - 1;
		this.#living[page] = living;
		if (living === 0) this.#drop(slot);
	}

	/** Where a page stands, or the free slot where it would. */
	#slotOf(number: number): number {
		const numbers = this.#numbers;
		const mask = numbers.length - 1;
		let slot = hashOf(number) & mask;
		while (numbers[slot] !== number && numbers[slot] !== FREE) slot = (slot + 1) & mask;
		return slot;
	}

	/** The slot of a page with nothing in it yet. */
	#newPage(number: number): number {
		if (this.#pageCount * 2 >= this.#numbers.length) this.#widenDirectory();
		const page = this.#sparePages.pop() ?? this.#usedPages++;
		if (page === this.#living.length) {
			this.#living = widened(this.#living, page * 2);
			this.#rows = widened(this.#rows, page * 2 * PAGE);
		}
		this.#rows.fill(NONE, page * PAGE, (page + 1) * PAGE);
		const slot = this.#slotOf(number);
		this.#numbers[slot] = number;
		this.#begins[slot] = page * PAGE;
		this.#pageCount++;
		return slot;
	}

	#widenDirectory(): void {
		const numbers = this.#numbers;
		const begins = this.#begins;
		this.#numbers = new Float64Array(numbers.length * 2).fill(FREE);
		this.#begins = new Int32Array(numbers.length * 2);
		numbers.forEach((number, old) => {
			if (number === FREE) return;
			const slot = this.#slotOf(number);
			this.#numbers[slot] = number;
			this.#begins[slot] = begins[old] as number;
		});
	}

	/** Frees a slot; what was put behind it for want of room moves up, so that it is still found. */
	#drop(slot: number): void {
		const numbers = this.#numbers;
		const begins = this.#begins;
		const mask = numbers.length - 1;
		this.#sparePages.push((begins[slot] as number) / PAGE);
		this.#pageCount--;
		let free = slot;
		numbers[free] = FREE;
		for (let at = (slot + 1) & mask; numbers[at] !== FREE; at = (at + 1) & mask) {
			const home = hashOf(numbers[at] as number) & mask;
			if (((at - home) & mask) < ((at - free) & mask)) continue;
			numbers[free] = numbers[at] as number;
			begins[free] = begins[at] as number;
			numbers[at] = FREE;
			free = at;
		}
	}
}
