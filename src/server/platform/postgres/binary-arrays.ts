/**
 * Array parameters in PostgreSQL's binary format. Writing them costs a third of joining array literals, and the database
 * parses no text.
 */
import { mostBytesOf, writeText } from '#server/platform/postgres/text-bytes.ts';

export type ElementType = 'bigint' | 'int' | 'text' | 'boolean';
export type Cell = number | string | boolean | null;
type Rows = readonly (readonly Cell[])[];

/** Type ids in pg_type. */
const OIDS: Record<ElementType, number> = { bigint: 20, int: 23, text: 25, boolean: 16 };
const EMPTY_HEADER_BYTES = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const BIGINT_BYTES = 8;
const INT_BYTES = 4;
const NULL_LENGTH = -1;
const TWO_TO_32 = 2 ** 32;

/**
 * Writes arrays one after another into shared memory. The memory serves one statement after another: new memory for each
 * of hundreds of batches a second is a garbage collection of the whole heap every other second.
 */
export class BinaryArrays {
	readonly #expectedBytes: number;
	#bytes: Buffer;
	#view: DataView;
	#at = 0;

	/** @param expectedBytes size of all arrays of a statement; larger ones get more memory */
	constructor(expectedBytes: number) {
		this.#expectedBytes = expectedBytes;
		this.#bytes = Buffer.allocUnsafe(expectedBytes);
		this.#view = viewOf(this.#bytes);
	}

	/** Begins another statement. The arrays of the one before are overwritten; memory of an unusual size is given up. */
	clear(): void {
		this.#at = 0;
		if (this.#bytes.length === this.#expectedBytes) return;
		this.#bytes = Buffer.allocUnsafe(this.#expectedBytes);
		this.#view = viewOf(this.#bytes);
	}

	/**
	 * One column of the rows as the value of an array parameter.
	 * @throws when a number is not an integer or does not fit its type
	 */
	column(rows: Rows, column: number, type: ElementType): Buffer {
		this.#reserve(HEADER_BYTES + mostBytes(rows, column, type));
		const from = this.#at;
		this.#header(rows, type);
		if (type === 'text') this.#texts(rows, column);
		else if (type === 'bigint') this.#bigints(rows, column);
		else if (type === 'int') this.#ints(rows, column);
		else this.#booleans(rows, column);
		return this.#bytes.subarray(from, this.#at);
	}

	/** Arrays written before keep their memory; the next one begins in new memory. */
	#reserve(bytes: number): void {
		if (this.#at + bytes <= this.#bytes.length) return;
		this.#bytes = Buffer.allocUnsafe(Math.max(bytes, 2 * this.#bytes.length));
		this.#view = viewOf(this.#bytes);
		this.#at = 0;
	}

	/**
	 * Dimensions, NULL flag and element type; then the length and first index of the only dimension. PostgreSQL looks for
	 * NULLs itself, so the flag may stand without any.
	 */
	#header(rows: Rows, type: ElementType): void {
		const view = this.#view;
		const at = this.#at;
		const isEmpty = rows.length === 0;
		view.setInt32(at, isEmpty ? 0 : 1);
		view.setInt32(at + 4, 1);
		view.setInt32(at + 8, OIDS[type]);
		this.#at += isEmpty ? EMPTY_HEADER_BYTES : HEADER_BYTES;
		if (isEmpty) return;
		view.setInt32(at + 12, rows.length);
		view.setInt32(at + 16, 1);
	}

	#bigints(rows: Rows, column: number): void {
		const view = this.#view;
		let at = this.#at;
		for (const row of rows) {
			const cell = row[column] as number | null;
			view.setInt32(at, cell === null ? NULL_LENGTH : BIGINT_BYTES);
			at += LENGTH_BYTES;
			if (cell === null) continue;
			if (!Number.isSafeInteger(cell)) throw new Error(`${cell} is no bigint`);
			view.setInt32(at, Math.floor(cell / TWO_TO_32));
			view.setUint32(at + 4, cell >>> 0);
			at += BIGINT_BYTES;
		}
		this.#at = at;
	}

	#ints(rows: Rows, column: number): void {
		const view = this.#view;
		let at = this.#at;
		for (const row of rows) {
			const cell = row[column] as number | null;
			view.setInt32(at, cell === null ? NULL_LENGTH : INT_BYTES);
			at += LENGTH_BYTES;
			if (cell === null) continue;
			if (cell !== (cell | 0)) throw new Error(`${cell} is no int`);
			view.setInt32(at, cell);
			at += INT_BYTES;
		}
		this.#at = at;
	}

	#booleans(rows: Rows, column: number): void {
		const view = this.#view;
		let at = this.#at;
		for (const row of rows) {
			const cell = row[column] as boolean | null;
			view.setInt32(at, cell === null ? NULL_LENGTH : 1);
			at += LENGTH_BYTES;
			if (cell !== null) view.setUint8(at++, cell ? 1 : 0);
		}
		this.#at = at;
	}

	#texts(rows: Rows, column: number): void {
		const view = this.#view;
		let at = this.#at;
		for (const row of rows) {
			const cell = row[column] as string | null;
			const end = cell === null ? at + LENGTH_BYTES : writeText(this.#bytes, at + LENGTH_BYTES, cell);
			view.setInt32(at, cell === null ? NULL_LENGTH : end - at - LENGTH_BYTES);
			at = end;
		}
		this.#at = at;
	}
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);

function mostBytes(rows: Rows, column: number, type: ElementType): number {
	let bytes = rows.length * (LENGTH_BYTES + BIGINT_BYTES);
	if (type === 'text') for (const row of rows) bytes += mostBytesOf((row[column] ?? '') as string);
	return bytes;
}
