/** Writes the closed days of a ledger that a folder lacks, each whole or not at all. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { dayName, dayOf, dayStart, firstOpenDay } from '../../src/values/zoned-calendar.ts';
import { digestOf, synced } from '../durable-file.ts';
import { type DayManifest, daysIn, filePath, MANIFEST, manifestOf, readManifest } from './day-folder.ts';
import { BALANCE_COLUMNS, BALANCE_FILE, DAY_TABLES, type DayBounds, type DayTable } from './day-tables.ts';
import { DetachedRows } from './detached-rows.ts';
import { ROWS_AT_ONCE, type Row, rowsIn, type WrittenFile, writeTable } from './parquet-table.ts';

export interface WrittenDay {
	day: string;
	rows: Record<string, number>;
}

interface Written {
	client: pg.ClientBase;
	into: string;
	day: number;
	zone: string;
	detached: DetachedRows;
}

/**
 * @param from the first day where the folder has none; that of the first posting by default
 * @param nowMs as `earlierTime` has it: a clock that is ahead closes no day
 * @param zone whose days they are
 * @throws Error such as ENOSPC, for a folder whose days are not those of this ledger, or of another zone, and for a day
 *   whose bets were detached and dropped
 */
export async function* writeDays(
	client: pg.ClientBase,
	into: string,
	{ from, nowMs, zone }: { from: number | null; nowMs: number; zone: string },
): AsyncGenerator<WrittenDay> {
	await mkdir(into, { recursive: true });
	const last = (await daysIn(into)).at(-1);
	if (last !== undefined) await checkZone(into, last, zone);
	await client.query('begin transaction isolation level repeatable read read only');
	const detached = await DetachedRows.read(client);
	const { rows } = await client.query<{ firstMs: number | null; lastMs: number }>(
		'select (select min(at) from posting) as "firstMs", at as "lastMs" from lease',
	);
	const { firstMs = null, lastMs = 0 } = rows[0] ?? {};
	if (firstMs === null) return;
	const first = last === undefined ? (from ?? dayOf(firstMs, zone)) : last + 1;
	const open = firstOpenDay(lastMs, nowMs, zone);
	for (let day = first; day < open; day++) yield await writeDay({ client, into, day, zone, detached });
	await client.query('rollback');
}

