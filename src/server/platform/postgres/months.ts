/**
 * Bets, matches and the events of markets are partitioned by month, so that old data can be detached. The partitions of this month and the
 * next are created ahead. A row of a month without a partition goes to the default partition, so that no batch ever
 * fails for want of a partition, and moves when its month gets one.
 */
import type pg from 'pg';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

/** The tables, and the columns that determine the month: milliseconds since 1970. */
export const TABLES_BY_MONTH = { bet: 'placed_at', bet_match: 'at', market_event: 'at' } as const;

/**
 * How full a page is where rows are added, in percent. A bet changes when it is matched and when it ends: with room for
 * another version beside the first, no index has to follow.
 */
const FILLED: Readonly<Record<string, number>> = { bet: 50 };

export const isByMonth = (table: string): boolean => table in TABLES_BY_MONTH;

/** A month of UTC, such as 2026-11. */
export type Month = string;

/** Commits wait for these locks, so the attempt is given up quickly, and repeated later. */
const LOCK_LIMIT = '500ms';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => MONTH.test(text);

export const monthOf = (atMs: number): Month => new Date(atMs).toISOString().slice(0, 7);

/** Its beginning and its end, milliseconds since 1970. */
export function boundsOf(month: Month): { fromMs: number; toMs: number } {
	const from = new Date(`${month}-01T00:00:00Z`);
	return { fromMs: from.getTime(), toMs: Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1) };
}

/** The name of a month's partition, attached or not. */
export const partitionOf = (table: string, month: Month): string => `${table}_${month.replace('-', '_')}`;

/** Whether the month's partitions are attached: one row with `isOpen`. */
export const isMonthOpen = (month: Month): pg.QueryConfig => ({
	text: 'select bool_and(to_regclass(name) is not null) as "isOpen" from unnest($1::text[]) as names (name)',
	// A detached partition is in another schema.
	values: [Object.keys(TABLES_BY_MONTH).map((table) => partitionOf(table, month))],
});

/** The attached months of a table, oldest first. */
export async function attachedMonths(db: Pick<pg.Pool, 'query'>, table: string): Promise<Month[]> {
	return (await attachedByTable(db, [table])).get(table) ?? [];
}

/** The same of each of the tables. */
async function attachedByTable(db: Pick<pg.Pool, 'query'>, tables: readonly string[]): Promise<Map<string, Month[]>> {
	const { rows } = await db.query<{ table: string; names: string[] }>({
		name: 'months-of-tables',
		text: `select parent.relname as "table", array_agg(child.relname::text order by child.relname) as names from pg_inherits
		 join pg_class as parent on parent.oid = inhparent join pg_class as child on child.oid = inhrelid
		 where inhparent = any($1::regclass[]) group by parent.relname`,
		values: [tables],
	});
	const monthIn = (table: string, name: string): Month => name.slice(table.length + 1).replace('_', '-');
	return new Map(rows.map(({ table, names }) => [table, names.map((name) => monthIn(table, name)).filter(isMonth)]));
}

const IN_DEFAULT_PARTITIONS = Object.entries(TABLES_BY_MONTH)
	.map(
		([table, column]) =>
			`select distinct '${table}' as "table", to_char(to_timestamp(${column} / 1000) at time zone 'UTC', 'YYYY-MM') as month
			 from ${table}_default where ${column} is not null`,
	)
	.join(' union all ');

/**
 * Creates the partitions of this month, of the next, of the months of rows in the default partition, and of those that
 * bets have: a month that was detached is in none of them, and stays away. Each is a separate transaction and waits for
 * one lock of a batch at a time, so the two never deadlock.
 * @throws if a lock is not free within half a second; the next call tries again
 */
export async function openMonths(db: pg.Pool, nowMs: number): Promise<void> {
	const tables = Object.keys(TABLES_BY_MONTH);
	const { rows } = await unhurried(db).query<{ table: string; month: Month }>(IN_DEFAULT_PARTITIONS);
	const attached = await attachedByTable(db, tables);
	const always = [monthOf(nowMs), monthOf(boundsOf(monthOf(nowMs)).toMs)];
	const inDefault = (table: string) => rows.filter((row) => row.table === table).map(({ month }) => month);
	const ofBets = new Set([...always, ...inDefault('bet'), ...(attached.get('bet') ?? [])]);
	for (const table of tables) {
		const wanted = new Set([...ofBets, ...inDefault(table)]);
		for (const month of wanted)
			if (!attached.get(table)?.includes(month)) await inTransaction(db, (client) => makeMonth(client, table, month));
	}
}

async function makeMonth(client: pg.PoolClient, table: string, month: Month): Promise<void> {
	// One process at a time, however long it takes: no bet waits for this.
	await unhurried(client).query('lock table migration in exclusive mode');
	await client.query(`set local lock_timeout = '${LOCK_LIMIT}'`);
	if ((await attachedMonths(client, table)).includes(month)) return;
	const column = TABLES_BY_MONTH[table as keyof typeof TABLES_BY_MONTH];
	const { fromMs, toMs } = boundsOf(month);
	const partition = partitionOf(table, month);
	// No row of the month may be added to the default partition between the move and the attachment.
	await client.query(`lock table ${table}_default in access exclusive mode`);
	await client.query(
		`create table ${partition} (like ${table} including all) with (fillfactor = ${FILLED[table] ?? 100})`,
	);
	await unhurried(client).query(
		`with moved as (delete from ${table}_default where ${column} >= ${fromMs} and ${column} < ${toMs} returning *)
		 insert into ${partition} select * from moved`,
	);
	await client.query(`alter table ${table} attach partition ${partition} for values from (${fromMs}) to (${toMs})`);
}
