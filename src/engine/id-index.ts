/**
 * Finds the row of an id. Ids are given one after the other, so each page of neighbouring ids is a plain table and needs
 * no search. A page whose ids are all gone is given back.
 */
import * as rows from '#engine/rows.ts';

// Constants of its own, which a file reads faster than imported ones: see ARCHITECTURE, "What is hot".
const { NONE, widened } = rows;

/** Ids of a page: two to the power of this. */
const PAGE_BITS = 9;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;
const FIRST_PAGES = 16;
const FIRST_NUMBERS = 64;
/** Stands for every page that there is not: it begins the rows and never has an id. */
const NO_PAGE = 0;

export class IdIndex {
	/** Where the page of each number begins in `#rows`, for ids of 31 bits. */
	#begins = new Int32Array(FIRST_NUMBERS);
	/** The same for the pages of larger ids. */
	readonly #far = new Map<number, number>();
	/** Pages one after the other, and how many of each page's ids are there. */
	#rows = new Int32Array(FIRST_PAGES * PAGE).fill(NONE, 0, PAGE);
	#living = new Int32Array(FIRST_PAGES);
	#usedPages = 1;
	readonly #sparePages: number[] = [];

	/** The row of an id, or NONE. */
	find(id: number): number {
		return this.#rows[this.#begin(id) + (id & IN_PAGE)] as number;
	}

	/** Enters an id that is not there yet. */
	set(id: number, row: number): void {
		let begin = this.#begin(id);
		if (begin === NO_PAGE) begin = this.#newPage(id);
		this.#rows[begin + (id & IN_PAGE)] = row;
		const page = begin >> PAGE_BITS;
		this.#living[page] = (this.#living[page] as number) + 1;
	}

	/** Takes an id out that is there. */
	remove(id: number): void {
		const begin = this.#begin(id);
		if (begin === NO_PAGE) return;
		this.#rows[begin + (id & IN_PAGE)] = NONE;
		const page = begin >> PAGE_BITS;
		const living = (this.#living[page] as number) - 1;
		this.#living[page] = living;
		if (living > 0) return;
		this.#sparePages.push(page);
		if (isQuick(id)) this.#begins[id >> PAGE_BITS] = NO_PAGE;
		else this.#far.delete(numberOf(id));
	}

	/** Where the page of an id begins, which is NO_PAGE while none of its ids is there. */
	#begin(id: number): number {
		if (!isQuick(id)) return this.#far.get(numberOf(id)) ?? NO_PAGE;
		const number = id >> PAGE_BITS;
		return number < this.#begins.length ? (this.#begins[number] as number) : NO_PAGE;
	}

	/** Makes the page of an id; where it begins. */
	#newPage(id: number): number {
		const page = this.#sparePages.pop() ?? this.#usedPages++;
		if (page === this.#living.length) {
			this.#living = widened(this.#living, page * 2);
			this.#rows = widened(this.#rows, page * 2 * PAGE);
		}
		const begin = page * PAGE;
		this.#rows.fill(NONE, begin, begin + PAGE);
		if (isQuick(id)) {
			const number = id >> PAGE_BITS;
			if (number >= this.#begins.length) this.#begins = widened(this.#begins, roomFor(number));
			this.#begins[number] = begin;
		} else this.#far.set(numberOf(id), begin);
		return begin;
	}
}

/** Whole numbers of 31 bits find their page in a table: the processor has them at once. */
const isQuick = (id: number): boolean => (id | 0) === id && id >= 0;

const numberOf = (id: number): number => Math.floor(id / PAGE);

/** The next power of two above a page's number. */
const roomFor = (number: number): number => 2 ** Math.ceil(Math.log2(number + 1));
