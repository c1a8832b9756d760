/**
 * Seals what a batch writes. Each covered row gets an entry: its table, its name, and a keyed hash of its cells. The
 * chain is an HMAC of the previous chain, the batch and its entries. The audit finds an edited, added or removed row
 * by its entry and an edited entry by the chain; neither can be forged without the key.
 */
import { createHmac, hash } from 'node:crypto';
import { RowText } from '#server/exchange/ledger/row-text.ts';
import { keyIdOf } from '#server/platform/keys/ledger-key.ts';
import type { Cell } from '#server/platform/postgres/binary-arrays.ts';

const NAME_BYTES = 8;
const HASH_BYTES = 8;
const HEAD_BYTES = 1 + NAME_BYTES;
/** Bytes of an entry: the table's code, the name, the hash. */
export const ENTRY_BYTES = HEAD_BYTES + HASH_BYTES;

const TWO_TO_32 = 2 ** 32;

export interface BatchSeal {
	keyId: string;
	/** Null when the batch wrote no covered row; the chain is then unchanged. */
	entries: Buffer | null;
	chain: Buffer;
}

export class LedgerSealer {
	readonly keyId: string;
	readonly #key: string;
	readonly #text: RowText;

	constructor(key: string) {
		this.#key = key;
		this.#text = new RowText(key);
		this.keyId = keyIdOf(key);
	}

	/**
	 * Adds the hash to an entry that has its code and name. The hash is a quarter of the SHA-256 of the key and the row, so
	 * that nothing can be appended to the hashed text.
	 * @param columns the positions of the covered cells
	 */
	complete(entry: Buffer, cells: readonly Cell[], columns: readonly number[]): void {
		const bytes = hash('sha256', this.#text.of(entry.subarray(0, HEAD_BYTES), cells, columns), 'binary');
		writeStart(entry, HEAD_BYTES, HASH_BYTES, bytes);
	}

	/** The chain after these entries. */
	chainAfter(chain: Buffer, batch: number, part: number, entries: Buffer): Buffer {
		return createHmac('sha256', this.#key).update(chain).update(`${batch}.${part}.`).update(entries).digest();
	}
}

/** Writes the name of a row that is identified by one whole number. */
export function nameByNumber(entry: Buffer, number: number): void {
	entry.writeUInt32BE(Math.floor(number / TWO_TO_32) >>> 0, 1);
	entry.writeUInt32BE(number >>> 0, 5);
}

/** Writes the name of a row that is identified by its batch, in five bytes, and its row number there, in three. */
export function nameByBatch(entry: Buffer, batch: number, rowNumber: number): void {
	entry[1] = Math.floor(batch / TWO_TO_32);
	entry.writeUInt32BE(batch >>> 0, 2);
	entry[6] = rowNumber >> 16;
	entry[7] = rowNumber >> 8;
	entry[8] = rowNumber;
}

/** Writes the name of a row that is identified by several cells. */
export const nameByHash = (entry: Buffer, known: string): void =>
	writeStart(entry, 1, NAME_BYTES, hash('sha256', known, 'binary'));

/** Copies the first bytes of a digest. Digests are requested as text, because a buffer for each costs three times as much. */
function writeStart(entry: Buffer, at: number, count: number, bytes: string): void {
	for (let byte = 0; byte < count; byte++) entry[at + byte] = bytes.charCodeAt(byte);
}
