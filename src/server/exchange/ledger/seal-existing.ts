/**
 * Seals rows that are older than their seals, once, so that the audit knows every row: all of a database from before the
 * seals, whose postings have an unkeyed chain until then, which the seal covers; and those of a table that an earlier
 * release wrote without seals.
 */
import { ENTRY_BYTES, type LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { SEALED_TABLES, type SealedTable, selectionOf, storedEntry } from '#server/exchange/ledger/seal-batch.ts';
import type { Queries } from '#server/platform/postgres/limited-queries.ts';

/** Rows read at once, and entries of a part. */
const AT_ONCE = 20_000;
const POSTINGS = 'posting';
/** A table that is sealed later has a larger code. */
const LAST_CODE = Math.max(...SEALED_TABLES.map(({ seal }) => seal.code));

/** What the lease says of rows that may have no seal. */
interface Unsealed {
	/** Null in a database from before the seals. */
	sealed_from: number | null;
	sealed_code: number;
}

/** Whether rows of the database are older than their seals. */
export const hasUnsealed = ({ sealed_from, sealed_code }: Unsealed): boolean =>
	sealed_from === null || sealed_code < LAST_CODE;

/**
 * Called while this process holds the lease, so no other process writes. Writes all entries or none.
 * @returns the chain from which the next batch continues
 */
export async function sealExisting(
	db: Queries,
	sealer: LedgerSealer,
	lease: Unsealed & { epoch: number; batch: number; chain: Buffer },
): Promise<Buffer> {
	const { epoch, batch, chain } = lease;
	const parts: { entries: Buffer; chain: Buffer }[] = [];
	let last = chain;
	for (const sealed of unsealedTables(lease)) {
		for await (const entries of entriesOf(db, sealer, sealed)) {
			last = sealer.chainAfter(last, batch, parts.length, entries);
			parts.push({ entries, chain: last });
		}
	}
	const { rowCount } = await db.query(
		`with fence as (
		   update lease set sealed_from = coalesce(sealed_from, batch), sealed_chain = coalesce(sealed_chain, chain),
		     sealed_code = $6, chain = $2
		   where id = 1 and epoch = $1 and (sealed_from is null or sealed_code < $6) returning batch
		 ), written as (
		   insert into batch_seal (batch, part, key_id, entries, chain)
		   select fence.batch, part - 1, $3, entries, chain
		   from fence, unnest($4::bytea[], $5::bytea[]) with ordinality as parts (entries, chain, part)
		 )
		 select 1 from fence`,
		[epoch, last, sealer.keyId, parts.map(({ entries }) => entries), parts.map((part) => part.chain), LAST_CODE],
	);
	if (rowCount !== 1) throw new Error('Another server took over this database while its rows were sealed.');
	return last;
}

const unsealedTables = ({ sealed_from, sealed_code }: Unsealed): SealedTable[] =>
	SEALED_TABLES.filter(({ table, seal }) => (sealed_from === null ? table.into !== POSTINGS : seal.code > sealed_code));

async function* entriesOf(db: Queries, sealer: LedgerSealer, sealed: SealedTable): AsyncGenerator<Buffer> {
	const key = (sealed.table.replaces ?? sealed.table.key ?? 'batch, line').split(', ');
	const selection = selectionOf(sealed);
	const after = `(${key.join(', ')}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`;
	let from: unknown[] = [];
	for (;;) {
		const where = from.length === 0 ? '' : `${sealed.seal.where ? ' and ' : ' where '}${after}`;
		const { rows } = await db.query<Record<string, unknown>>(
			`${selection}${where} order by ${key.join(', ')} limit ${AT_ONCE}`,
			from,
		);
		const last = rows.at(-1);
		if (!last) return;
		const entries = Buffer.alloc(rows.length * ENTRY_BYTES);
		rows.forEach((row, at) => {
			entries.set(storedEntry(sealer, sealed, row), at * ENTRY_BYTES);
		});
		yield entries;
		from = key.map((column) => last[column]);
	}
}
