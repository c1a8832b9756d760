/**
 * Receipts of durable requests with the hash of their bodies, as rows of numbers: hundreds of thousands of them live so long that
 * every collection of garbage would copy them, and then look through them.
 */
import type { Receipt } from '#server/exchange/exchange.ts';
import { RowPages } from '#server/exchange/views/row-pages.ts';

const FIELDS = [
	'atMs',
	'balance',
	'batchAtMs',
	'batchSeq',
	'betId',
	'cancelled',
	'dueAtMs',
	'exposure',
	'matched',
	'matchedValue',
	'remaining',
	'stake',
] as const satisfies readonly (keyof Receipt)[];

type Field = (typeof FIELDS)[number];

/** Numbers of eight bytes: the fields, and a hash of 32 bytes. */
const ROW_WIDE = 16;
const ROW_BYTES = ROW_WIDE * 8;
const HASH_AT = FIELDS.length * 8;
const HASH_BYTES = 32;
/** In base64url. */
const HASH_LENGTH = 43;

export class KeptReceipts {
	readonly #pages = new RowPages(ROW_WIDE * 2);

	/**
	 * Keeps a receipt of these fields alone.
	 * @param bodyHash 32 bytes in base64url
	 * @returns its slot; null for one with more, such as hedges or workflows, or less
	 */
	keep(bodyHash: string, receipt: Receipt): number | null {
		if (bodyHash.length !== HASH_LENGTH || Object.keys(receipt).length !== FIELDS.length) return null;
		for (const field of FIELDS) if (receipt[field] === undefined) return null;
		const slot = this.#pages.allocate();
		const { wide, bytes } = this.#pages.pageOf(slot);
		const row = RowPages.rowOf(slot);
		let at = row * ROW_WIDE;
		for (const field of FIELDS) wide[at++] = receipt[field] ?? Number.NaN;
		bytes.write(bodyHash, row * ROW_BYTES + HASH_AT, HASH_BYTES, 'base64url');
		return slot;
	}

	bodyHash(slot: number): string {
		const from = RowPages.rowOf(slot) * ROW_BYTES + HASH_AT;
		return this.#pages.pageOf(slot).bytes.toString('base64url', from, from + HASH_BYTES);
	}

	receipt(slot: number): Receipt {
		const { wide } = this.#pages.pageOf(slot);
		const from = RowPages.rowOf(slot) * ROW_WIDE;
		const value = (field: Field): number => wide[from + FIELDS.indexOf(field)] as number;
		const orNull = (field: Field): number | null => (Number.isNaN(value(field)) ? null : value(field));
		return {
			atMs: value('atMs'),
			balance: value('balance'),
			batchAtMs: value('batchAtMs'),
			batchSeq: value('batchSeq'),
			betId: orNull('betId'),
			cancelled: value('cancelled'),
			dueAtMs: orNull('dueAtMs'),
			exposure: value('exposure'),
			matched: value('matched'),
			matchedValue: value('matchedValue'),
			remaining: value('remaining'),
			stake: value('stake'),
		};
	}

	free(slot: number): void {
		this.#pages.free(slot);
	}
}
