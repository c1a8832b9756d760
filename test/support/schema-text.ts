/**
 * The schema of a migrated database as SQL: what db/schema.sql holds, so that it is read in one place. It is made of tables
 * alone: migrations make no functions, triggers, types or sequences.
 */
import type pg from 'pg';

/** Tables of a month are made by the process when the month comes. */
const OF_A_MONTH = '_[0-9]{4}_[0-9]{2}$';

const COLUMNS = `
	select c.relname as "table", obj_description(c.oid) as about, pg_get_partkeydef(c.oid) as partitioned,
		pg_get_expr(c.relpartbound, c.oid) as bounds, parent.relname as parent,
		json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
			'isRequired', a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid), 'isIdentity', a.attidentity <> '',
			'isGenerated', a.attgenerated <> '',
			'about', col_description(c.oid, a.attnum)) order by a.attnum) as columns
	from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
	left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
	left join pg_inherits on inhrelid = c.oid left join pg_class parent on parent.oid = inhparent
	where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ '${OF_A_MONTH}'
	group by c.oid, c.relname, parent.relname order by c.relname`;

/** Constraints, and indexes that are none, by table. Those of a partition follow from its parent's. */
const RULES = `
	with own as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
		and relname !~ '${OF_A_MONTH}')
	select relname as "table", 0 as rank, conname as name,
		'alter table ' || relname || ' add constraint ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid) as text
	from own join pg_constraint on conrelid = own.oid where conparentid = 0 and contype <> 'n'
	union all
	select own.relname, 1, of_index.relname, pg_get_indexdef(indexrelid)
	from own join pg_index on indrelid = own.oid join pg_class as of_index on of_index.oid = indexrelid
	where not exists (select 1 from pg_constraint where conindid = indexrelid and conrelid = own.oid)
		and not exists (select 1 from pg_inherits where inhrelid = indexrelid)
	order by 1, 2, 3`;

interface Column {
	name: string;
	type: string;
	isRequired: boolean;
	default: string | null;
	isIdentity: boolean;
	isGenerated: boolean;
	about: string | null;
}

interface Table {
	table: string;
	about: string | null;
	partitioned: string | null;
	bounds: string | null;
	parent: string | null;
	columns: Column[];
}

function valueOf({ isIdentity, isGenerated, ...column }: Column): string {
	if (isIdentity) return ' generated always as identity';
	if (isGenerated) return ` generated always as (${column.default}) stored`;
	return column.default === null ? '' : ` default ${column.default}`;
}

function textOfTable({ table, about, partitioned, bounds, parent, columns }: Table, rules: readonly string[]): string {
	const lines = columns.map(
		(column) => `\t${column.name} ${column.type}${column.isRequired ? ' not null' : ''}${valueOf(column)}`,
	);
	const create = parent
		? `create table ${table} partition of ${parent} ${bounds}`
		: `create table ${table} (\n${lines.join(',\n')}\n)${partitioned ? ` partition by ${partitioned.toLowerCase()}` : ''}`;
	const comments = columns.flatMap((column) => (column.about ? [`-- ${column.name}: ${column.about}\n`] : []));
	const head = about ? `-- ${about}\n` : '';
	return [`${head}${parent ? '' : comments.join('')}${create}`, ...rules].map((text) => `${text};\n`).join('');
}

export async function schemaText(db: pg.Pool): Promise<string> {
	const { rows: tables } = await db.query<Table>(COLUMNS);
	const { rows: rules } = await db.query<{ table: string; text: string }>(RULES);
	return [
		'-- The schema as the migrations make it. Written by `npx vitest run test/ledger/schema.test.ts --update`; never edited.\n',
		...tables.map((table) =>
			textOfTable(
				table,
				rules.flatMap((rule) => (rule.table === table.table ? [rule.text] : [])),
			),
		),
	].join('\n');
}
