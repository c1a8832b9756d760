/**
 * Rows of a table as lines: each is a JSON array of the texts of its cells, as PostgreSQL writes and reads them. So 64-bit
 * numbers, bytes, and JSON's null beside SQL's come through as they are.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { digestOf, synced } from '../durable-file.ts';

/** A table as the catalogue has it. */
export interface Table {
	name: string;
	/** With their types, such as `bigint` or `text[]`; without generated ones. */
	columns: readonly { name: string; type: string }[];
	/** By which its rows are read. */
	key: readonly string[];
	/** The column that the table numbers itself; null without one. */
	counter: string | null;
	/** Tables that its rows refer to. */
	refersTo: readonly string[];
}

/** What the manifest says of a table's file. */
export interface TableFile {
	columns: string[];
	rows: number;
	sha256: string;
}

/** About as much text is in memory at once, unless one row has more. */
const TEXT_AT_ONCE = 4 << 20;
const FIRST_FETCH = 8;
const MOST_ROWS = 5_000;

const quoted = (names: readonly string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ');

/** All tables by name; partitions belong to theirs. */
export async function tablesOf(client: pg.ClientBase): Promise<ReadonlyMap<string, Table>> {
	const { rows } = await client.query<Table>(
		`select relname as name, counter, coalesce(key, '{}') as key, coalesce(refers, '{}') as "refersTo",
		   (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
		    from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
		 from pg_class
		 left join lateral (select attname::text as counter from pg_attribute
		   where attrelid = pg_class.oid and attidentity <> '') as counted on true
		 left join lateral (select array_agg(attname::text order by place) as key
		   from pg_constraint cross join unnest(conkey) with ordinality as named (number, place)
		   join pg_attribute on attrelid = conrelid and attnum = number
		   where conrelid = pg_class.oid and contype = 'p') as keyed on true
		 left join lateral (select array_agg(distinct other.relname::text) as refers
		   from pg_constraint join pg_class as other on other.oid = confrelid
		   where conrelid = pg_class.oid and contype = 'f') as referring on true
		 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
	);
	return new Map(rows.map((table) => [table.name, table]));
}

/** The tables in an order in which none comes before one that it refers to. */
export function inOrder(tables: ReadonlyMap<string, Table>): Table[] {
	const ordered = new Map<string, Table>();
	const add = (table: Table): void => {
		if (ordered.has(table.name)) return;
		for (const name of table.refersTo) {
			const other = tables.get(name);
			if (other && other !== table) add(other);
		}
		ordered.set(table.name, table);
	};
	for (const table of tables.values()) add(table);
	return [...ordered.values()];
}

/** The lines of a table's rows, some at once. @param condition in SQL; null for all rows */
async function* linesFrom(client: pg.ClientBase, table: Table, condition: string | null): AsyncGenerator<string[]> {
	const cells = table.columns.map(({ name }) => `${pg.escapeIdentifier(name)}::text`).join(', ');
	const order = table.key.length > 0 ? ` order by ${quoted(table.key)}` : '';
	await client.query(
		`declare moved no scroll cursor for select to_json(array[${cells}])::text as line
		 from ${pg.escapeIdentifier(table.name)}${condition === null ? '' : ` where ${condition}`}${order}`,
	);
	for (let count = FIRST_FETCH; ; ) {
		const { rows } = await client.query<{ line: string }>(`fetch ${count} from moved`);
		if (rows.length > 0) yield rows.map(({ line }) => line);
		if (rows.length < count) break;
		const length = rows.reduce((sum, { line }) => sum + line.length, 0);
		count = Math.max(1, Math.min(MOST_ROWS, 4 * count, Math.floor((count * TEXT_AT_ONCE) / length)));
	}
	await client.query('close moved');
}

/** Writes a table's rows, in a transaction. Resolves when the file is on the disk. @throws Error such as ENOSPC */
export async function writeRows(
	client: pg.ClientBase,
	path: string,
	table: Table,
	condition: string | null,
): Promise<TableFile> {
	let rows = 0;
	await pipeline(
		async function* () {
			for await (const lines of linesFrom(client, table, condition)) {
				rows += lines.length;
				yield `${lines.join('\n')}\n`;
			}
		},
		createGzip({ level: 1 }),
		createWriteStream(path),
	);
	await synced(path);
	return { columns: table.columns.map(({ name }) => name), rows, sha256: await digestOf(path) };
}

/** The lines in a file. JSON escapes line feeds, and no other character ends a line. */
async function* linesIn(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const part of parts) {
		const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
		rest = lines.pop() ?? '';
		yield* lines;
	}
}

/** Puts the rows of a file into an empty table, in a transaction. */
export async function readRows(client: pg.ClientBase, path: string, { name, columns }: Table): Promise<number> {
	const cells = columns.map(({ type }, at) => `(row ->> ${at})::${type}`).join(', ');
	const sql = `insert into ${pg.escapeIdentifier(name)} (${quoted(columns.map((column) => column.name))})
		overriding system value select ${cells} from unnest($1::text[]) with ordinality as given (line, place)
		cross join lateral (select line::json as row offset 0) as read order by place`;
	let rows = 0;
	let held: string[] = [];
	let length = 0;
	const insert = async (): Promise<void> => {
		if (held.length > 0) await client.query(sql, [held]);
		rows += held.length;
		[held, length] = [[], 0];
	};
	await pipeline(createReadStream(path), createGunzip(), linesIn, async (lines: AsyncIterable<string>) => {
		for await (const line of lines) {
			held.push(line);
			length += line.length;
			if (length >= TEXT_AT_ONCE || held.length >= MOST_ROWS) await insert();
		}
		await insert();
	});
	return rows;
}
