/** Which rows are sealed and how an entry is made of one: from what a batch writes, and from what the tables hold. */

import { canonicalJson } from '#server/db/canonical-json.ts';
import type { BatchRows } from '#server/exchange/batch.ts';
import {
	type Cell,
	NUMBERED,
	type Sealed,
	TABLES,
	type Table,
	type WrittenRows,
} from '#server/exchange/batch-statement.ts';
import { type BatchSeal, type LedgerSealer, lineName, rowName } from '#server/exchange/ledger-seal.ts';

/** Markets whose last entry is remembered; one that is forgotten gets another one. */
const MOST_REMEMBERED = 10_000;

/** A table whose rows are sealed, with the places of what counts among its cells. */
export interface SealedTable {
	/** Its place among the tables that a batch writes. */
	index: number;
	table: Table<unknown>;
	seal: Sealed<unknown>;
	/** -1 for the number of the batch, which is no cell. */
	names: readonly number[];
	columns: readonly number[];
}

export const SEALED_TABLES: readonly SealedTable[] = TABLES.flatMap((table, index) => {
	const { seal } = table;
	if (!seal) return [];
	const placeOf = (column: string) => table.columns.findIndex(([name]) => name === column);
	const columns = seal.columns ?? table.columns.map(([name]) => name);
	return [{ index, table, seal, names: seal.names.map(placeOf), columns: columns.map(placeOf) }];
});

/** The entry of a row, in hexadecimal digits. */
function entryOf(sealer: LedgerSealer, sealed: SealedTable, batch: number, cells: readonly Cell[]): string {
	const named = sealed.names.map((at) => (at < 0 ? batch : (cells[at] ?? null)));
	const isLine = sealed.seal.names[0] === 'batch';
	const name = isLine ? lineName(Number(named[0]), Number(named[1])) : rowName(named);
	const covered = sealed.columns.map((at) => cells[at] ?? null);
	return sealer.entry(sealed.seal.code, name, covered);
}

/** Seals batch after batch. */
export class BatchSealer {
	readonly #sealer: LedgerSealer;
	/** Of tables whose rows get an entry only when they change. */
	readonly #last = new Map<string, string>();

	constructor(sealer: LedgerSealer) {
		this.#sealer = sealer;
	}

	/** @param chain as the batch before left it */
	seal(batchSeq: number, chain: Buffer, batch: BatchRows, written: WrittenRows): BatchSeal {
		let entries = '';
		for (const sealed of SEALED_TABLES)
			entries += this.#entriesOf(sealed, batchSeq, batch, written[sealed.index] ?? []);
		const { keyId } = this.#sealer;
		if (entries === '') return { keyId, entries: null, chain };
		const bytes = Buffer.from(entries, 'hex');
		return { keyId, entries: bytes, chain: this.#sealer.chainAfter(chain, batchSeq, 0, bytes) };
	}

	#entriesOf(sealed: SealedTable, batchSeq: number, batch: BatchRows, written: readonly (readonly Cell[])[]): string {
		const { table, seal } = sealed;
		const rows = seal.covers ? table.rows(batch) : [];
		let entries = '';
		for (const [at, cells] of written.entries()) {
			if (seal.covers && !seal.covers(rows[at], batch)) continue;
			const entry = entryOf(this.#sealer, sealed, batchSeq, cells);
			if (!seal.onlyChanges || this.#changes(`${seal.code}.${cells[0]}`, entry)) entries += entry;
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

/** The columns that make an entry, as the database hands them out; `batch` beside them where rows carry it. */
export function selectionOf({ table, seal }: SealedTable): string {
	const columns = table.columns.map(([name]) => (table.casts?.[name] === 'text[]' ? `${name}::text` : name));
	const batch = NUMBERED.has(table.into) ? ['batch'] : [];
	return `select ${[...batch, ...columns].join(', ')} from ${table.into}${seal.where ? ` where (${seal.where})` : ''}`;
}

/** The entry of a row that was selected so. */
export function storedEntry(sealer: LedgerSealer, sealed: SealedTable, row: Record<string, unknown>): string {
	const { columns, casts } = sealed.table;
	const cells = columns.map(([name]): Cell => {
		const value = row[name];
		return casts?.[name] === 'jsonb' && value !== null ? canonicalJson(value) : (value as Cell);
	});
	return entryOf(sealer, sealed, Number(row['batch'] ?? 0), cells);
}
