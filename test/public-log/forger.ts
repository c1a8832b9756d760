/** The house as a forger: it edits rows of the past, and with its keys the seals over them, and the public log over those. */
import type pg from 'pg';
import { checkpointText } from '#public-log/checkpoint.ts';
import { parseVerifierKey, signatureLine } from '#public-log/signed-note.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { batchLeaf, type SealRow } from '#server/exchange/ledger/log-batches.ts';
import { type SealedTable, selectionOf, storedEntry } from '#server/exchange/ledger/seal-batch.ts';
import { logKeyOf } from '#server/platform/keys/log-key.ts';
import type { Leaf } from '#server/platform/public-log/leaf-source.ts';
import { appendLeaves, publishedLogs } from '#server/platform/public-log/log-rows.ts';

/** Another value of the same type, by SQL over the column. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
	bigint: (column) => `coalesce(${column}, 0) + 1`,
	integer: (column) => `coalesce(${column}, 0) + 1`,
	smallint: (column) => `${column} + 1`,
	text: (column) => `coalesce(${column}, '') || 'x'`,
	boolean: (column) => `not coalesce(${column}, false)`,
	bytea: (column) => `set_byte(${column}, 0, 255 - get_byte(${column}, 0))`,
	jsonb: (column) => `jsonb_build_array(${column})`,
	ARRAY: (column) => `array_append(${column}, 'VOID')`,
};

/** SQLSTATE class 23. */
const CONSTRAINT_VIOLATED = '23';

/** A column of a table, and its other value. */
export async function otherValue(client: pg.ClientBase, table: string, column: string): Promise<string> {
	const { rows } = await client.query<{ type: string }>(
		'select data_type as type from information_schema.columns where table_name = $1 and column_name = $2',
		[table, column],
	);
	const other = OTHER[rows[0]?.type ?? ''];
	if (!other) throw new Error(`no other value of ${table}.${column}: ${rows[0]?.type}`);
	return other(column);
}

/**
 * Edits one cell of a row.
 * @param share which row, as a share of the rows from 0 to 1
 * @returns the row's table and place; null if the table has no such row, or takes no such value
 */
export async function edit(
	client: pg.ClientBase,
	{ table, column, where = 'true' }: { table: string; column: string; where?: string },
	share: number,
): Promise<string | null> {
	const { rows: places } = await client.query<{ place: string; part: string }>(
		`select ctid::text as place, tableoid::regclass::text as part from ${table} where ${where} order by 2, 1`,
	);
	const chosen = places[Math.floor(share * places.length)];
	if (!chosen) return null;
	const change = `update ${chosen.part} set ${column} = ${await otherValue(client, table, column)} where ctid = $1::tid`;
	try {
		await client.query(change, [chosen.place]);
	} catch (error) {
		if (`${(error as pg.DatabaseError).code}`.startsWith(CONSTRAINT_VIOLATED)) return null;
		throw error;
	}
	return `${chosen.part} ${chosen.place}`;
}

/** Seals the ledger again, so that a row that was edited has the entry that its seal says. */
export async function sealAgain(
	client: pg.ClientBase,
	key: string,
	sealed: SealedTable,
	editRow: () => Promise<void>,
): Promise<void> {
	const sealer = new LedgerSealer(key);
	const entries = async () => {
		const { rows } = await client.query<Record<string, unknown>>(selectionOf(sealed));
		return rows.map((row) => storedEntry(sealer, sealed, row).toString('hex'));
	};
	const before = await entries();
	await editRow();
	const after = await entries();
	const gone = before.find((entry) => !after.includes(entry));
	const made = after.find((entry) => !before.includes(entry));
	if (!gone || !made) throw new Error('no sealed row was edited');
	const { rows: seals } = await client.query<SealRow>(
		'select batch, part, entries, chain from batch_seal order by batch, part',
	);
	const { rows: lease } = await client.query<{ chain: Buffer }>('select sealed_chain as chain from lease');
	let chain = lease[0]?.chain ?? Buffer.alloc(0);
	for (const { batch, part, entries: sealedEntries } of seals) {
		const forged = Buffer.from(sealedEntries.toString('hex').replace(gone, made), 'hex');
		chain = sealer.chainAfter(chain, batch, part, forged);
		await client.query('update batch_seal set entries = $3, chain = $4 where batch = $1 and part = $2', [
			batch,
			part,
			forged,
			chain,
		]);
	}
	await client.query('update lease set chain = $1', [chain]);
}

/** Writes the whole public log again over the seals as they are now, and signs it. */
export async function logAgain(client: pg.PoolClient, key: string): Promise<void> {
	const [newest] = await publishedLogs(client);
	if (!newest) throw new Error('there is no log');
	const { log, origin, size } = newest;
	const { rows } = await client.query<{ entry: number; type: string; ref: string | null; leaf: string }>(
		'delete from public_log_entry where log = $1 returning entry, type, ref, leaf',
		[log],
	);
	await client.query('delete from public_log_tile where log = $1', [log]);
	const { rows: seals } = await client.query<SealRow>(
		'select batch, part, entries, chain from batch_seal order by batch, part',
	);
	const inOrder = rows.sort((one, other) => one.entry - other.entry);
	const leaves = inOrder.map(({ type, ref, leaf }): Leaf => {
		const { type: _, ...body } = JSON.parse(leaf) as Record<string, unknown>;
		const seal = seals.find(({ batch, part }) => batch === body['batch'] && part === body['part']);
		return type === 'batch' && seal ? batchLeaf(seal) : { type, ref, body };
	});
	const text = checkpointText({ origin, size, root: await appendLeaves(client, log, 0, leaves) });
	const checkpoint = `${text}\n${signatureLine(parseVerifierKey(newest.key), logKeyOf(key).sign(text))}`;
	await client.query('update public_log set checkpoint = $2 where log = $1', [log, checkpoint]);
}
