/**
 * Rows of numbers in pages, outside the heap that collections of garbage look through. A slot is the number of a row; a freed one is
 * used again, and a page without rows is freed.
 */
const PAGE_BITS = 9;
const PAGE_ROWS = 1 << PAGE_BITS;
const IN_PAGE = PAGE_ROWS - 1;
/** No slot. */
export const NONE = -1;

/** The same memory as numbers of eight and of four bytes, and as bytes. */
export interface Page {
	readonly wide: Float64Array;
	readonly words: Int32Array;
	readonly bytes: Buffer;
	/** How many of its rows are in use. */
	used: number;
	/** Rows from this one on were never used. */
	begun: number;
	/** The row that was freed last; its first word names the one before it. */
	spare: number;
}

export class RowPages {
	readonly #rowWords: number;
	readonly #pages: (Page | null)[] = [];
	/** Pages with a free row; the last one is filled first. */
	readonly #unfilled: number[] = [];
	/** Numbers of pages that were freed. */
	readonly #missing: number[] = [];

	/** @param rowWords how many numbers of four bytes a row has; an even number */
	constructor(rowWords: number) {
		this.#rowWords = rowWords;
	}

	/** The page of a slot that is in use. */
	pageOf(slot: number): Page {
		return this.#pages[slot >> PAGE_BITS] as Page;
	}

	/** The number of the slot's row in its page. */
	static rowOf(slot: number): number {
		return slot & IN_PAGE;
	}

	/** A row whose numbers are what they happen to be. */
	allocate(): number {
		const number = this.#unfilled.at(-1) ?? this.#addPage();
		const page = this.#pages[number] as Page;
		let row = page.spare;
		if (row === NONE) row = page.begun++;
		else page.spare = page.words[row * this.#rowWords] as number;
		page.used++;
		if (page.used === PAGE_ROWS) this.#unfilled.pop();
		return (number << PAGE_BITS) | row;
	}

	free(slot: number): void {
		const number = slot >> PAGE_BITS;
		const page = this.#pages[number] as Page;
		page.words[(slot & IN_PAGE) * this.#rowWords] = page.spare;
		page.spare = slot & IN_PAGE;
		page.used--;
		if (page.used === PAGE_ROWS - 1) this.#unfilled.push(number);
		// One page is kept, so that a few rows that come and go do not allocate and free the same page.
		else if (page.used === 0 && this.#unfilled.length > 1) this.#freePage(number);
	}

	#addPage(): number {
		const buffer = new ArrayBuffer(PAGE_ROWS * this.#rowWords * 4);
		const number = this.#missing.pop() ?? this.#pages.length;
		this.#pages[number] = {
			wide: new Float64Array(buffer),
			words: new Int32Array(buffer),
			bytes: Buffer.from(buffer),
			used: 0,
			begun: 0,
			spare: NONE,
		};
		this.#unfilled.push(number);
		return number;
	}

	#freePage(number: number): void {
		this.#pages[number] = null;
		this.#missing.push(number);
		this.#unfilled.splice(this.#unfilled.indexOf(number), 1);
	}
}
