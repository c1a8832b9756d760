/**
 * Seals what a batch writes. Each covered row gets an entry: its table, its name, and a keyed hash of its cells. The
 * chain is an HMAC of the previous chain, the batch and its entries. The audit finds an edited, added or removed row
 * by its entry and an edited entry by the chain; neither can be forged without the key.
 */
import { createHmac, hash } from 'node:crypto';
import { keyIdOf } from '#server/ledger-key.ts';

/** Hexadecimal digits of a row's name and of its hash. */
const DIGITS = 16;
/** Bytes of an entry: the table's code, the name, the hash. */
export const ENTRY_BYTES = 1 + DIGITS;

export interface BatchSeal {
	keyId: string;
	/** Null when the batch wrote no covered row; the chain is then unchanged. */
	entries: Buffer | null;
	chain: Buffer;
}

export class LedgerSealer {
	readonly keyId: string;
	readonly #key: string;

	constructor(key: string) {
		this.#key = key;
		this.keyId = keyIdOf(key);
	}

	/**
	 * An entry in hexadecimal digits. The hash is a quarter of the SHA-256 of the key and the row, so that nothing can be
	 * appended to the hashed text.
	 * @param code of the table, two digits
	 * @param name 16 digits
	 * @param cells of the row, each after a line feed
	 */
	entry(code: string, name: string, cells: string): string {
		return code + name + hash('sha256', this.#key + code + name + cells, 'hex').slice(0, DIGITS);
	}

	/** The chain after these entries. */
	chainAfter(chain: Buffer, batch: number, part: number, entries: Buffer): Buffer {
		return createHmac('sha256', this.#key).update(chain).update(`${batch}.${part}.`).update(entries).digest();
	}
}

/** The name of a row that is identified by one whole number. */
export const numberName = (number: number): string => number.toString(16).padStart(DIGITS, '0');

/** The name of a row that is identified by its batch and its row number there: ten digits and six. */
export const rowName = (batch: number, rowNumber: number): string =>
	batch.toString(16).padStart(10, '0') + rowNumber.toString(16).padStart(6, '0');

/** The name of a row that is identified by several cells. */
export const hashedName = (known: string): string => hash('sha256', known, 'hex').slice(0, DIGITS);
