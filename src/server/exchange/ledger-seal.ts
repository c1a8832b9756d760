/**
 * Seals what a batch writes. Each covered row gets an entry: its table, its name, and a keyed hash of what it holds. The
 * chain is an HMAC over the chain before it, the batch and the entries. So a row that was edited, added or taken out
 * afterwards is found by its entry, an entry by the chain, and without the key neither can be made to fit.
 */
import { createHmac, hash } from 'node:crypto';
import { keyIdOf } from '#server/ledger-key.ts';

/** Of a row's name and of its hash, in hexadecimal digits. */
const DIGITS = 16;
/** Of an entry: the table's code, the name, the hash. */
export const ENTRY_BYTES = 1 + DIGITS;

export interface BatchSeal {
	keyId: string;
	/** Null when the batch wrote no row that is covered: the chain then stays as it is. */
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
	 * An entry in hexadecimal digits. The hash is SHA-256 of the key and the row, cut to a quarter, so that nothing can be
	 * appended to what was hashed.
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

/** The name of a row that is known by one whole number. */
export const numberName = (number: number): string => number.toString(16).padStart(DIGITS, '0');

/** Of a row that is known by its batch and its row number there: ten digits and six. */
export const rowName = (batch: number, rowNumber: number): string =>
	batch.toString(16).padStart(10, '0') + rowNumber.toString(16).padStart(6, '0');

/** Of a row that is known by several things. */
export const hashedName = (known: string): string => hash('sha256', known, 'hex').slice(0, DIGITS);
