/**
 * The text whose hash seals a row: the key, the row's code and name in hexadecimal digits, and each cell after a line
 * feed. It is assembled in one buffer without intermediate strings, because every row of every bet passes through here.
 */
import type { Cell } from '#server/platform/postgres/binary-arrays.ts';
import { mostBytesOf, writeHexadecimal, writeInteger, writeText } from '#server/platform/postgres/text-bytes.ts';

const LINE_FEED = 0x0a;
/** As in PostgreSQL's own text format. */
const NULL = '\\N';
/** Bytes of a cell that is not text: any number, a boolean, or NULL. */
const LONGEST_CELL_BYTES = 32;
const INITIAL_BYTES = 4096;

export class RowText {
	/** Begins with the key, which stays. */
	#bytes = Buffer.alloc(INITIAL_BYTES);
	readonly #keyEnd: number;

	constructor(key: string) {
		this.#reserve(0, mostBytesOf(key));
		this.#keyEnd = writeText(this.#bytes, 0, key);
	}

	/**
	 * @param name the table's code and the row's name
	 * @param columns the positions of the covered cells
	 * @returns the text, valid until the next call
	 */
	of(name: Buffer, cells: readonly Cell[], columns: readonly number[]): Buffer {
		this.#reserve(this.#keyEnd, 2 * name.length + mostBytes(cells));
		const bytes = this.#bytes;
		let at = writeHexadecimal(bytes, this.#keyEnd, name);
		for (const column of columns) {
			const cell = cells[column] ?? null;
			bytes[at++] = LINE_FEED;
			if (isInteger(cell)) at = writeInteger(bytes, at, cell);
			else at = writeText(bytes, at, cell === null ? NULL : `${cell}`);
		}
		return bytes.subarray(0, at);
	}

	/** Makes room for that many bytes from a position on and keeps the bytes before it. */
	#reserve(at: number, bytes: number): void {
		if (at + bytes <= this.#bytes.length) return;
		const more = Buffer.alloc(2 * (at + bytes));
		this.#bytes.copy(more, 0, 0, at);
		this.#bytes = more;
	}
}

const isInteger = (cell: Cell): cell is number => typeof cell === 'number' && Number.isSafeInteger(cell);

/** Upper bound for all cells with their line feeds. */
function mostBytes(cells: readonly Cell[]): number {
	let bytes = cells.length * (1 + LONGEST_CELL_BYTES);
	for (const cell of cells) if (typeof cell === 'string') bytes += mostBytesOf(cell);
	return bytes;
}
