/** Which rows are sealed, and how an entry is made: from what a batch writes, or from what the tables hold. */

import {
	NUMBERED,
	type Sealed,
	TABLES,
	type Table,
	type WrittenRow,
	type WrittenRows,
} from '#server/exchange/ledger/batch-tables.ts';
import {
	type BatchSeal,
	ENTRY_BYTES,
	type LedgerSealer,
	nameByBatch,
	nameByHash,
	nameByNumber,
} from '#server/exchange/ledger/ledger-seal.ts';
import type { BatchRows } from '#server/exchange/order/batch-rows.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import type { Cell } from '#server/platform/postgres/binary-arrays.ts';
import { canonicalJson } from '#values/canonical-json.ts';

/** Markets whose last entry is remembered; a market that is forgotten gets another entry. */
const MOST_REMEMBERED = 10_000;
const NO_ENTRIES = Buffer.alloc(0);

/** A table whose rows are sealed, with the positions of its covered cells. */
export interface SealedTable {
	/** Its position among the tables that a batch writes. */
	index: number;
	table: Table<unknown>;
	seal: Sealed<unknown>;
	/** -1 for the number of the batch, which is not a cell. */
	names: readonly number[];
	columns: readonly number[];
	/** Those of the columns that are covered only where they are not null, and the others. */
	later: readonly number[];
	always: readonly number[];
}

export const SEALED_TABLES: readonly SealedTable[] = TABLES.flatMap((table, index) => {
	const { seal } = table;
	if (!seal) return [];
	const placeOf = (column: string) => table.columns.findIndex(([name]) => name === column);
	const columns = (seal.columns ?? table.columns.map(([name]) => name)).map(placeOf);
	const later = seal.addedLater?.map(placeOf) ?? [];
	const always = columns.filter((at) => !later.includes(at));
	return [{ index, table, seal, names: seal.names.map(placeOf), columns, later, always }];
});

/** Writes the entry of a row into ENTRY_BYTES. */
function writeEntry(sealer: LedgerSealer, sealed: SealedTable, batch: number, row: WrittenRow, entry: Buffer): void {
	entry[0] = sealed.seal.code;
	writeName(sealed, batch, row, entry);
	sealer.complete(entry, row, coveredColumns(sealed, row));
}

/** Hardly any row has a column that was added later. */
function coveredColumns({ columns, later, always }: SealedTable, row: WrittenRow): readonly number[] {
	for (const at of later) {
		if (row[at] !== null) return columns.filter((column) => !later.includes(column) || row[column] !== null);
	}
	return always;
}

function writeName({ names, seal }: SealedTable, batch: number, row: WrittenRow, entry: Buffer): void {
	const [first = 0, second] = names;
	if (seal.names[0] === 'batch') nameByBatch(entry, first < 0 ? batch : Number(row[first]), Number(row[second ?? 0]));
	else if (second === undefined) nameByNumber(entry, Number(row[first]));
	else nameByHash(entry, names.map((at) => row[at]).join('\n'));
}

/** Seals batch after batch. */
export class BatchSealer {
	readonly #sealer: LedgerSealer;
	/** The last entry of each row in tables whose rows get an entry only when they change. */
	readonly #last = recentlyUsed<string, string>(MOST_REMEMBERED);

	constructor(sealer: LedgerSealer) {
		this.#sealer = sealer;
	}

	/**
	 * @param chain the chain after the previous batch
	 */
	seal(batchSeq: number, chain: Buffer, batch: BatchRows, written: WrittenRows): BatchSeal {
		const entries = Buffer.concat(
			SEALED_TABLES.map((sealed) => this.#entriesOf(sealed, batchSeq, batch, written[sealed.index] ?? [])),
		);
		const { keyId } = this.#sealer;
		if (entries.length === 0) return { keyId, entries: null, chain };
		return { keyId, entries, chain: this.#sealer.chainAfter(chain, batchSeq, 0, entries) };
	}

	#entriesOf(sealed: SealedTable, batchSeq: number, batch: BatchRows, written: readonly WrittenRow[]): Buffer {
		if (written.length === 0) return NO_ENTRIES;
		const { table, seal } = sealed;
		const rows = seal.covers ? table.rows(batch) : [];
		const entries = Buffer.allocUnsafe(written.length * ENTRY_BYTES);
		let end = 0;
		for (let at = 0; at < written.length; at++) {
			if (seal.covers && !seal.covers(rows[at], batch)) continue;
			const cells = written[at] as WrittenRow;
			const entry = entries.subarray(end, end + ENTRY_BYTES);
			writeEntry(this.#sealer, sealed, batchSeq, cells, entry);
			if (!seal.onlyChanges || this.#changes(`${seal.code}.${cells[0]}`, entry)) end += ENTRY_BYTES;
		}
		return entries.subarray(0, end);
	}

	#changes(row: string, entryBytes: Buffer): boolean {
		const entry = entryBytes.toString('latin1');
		if (this.#last.get(row) === entry) return false;
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
export function storedEntry(sealer: LedgerSealer, sealed: SealedTable, row: Record<string, unknown>): Buffer {
	const { columns, casts } = sealed.table;
	const cells = columns.map(([name]) => {
		const value = row[name] as Cell;
		return casts?.[name] === 'jsonb' && value !== null ? canonicalJson(value) : value;
	});
	const entry = Buffer.alloc(ENTRY_BYTES);
	writeEntry(sealer, sealed, Number(row['batch'] ?? 0), cells, entry);
	return entry;
}
