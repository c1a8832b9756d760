/**
 * Finds the row of an id. Ids are given one after the other, so a table by id, in pages, needs no search; a page whose
 * ids are all gone is given back.
 */
import { NONE } from '#engine/rows.ts';

const PAGE = 4096;

interface Page {
	rows: Int32Array;
	living: number;
}
const EMPTY: Page = { rows: new Int32Array(PAGE).fill(NONE), living: 0 };

export class IdIndex {
	/** By page number less that of the first page there ever was. */
	readonly #pages: Page[] = [];
	#firstPage = 0;

	/** The row of an id, or NONE. */
	find(id: number): number {
		const number = Math.floor(id / PAGE);
		return this.#pageOf(number).rows[id - number * PAGE] ?? NONE;
	}

	/** Enters an id that is not there yet. */
	set(id: number, row: number): void {
		const number = Math.floor(id / PAGE);
		let page = this.#pageOf(number);
		if (page === EMPTY) page = this.#newPage(number);
		page.rows[id - number * PAGE] = row;
		page.living++;
	}

	/** Takes an id out that is there. */
	remove(id: number): void {
		const number = Math.floor(id / PAGE);
		const page = this.#pageOf(number);
		page.rows[id - number * PAGE] = NONE;
		if (--page.living === 0) this.#pages[number - this.#firstPage] = EMPTY;
	}

	#pageOf(number: number): Page {
		const at = number - this.#firstPage;
		return at >= 0 && at < this.#pages.length ? (this.#pages[at] as Page) : EMPTY;
	}

	#newPage(number: number): Page {
		if (this.#pages.length === 0) this.#firstPage = number;
		// Ids come in ascending order but for what is restored; a gap costs a word a page.
		while (number < this.#firstPage) {
			this.#pages.unshift(EMPTY);
			this.#firstPage--;
		}
		while (number >= this.#firstPage + this.#pages.length) this.#pages.push(EMPTY);
		const page: Page = { rows: new Int32Array(PAGE).fill(NONE), living: 0 };
		this.#pages[number - this.#firstPage] = page;
		return page;
	}
}