/** A kill leaves a folder that the next run replaces; a day has its name only when it is whole and on the disk. */
async function writeDay(written: Written): Promise<WrittenDay> {
	const { into, day, zone } = written;
	const partial = join(into, '.partial');
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial);
	const before = await readManifest(join(into, dayName(day - 1)));
	const batches = await batchesOf(written, before);
	const [fromMs, toMs] = boundsOf(written);
	const bounds = { fromMs, toMs, ...batches, tables: await written.detached.tablesOf({ day, fromMs, toMs }) };
	const files: Record<string, WrittenFile> = {};
	for (const table of DAY_TABLES)
		files[table.name] = await writeTable(
			filePath(partial, table.name),
			table.columns,
			partsOf(written.client, table, bounds),
		);
	const balances = await balancesOf(written, before);
	files[BALANCE_FILE] = await writeTable(filePath(partial, BALANCE_FILE), BALANCE_COLUMNS, [balances]);
	const manifest = manifestOf({ day, zone }, batches, files);
	await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, '\t')}\n`);
	await synced(join(partial, MANIFEST));
	await synced(partial);
	await rename(partial, join(into, dayName(day)));
	await synced(into);
	const rows = Object.entries(files).map(([name, file]) => [name, file.rows] as const);
	return { day: manifest.day, rows: Object.fromEntries(rows) };
}

const boundsOf = ({ day, zone }: Pick<Written, 'day' | 'zone'>): [fromMs: number, toMs: number] => [
	dayStart(day, zone),
	dayStart(day + 1, zone),
];

/** Days of two zones overlap, or leave a gap. @throws Error */
async function checkZone(into: string, day: number, zone: string): Promise<void> {
	const manifest = await readManifest(join(into, dayName(day)));
	if (manifest && manifest.zone !== zone)
		throw new Error(`${into} has days of ${manifest.zone}, and BOOKS_ZONE is ${zone}: write into another folder.`);
}

/** The seals of a day are those after the last batch that posted before it, up to the last one that posted in it. */
async function batchesOf({ client, ...day }: Written, before: DayManifest | null): Promise<DayManifest['batches']> {
	const lastOf = async (condition: string, values: readonly number[]): Promise<number | null> => {
		const sql = `select max(batch) as batch from posting where ${condition}`;
		return (await client.query<{ batch: number | null }>(sql, [...values])).rows[0]?.batch ?? null;
	};
	const [fromMs, toMs] = boundsOf(day);
	const after = before?.batches.last ?? (await lastOf('at < $1', [fromMs])) ?? 0;
	const last = (await lastOf('at >= $1 and at < $2', [fromMs, toMs])) ?? after;
	return { after, chain: await chainAt(client, after), last };
}

/** The chain of the seals after a batch, in hexadecimal digits. */
async function chainAt(client: pg.ClientBase, batch: number): Promise<string> {
	const { rows } = await client.query<{ chain: Buffer | null }>(
		`select coalesce((select chain from batch_seal where batch <= $1 order by batch desc, part desc limit 1),
		   sealed_chain) as chain from lease`,
		[batch],
	);
	return rows[0]?.chain?.toString('hex') ?? '';
}

/** The rows of a table, as many at once as a part of its file has. */
async function* partsOf(client: pg.ClientBase, { query }: DayTable, bounds: DayBounds): AsyncGenerator<Row[]> {
	// The statement of a cursor takes no parameters.
	await client.query(`declare rows no scroll cursor for ${query(bounds)}`);
	for (;;) {
		const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from rows`);
		if (rows.length > 0) yield rows;
		if (rows.length < ROWS_AT_ONCE) break;
	}
	await client.query('close rows');
}

const MOVES = `(select pool, debit as account, debit_owner as owner, -amount as amount from posting where CONDITION
	union all select pool, credit, credit_owner, amount from posting where CONDITION)`;

/** What each account held as the day began comes from the day before, and from all postings where that was not written. */
async function balancesOf({ client, into, ...day }: Written, before: DayManifest | null): Promise<Row[]> {
	const [fromMs, toMs] = boundsOf(day);
	const sums = async (condition: string, values: readonly number[]): Promise<Balances> => {
		const { rows } = await client.query<{ pool: string; account: string; owner: number; amount: number }>(
			`select pool, account, owner, sum(amount)::bigint as amount
			 from ${MOVES.replaceAll('CONDITION', condition)} as move group by pool, account, owner`,
			[...values],
		);
		return new Map(rows.map(({ pool, account, owner, amount }) => [`${pool} ${account} ${owner}`, amount]));
	};
	const opening = before ? await closingOf(join(into, before.day), before) : await sums('at < $1', [fromMs]);
	const moved = await sums('at >= $1 and at < $2', [fromMs, toMs]);
	const names = [...new Set([...opening.keys(), ...moved.keys()])].sort();
	return names.flatMap((name) => {
		const held = opening.get(name) ?? 0;
		if (held === 0 && !moved.has(name)) return [];
		const [pool = '', account = '', owner = ''] = name.split(' ');
		return [{ pool, account, owner: Number(owner), opening: held, closing: held + (moved.get(name) ?? 0) }];
	});
}

type Balances = Map<string, number>;

async function closingOf(folder: string, manifest: DayManifest): Promise<Balances> {
	const path = filePath(folder, BALANCE_FILE);
	if ((await digestOf(path)) !== manifest.files[BALANCE_FILE]?.sha256)
		throw new Error(`${path} is not the file that its manifest names: run the audit of this folder.`);
	const closing: Balances = new Map();
	for await (const { pool, account, owner, closing: held } of rowsIn(path, BALANCE_COLUMNS))
		closing.set(`${pool} ${account} ${owner}`, Number(held));
	return closing;
}
