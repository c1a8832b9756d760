/**
 * The memory of the durable bets: pages of rows of numbers, a row of 96 bytes for each bet, outside the heap that collections of garbage
 * look through. A slot is the number of a row, and is used again when its bet has ended. A page without bets is given back.
 */

/** Numbers of eight and of four bytes in a row. */
export const ROW_WIDE = 12;
export const ROW_WORDS = 24;
const PAGE_BITS = 9;
const PAGE_ROWS = 1 << PAGE_BITS;
const IN_PAGE = PAGE_ROWS - 1;
/** No slot. */
export const NONE = -1;

export interface Page {
	readonly wide: Float64Array;
	readonly words: Int32Array;
	/** Rows that hold bets. */
	used: number;
	/** Rows below that were used before; the rest was never used. */
	begun: number;
	/** The row that was freed last; its first word names the one before it. */
	spare: number;
}

export class BetPages {
	readonly #pages: (Page | null)[] = [];
	/** Pages with a row for another bet; the last one is filled first. */
	readonly #withRoom: number[] = [];
	/** Numbers of pages that were given back. */
	readonly #missing: number[] = [];

	/** The page of a used slot. */
	pageOf(slot: number): Page {
		return this.#pages[slot >> PAGE_BITS] as Page;
	}

	/** Where the row of a slot begins in its page, as a number of rows. */
	static rowOf(slot: number): number {
		return slot & IN_PAGE;
	}

	allocate(): number {
		const number = this.#withRoom.at(-1) ?? this.#addPage();
		const page = this.#pages[number] as Page;
		let row = page.spare;
		if (row === NONE) row = page.begun++;
		else page.spare = page.words[row * ROW_WORDS] as number;
		page.used++;
		if (page.used === PAGE_ROWS) this.#withRoom.pop();
		return (number << PAGE_BITS) | row;
	}

	free(slot: number): void {
		const number = slot >> PAGE_BITS;
		const page = this.#pages[number] as Page;
		page.words[(slot & IN_PAGE) * ROW_WORDS] = page.spare;
		page.spare = slot & IN_PAGE;
		page.used--;
		if (page.used === PAGE_ROWS - 1) this.#withRoom.push(number);
		// One page is kept, so that a few bets that come and go do not take and give back the same page.
		else if (page.used === 0 && this.#withRoom.length > 1) this.#giveBack(number);
	}

	/** Used slots, page by page. @param isUsed tells a bet's row from a free one */
	*slots(isUsed: (page: Page, row: number) => boolean): Generator<number> {
		for (const [number, page] of this.#pages.entries()) {
			if (page === null) continue;
			for (let row = 0; row < page.begun; row++) if (isUsed(page, row)) yield (number << PAGE_BITS) | row;
		}
	}

	#addPage(): number {
		const buffer = new ArrayBuffer(PAGE_ROWS * ROW_WORDS * 4);
		const page = { wide: new Float64Array(buffer), words: new Int32Array(buffer), used: 0, begun: 0, spare: NONE };
		const number = this.#missing.pop() ?? this.#pages.length;
		this.#pages[number] = page;
		this.#withRoom.push(number);
		return number;
	}

	#giveBack(number: number): void {
		this.#pages[number] = null;
		this.#missing.push(number);
		this.#withRoom.splice(this.#withRoom.indexOf(number), 1);
	}
}
