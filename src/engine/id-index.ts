/**
 * Finds the row of an id. Ids are given one after the other, so each page of neighbouring ids is a plain table and needs
 * no search; a small directory, hashed, finds the page. A page whose ids are all gone is given back.
 */
import { NONE } from '#engine/rows.ts';

const PAGE = 512;
const FIRST_CAPACITY = 64;

interface Page {
	/** Of its ids: id = number × PAGE + offset. */
	number: number;
	rows: Int32Array;
	living: number;
}
const NO_ROWS = new Int32Array(PAGE).fill(NONE);

const emptyDirectory = (capacity: number): (Page | null)[] => Array.from({ length: capacity }, () => null);

/** Page numbers side by side differ in their lowest bits, which spreads them best. */
const hashOf = (number: number): number => (number | 0) ^ ((number / 4_294_967_296) | 0);

export class IdIndex {
	/** Open addressing by page number; a null ends a search. */
	#directory = emptyDirectory(FIRST_CAPACITY);
	#pageCount = 0;

	/** The row of an id, or NONE. */
	find(id: number): number {
		const number = Math.floor(id / PAGE);
		const rows = this.#directory[this.#slotOf(number)]?.rows ?? NO_ROWS;
		return rows[id - number * PAGE] ?? NONE;
	}

	/** Enters an id that is not there yet. */
	set(id: number, row: number): void {
		const number = Math.floor(id / PAGE);
		const page = this.#directory[this.#slotOf(number)] ?? this.#newPage(number);
		page.rows[id - number * PAGE] = row;
		page.living++;
	}

	/** Takes an id out that is there. */
	remove(id: number): void {
		const number = Math.floor(id / PAGE);
		const slot = this.#slotOf(number);
		const page = this.#directory[slot];
		if (!page) return;
		page.rows[id - number * PAGE] = NONE;
		if (--page.living === 0) this.#drop(slot);
	}

	/** Where a page stands, or the free slot where it would. */
	#slotOf(number: number): number {
		const mask = this.#directory.length - 1;
		let slot = hashOf(number) & mask;
		for (let page = this.#directory[slot]; page && page.number !== number; page = this.#directory[slot]) {
			slot = (slot + 1) & mask;
		}
		return slot;
	}

	#newPage(number: number): Page {
		if (this.#pageCount * 2 >= this.#directory.length) this.#grow();
		const page: Page = { number, rows: new Int32Array(PAGE).fill(NONE), living: 0 };
		this.#directory[this.#slotOf(number)] = page;
		this.#pageCount++;
		return page;
	}

	#grow(): void {
		const pages = this.#directory;
		this.#directory = emptyDirectory(pages.length * 2);
		for (const page of pages) if (page) this.#directory[this.#slotOf(page.number)] = page;
	}

	/** Frees a slot; what was put behind it for want of room moves up, so that it is still found. */
	#drop(slot: number): void {
		const mask = this.#directory.length - 1;
		let free = slot;
		this.#directory[free] = null;
		this.#pageCount--;
		for (let at = (slot + 1) & mask; this.#directory[at]; at = (at + 1) & mask) {
			const page = this.#directory[at] as Page;
			const home = hashOf(page.number) & mask;
			if (((at - home) & mask) < ((at - free) & mask)) continue;
			this.#directory[free] = page;
			this.#directory[at] = null;
			free = at;
		}
	}
}
