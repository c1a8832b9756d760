/** Which rows are sealed, and how an entry is made: from what a batch writes, or from what the tables hold. */

import { canonicalJson } from '#server/db/canonical-json.ts';
import type { BatchRows } from '#server/exchange/batch.ts';
import {
	type Cell,
	cellText,
	NUMBERED,
	type Sealed,
	TABLES,
	type Table,
	type WrittenRow,
	type WrittenRows,
} from '#server/exchange/batch-statement.ts';
import { type BatchSeal, hashedName, type LedgerSealer, numberName, rowName } from '#server/exchange/ledger-seal.ts';

/** Markets whose last entry is remembered; a market that is forgotten gets another entry. */
const MOST_REMEMBERED = 10_000;

/** A table whose rows are sealed, with the positions of its covered cells. */
export interface SealedTable {
	/** Its position among the tables that a batch writes. */
	index: number;
	table: Table<unknown>;
	seal: Sealed<unknown>;
	/** The table's code, two hexadecimal digits. */
	code: string;
	/** -1 for the number of the batch, which is not a cell. */
	names: readonly number[];
	columns: readonly number[];
}

export const SEALED_TABLES: readonly SealedTable[] = TABLES.flatMap((table, index) => {
	const { seal } = table;
	if (!seal) return [];
	const placeOf = (column: string) => table.columns.findIndex(([name]) => name === column);
	const columns = seal.columns ?? table.columns.map(([name]) => name);
	const code = seal.code.toString(16).padStart(2, '0');
	return [{ index, table, seal, code, names: seal.names.map(placeOf), columns: columns.map(placeOf) }];
});

/** The entry of a row, in hexadecimal digits. */
function entryOf(sealer: LedgerSealer, sealed: SealedTable, batch: number, row: WrittenRow): string {
	let cells = '';
	for (const at of sealed.columns) {
		const cell = row[at];
		cells += cell == null ? '\n\\N' : `\n${cell}`;
	}
	return sealer.entry(sealed.code, nameOf(sealed, batch, row), cells);
}

function nameOf({ names, seal }: SealedTable, batch: number, row: WrittenRow): string {
	const [first = 0, second] = names;
	if (seal.names[0] === 'batch') return rowName(first < 0 ? batch : Number(row[first]), Number(row[second ?? 0]));
	if (second === undefined) return numberName(Number(row[first]));
	return hashedName(names.map((at) => row[at]).join('\n'));
}

/** Seals batch after batch. */
export class BatchSealer {
	readonly #sealer: LedgerSealer;
	/** The last entry of each row in tables whose rows get an entry only when they change. */
	readonly #last = new Map<string, string>();

	constructor(sealer: LedgerSealer) {
		this.#sealer = sealer;
	}

	/**
	 * @param chain the chain after the previous batch
	 */
	seal(batchSeq: number, chain: Buffer, batch: BatchRows, written: WrittenRows): BatchSeal {
		let entries = '';
		for (const sealed of SEALED_TABLES)
			entries += this.#entriesOf(sealed, batchSeq, batch, written[sealed.index] ?? []);
		const { keyId } = this.#sealer;
		if (entries === '') return { keyId, entries: null, chain };
		const bytes = Buffer.from(entries, 'hex');
		return { keyId, entries: bytes, chain: this.#sealer.chainAfter(chain, batchSeq, 0, bytes) };
	}

	#entriesOf(sealed: SealedTable, batchSeq: number, batch: BatchRows, written: readonly WrittenRow[]): string {
		const { table, seal } = sealed;
		const rows = seal.covers ? table.rows(batch) : [];
		let entries = '';
		for (const [at, row] of written.entries()) {
			if (seal.covers && !seal.covers(rows[at], batch)) continue;
			const entry = entryOf(this.#sealer, sealed, batchSeq, row);
			if (!seal.onlyChanges || this.#changes(`${seal.code}.${row[0]}`, entry)) entries += entry;
		}
		return entries;
	}

	#changes(row: string, entry: string): boolean {
		if (this.#last.get(row) === entry) return false;
		if (this.#last.size >= MOST_REMEMBERED) this.#last.clear();
		this.#last.set(row, entry);
		return true;
	}
}

/** Selects the columns that make an entry, and `batch` where the rows have it. */
export function selectionOf({ table, seal }: SealedTable): string {
	const columns = table.columns.map(([name]) => (table.casts?.[name] === 'text[]' ? `${name}::text` : name));
	const batch = NUMBERED.has(table.into) ? ['batch'] : [];
	return `select ${[...batch, ...columns].join(', ')} from ${table.into}${seal.where ? ` where (${seal.where})` : ''}`;
}

/** The entry of a selected row. */
export function storedEntry(sealer: LedgerSealer, sealed: SealedTable, row: Record<string, unknown>): string {
	const { columns, casts } = sealed.table;
	const cells = columns.map(([name]) => {
		const value = row[name] as Cell;
		return casts?.[name] === 'jsonb' && value !== null ? canonicalJson(value) : cellText(value);
	});
	return entryOf(sealer, sealed, Number(row['batch'] ?? 0), cells);
}
